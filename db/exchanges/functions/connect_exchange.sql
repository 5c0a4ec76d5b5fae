-- Stores sealed credentials and lets the worker try them; both commit together. Returns false when another
-- request for the same connection was faster: the caller seals again for the next version.
create or replace function connect_exchange(
  connection_id uuid, account_id uuid, venue text, name text, fingerprint bytea, version integer,
  key_id text, wrapped_key bytea, ciphertext bytea
) returns boolean
language plpgsql security definer set search_path = public, pg_temp as $$
#variable_conflict use_variable
begin
  insert into exchange_connections as stored (id, account_id, venue, name, fingerprint, version)
    select connection_id, account_id, venue, name, fingerprint, version
    where version = 1 or exists (select from exchange_connections c where c.id = connection_id)
    on conflict on constraint exchange_connections_account_id_venue_fingerprint_key do update
      set version = excluded.version, name = coalesce(excluded.name, stored.name)
      where stored.id = excluded.id and stored.version = excluded.version - 1;
  if not found then
    return false;
  end if;
  -- Supersedes offers that were not tried yet.
  delete from exchange_secrets s using exchange_connections c
    where s.connection_id = connect_exchange.connection_id and c.id = s.connection_id
      and s.version is distinct from c.active_version;
  insert into exchange_secrets (connection_id, version, account_id, key_id, wrapped_key, ciphertext)
    values (connection_id, version, account_id, key_id, wrapped_key, ciphertext);
  insert into outbox (workflow, workflow_id, input, account_id)
    values ('connectExchange', 'exchange-connect:' || connection_id || ':' || version,
      jsonb_build_object('connectionId', connection_id, 'version', version), account_id);
  return true;
end $$;
revoke all on function connect_exchange from public;
grant execute on function connect_exchange to meter;
