-- Returns the account and the access of a key, or no row when it is unknown, revoked or expired.
create or replace function authenticate(key_hash bytea)
returns table (account_id uuid, stored_hash bytea, read_only boolean, opens text[])
language sql stable security definer set search_path = public, pg_temp as $$
  select k.account_id, k.hash, k.read_only, k.opens from api_keys k
  where k.hash = key_hash and k.revoked_at is null and coalesce(k.expires_at > now(), true)
$$;
revoke all on function authenticate from public;
grant execute on function authenticate to meter;
