-- False: the account has no such connect kit.
create or replace function change_account_kit(
  account_id uuid, kit_id uuid, name text, logo text, appearance text, accent text, mode text, origins text[],
  redirect_urls text[]
) returns boolean
language plpgsql security definer set search_path = public, pg_temp as $$
#variable_conflict use_variable
begin
  update connect_kits k set name = change_account_kit.name, logo = change_account_kit.logo,
      appearance = change_account_kit.appearance, accent = change_account_kit.accent, mode = change_account_kit.mode,
      origins = change_account_kit.origins, redirect_urls = change_account_kit.redirect_urls
    where k.id = kit_id and k.account_id = change_account_kit.account_id;
  return found;
end $$;
revoke all on function change_account_kit from public;
grant execute on function change_account_kit to account;
