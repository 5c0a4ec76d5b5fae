-- False: the account has no such key, or it is revoked already.
create or replace function revoke_account_key(account_id uuid, prefix text) returns boolean
language plpgsql security definer set search_path = public, pg_temp as $$
#variable_conflict use_variable
begin
  update api_keys k set revoked_at = now()
    where k.account_id = revoke_account_key.account_id and k.prefix = revoke_account_key.prefix
      and k.revoked_at is null;
  return found;
end $$;
revoke all on function revoke_account_key from public;
grant execute on function revoke_account_key to account;
