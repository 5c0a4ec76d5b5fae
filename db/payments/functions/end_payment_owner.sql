-- Ends the lease of a process and so frees its payments.
create or replace function end_payment_owner(owner uuid) returns void
language sql security definer set search_path = public, pg_temp as $$
  delete from payment_owners o where o.id = owner
$$;
revoke all on function end_payment_owner from public;
grant execute on function end_payment_owner to gateway;
