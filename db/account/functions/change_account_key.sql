-- False: the account has no such key.
create or replace function change_account_key(
  account_id uuid, prefix text, name text, read_only boolean, opens text[], expires_at timestamptz
) returns boolean
language plpgsql security definer set search_path = public, pg_temp as $$
#variable_conflict use_variable
begin
  update api_keys k set name = change_account_key.name, read_only = change_account_key.read_only,
      opens = change_account_key.opens, expires_at = change_account_key.expires_at
    where k.account_id = change_account_key.account_id and k.prefix = change_account_key.prefix
      and k.revoked_at is null;
  return found;
end $$;
revoke all on function change_account_key from public;
grant execute on function change_account_key to account;
