-- Its commit waits for the disk, and for replicas where commits do. All that committed before is then as durable.
create or replace function flush_charges() returns void
language sql security definer set search_path = public, pg_temp as $$
  -- Without a message the transaction would have nothing to write, and would not wait.
  select pg_logical_emit_message(true, 'flush_charges', '')
$$;
revoke all on function flush_charges from public;
grant execute on function flush_charges to meter;
