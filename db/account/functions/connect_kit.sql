-- A connect kit with its account, for the pages that its users see; no row: there is none.
create or replace function connect_kit(kit_id uuid)
returns table (
  account_id uuid, id uuid, name text, logo text, appearance text, accent text, mode text, origins text[],
  redirect_urls text[]
)
language sql stable security definer set search_path = public, pg_temp as $$
  select k.account_id, k.id, k.name, k.logo, k.appearance, k.accent, k.mode, k.origins, k.redirect_urls
  from connect_kits k where k.id = connect_kit.kit_id
$$;
revoke all on function connect_kit from public;
grant execute on function connect_kit to account;
