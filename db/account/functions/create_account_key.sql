-- False: the account has 100 keys, or one with the same prefix.
create or replace function create_account_key(
  account_id uuid, key_hash bytea, prefix text, name text, read_only boolean, opens text[], expires_at timestamptz
) returns boolean
language plpgsql security definer set search_path = public, pg_temp as $$
#variable_conflict use_variable
begin
  -- The lock makes key creation sequential per account, so that the count is exact.
  perform from accounts a where a.id = account_id for no key update;
  if (select count(*) >= 100 or bool_or(k.prefix = create_account_key.prefix) from api_keys k
      where k.account_id = create_account_key.account_id and k.revoked_at is null) then
    return false;
  end if;
  insert into api_keys (hash, account_id, prefix, name, read_only, opens, expires_at)
    values (key_hash, account_id, prefix, name, read_only, opens, expires_at);
  return true;
end $$;
revoke all on function create_account_key from public;
grant execute on function create_account_key to account;
