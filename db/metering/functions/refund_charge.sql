-- Refunds a charge or a part of it, once and while its period is open. False: nothing was refunded. Credits
-- left in a closed period have expired; a top-up replaces such a refund.
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
