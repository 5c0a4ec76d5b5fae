-- Charges one request and refunds the part that failed by our fault, in one transaction.
create or replace function charge_in_part(
  request_id uuid, account_id uuid, cost bigint, endpoint text, price_input text, refund bigint
) returns table (granted bigint, available bigint, period_ends_in_s integer, refused boolean)
language plpgsql security definer set search_path = public, pg_temp as $$
#variable_conflict use_variable
begin
  select c.granted, c.available, c.period_ends_in_s, c.refused <> '{}'
    into granted, available, period_ends_in_s, refused
    from charge_batch(array[request_id], array[account_id], array[cost], array[endpoint], array[price_input]) c;
  if not refused and refund_charge(request_id, refund) then available := available + refund; end if;
  return next;
end $$;
revoke all on function charge_in_part from public;
grant execute on function charge_in_part to meter;
