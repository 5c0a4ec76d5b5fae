-- Records a proven payment and returns how it was settled first. No row: the payment has failed before.
-- Raises unique_violation if the transaction has paid for another call. Not `durable`: a server crash may
-- lose the record, which is safe if a node can be asked again; the answer is already stored. `block_number`,
-- `pay_to`: block and payee.
create or replace function settle_payment(
  payment_id uuid, transaction text, extra text, durable boolean default true, block_number bigint default null,
  pay_to text default null
) returns table (settled_transaction text, settled_extra text, settled_at timestamptz)
language plpgsql security definer set search_path = public, pg_temp set plan_cache_mode = force_generic_plan as $$
#variable_conflict use_variable
begin
  if not durable then
    perform set_config('synchronous_commit', 'off', true);
  end if;
  update payments p set state = 'settled', transaction = transaction, extra = extra, settled_at = clock_timestamp(),
      block_number = block_number, pay_to = case when block_number is not null then pay_to end,
      owner = null, request = null, last_error = null
    where p.id = payment_id and p.state in ('settling', 'unknown', 'lost');
  return query select p.transaction, p.extra, p.settled_at from payments p where p.id = payment_id and p.state = 'settled';
end $$;
revoke all on function settle_payment from public;
grant execute on function settle_payment to gateway;
