-- False: the account has 20 connect kits.
create or replace function create_account_kit(
  account_id uuid, kit_id uuid, name text, logo text, appearance text, accent text, mode text, origins text[],
  redirect_urls text[]
) returns boolean
language plpgsql security definer set search_path = public, pg_temp as $$
#variable_conflict use_variable
begin
  -- The lock makes creation sequential per account, so that the count is exact.
  perform from accounts a where a.id = account_id for no key update;
  if (select count(*) >= 20 from connect_kits k where k.account_id = create_account_kit.account_id) then
    return false;
  end if;
  insert into connect_kits (id, account_id, name, logo, appearance, accent, mode, origins, redirect_urls)
    values (kit_id, account_id, name, logo, appearance, accent, mode, origins, redirect_urls);
  return true;
end $$;
revoke all on function create_account_kit from public;
grant execute on function create_account_kit to account;
