-- Keys of an account that are not revoked, newest first.
create or replace function account_keys(account_id uuid)
returns table (prefix text, name text, read_only boolean, opens text[], created_at timestamptz, expires_at timestamptz)
language sql stable security definer set search_path = public, pg_temp as $$
  select k.prefix, k.name, k.read_only, k.opens, k.created_at, k.expires_at from api_keys k
  where k.account_id = account_keys.account_id and k.revoked_at is null
  order by k.created_at desc, k.prefix
$$;
revoke all on function account_keys from public;
grant execute on function account_keys to account;
