-- Charges a batch of requests and makes it durable, in one statement of two transactions: the first frees the
-- balances for other processes, the second waits for the disk. `charged` has the rows of charge_batch. It runs with
-- the rights of its caller, because only such a procedure may commit.
create or replace procedure charge(
  request_ids uuid[], account_ids uuid[], costs bigint[], endpoints text[], price_inputs text[], out charged jsonb
)
language plpgsql as $$
begin
  select coalesce(jsonb_agg(c), '[]') into charged
  from charge_unflushed(request_ids, account_ids, costs, endpoints, price_inputs) c;
  commit;
  perform flush_charges();
end $$;
revoke all on procedure charge from public;
grant execute on procedure charge to meter;
