-- Asks for the sync of a wallet on a network, or of an exchange account. If that sync runs, no second one starts.
-- Returns when.
create or replace function order_sync(address text, network_id text, connection_id uuid, operator text)
returns timestamptz
language plpgsql security definer set search_path = public, pg_temp as $$
#variable_conflict use_variable
begin
  if connection_id is null then
    insert into outbox (workflow, workflow_id, input) values (
      'syncWallet', 'sync:' || address || ':' || network_id,
      jsonb_build_object('address', address, 'networkId', network_id)
    );
  else
    insert into outbox (workflow, workflow_id, input) values (
      'syncExchange', 'exchange:' || connection_id, jsonb_build_object('connectionId', connection_id)
    );
  end if;
  insert into operator_actions (operator, action, subject) values (
    operator,
    case when connection_id is null then 'sync a wallet on ' || network_id else 'sync an exchange account' end,
    coalesce(connection_id::text, address)
  );
  return clock_timestamp();
end $$;
revoke all on function order_sync from public;
grant execute on function order_sync to console;
