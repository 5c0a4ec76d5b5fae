-- Deletes claims of dead processes, expired answers, and the leases of dead processes.
create or replace function clean_payments() returns void
language sql security definer set search_path = public, pg_temp as $$
  delete from payments p where p.state = 'claimed' and not payment_is_held(p.owner, p.try_after);
  delete from payment_answers a using payments p
    where p.id = a.payment_id and a.expires_at < clock_timestamp()
      and p.state in ('settled', 'lost') and p.settled_at < clock_timestamp() - interval '1 hour';
  delete from payment_owners o where o.alive_until < clock_timestamp() - interval '1 hour';
$$;
revoke all on function clean_payments from public;
grant execute on function clean_payments to gateway;
