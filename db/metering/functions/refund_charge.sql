-- Gives back a charge or a part of it, once and while its period is open. False: there is nothing to give back; what was
-- left of a closed period has expired, and a top-up makes good for it.
create or replace function refund_charge(request_id uuid, credits bigint) returns boolean
language plpgsql security definer set search_path = public, pg_temp as $$
#variable_conflict use_variable
declare
  charge ledger_entries;
  period credit_periods;
begin
  select * into charge from ledger_entries l where l.request_id = refund_charge.request_id and l.kind = 'charge';
  if charge.n is null or credits <= 0 or credits > charge.credits then return false; end if;
  period := lock_period(charge.account_id);
  if period.n <> charge.n then return false; end if;
  return post_entry(request_id, 'refund', charge.account_id, charge.n, credits, charge.endpoint, charge.price_input);
end $$;
revoke all on function refund_charge from public;
grant execute on function refund_charge to meter;
