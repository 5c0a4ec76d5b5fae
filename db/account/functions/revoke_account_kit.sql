-- Deletes a connect kit. False: the account has none of this id.
create or replace function revoke_account_kit(account_id uuid, kit_id uuid) returns boolean
language plpgsql security definer set search_path = public, pg_temp as $$
#variable_conflict use_variable
begin
  delete from connect_kits k where k.id = kit_id and k.account_id = revoke_account_kit.account_id;
  return found;
end $$;
revoke all on function revoke_account_kit from public;
grant execute on function revoke_account_kit to account;
