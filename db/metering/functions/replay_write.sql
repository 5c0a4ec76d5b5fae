-- Returns the first answer to an idempotency key, before any work is repeated; no row: the key is new.
create or replace function replay_write(account_id uuid, idempotency_key text, fingerprint bytea)
returns table (replayed_body text, mismatch boolean)
language sql stable security definer set search_path = public, pg_temp as $$
  select case when i.fingerprint = replay_write.fingerprint then i.body end, i.fingerprint <> replay_write.fingerprint
  from idempotent_answers i
  where i.account_id = replay_write.account_id and i.key = idempotency_key
$$;
revoke all on function replay_write from public;
grant execute on function replay_write to meter;
