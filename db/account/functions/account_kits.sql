-- Connect kits of an account, newest first.
create or replace function account_kits(account_id uuid)
returns table (
  id uuid, name text, logo text, appearance text, accent text, mode text, origins text[], redirect_urls text[]
)
language sql stable security definer set search_path = public, pg_temp as $$
  select k.id, k.name, k.logo, k.appearance, k.accent, k.mode, k.origins, k.redirect_urls from connect_kits k
  where k.account_id = account_kits.account_id
  order by k.created_at desc, k.id
$$;
revoke all on function account_kits from public;
grant execute on function account_kits to account;
