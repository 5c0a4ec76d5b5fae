-- Renews the lease of a process for 4 seconds.
create or replace function renew_payment_owner(owner uuid) returns void
language sql security definer set search_path = public, pg_temp as $$
  insert into payment_owners as o (id, alive_until) values (owner, clock_timestamp() + interval '4 seconds')
  on conflict (id) do update set alive_until = excluded.alive_until
$$;
revoke all on function renew_payment_owner from public;
grant execute on function renew_payment_owner to gateway;
