-- Does what charge_batch does, in a transaction that commits without waiting for the disk, so that the balances of the
-- accounts are free for other processes at once. Before a request is answered, flush_charges must have returned.
create or replace function charge_unflushed(
  request_ids uuid[], account_ids uuid[], costs bigint[], endpoints text[], price_inputs text[]
) returns table (account_id uuid, granted bigint, available bigint, period_ends_in_s integer, refused integer[])
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform set_config('synchronous_commit', 'off', true);
  return query select * from charge_batch(request_ids, account_ids, costs, endpoints, price_inputs);
end $$;
revoke all on function charge_unflushed from public;
grant execute on function charge_unflushed to meter;
