-- The try that begin_network_try counted was right.
create or replace function pass_network_try(address text) returns void
language sql security definer set search_path = public, pg_temp as $$
  select uncount_address_try(address)
$$;
revoke all on function pass_network_try from public;
grant execute on function pass_network_try to issuer;
