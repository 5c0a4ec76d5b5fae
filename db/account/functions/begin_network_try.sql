-- Counts a try from an address that proves something else than a password. False: too many were wrong.
create or replace function begin_network_try(address text) returns boolean
language sql security definer set search_path = public, pg_temp as $$
  select count_sign_in_try('address', address, 20)
$$;
revoke all on function begin_network_try from public;
grant execute on function begin_network_try to issuer;
