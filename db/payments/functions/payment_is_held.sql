-- Whether a live process holds the payment.
create or replace function payment_is_held(owner uuid, try_after timestamptz) returns boolean
language sql stable as $$
  select try_after > clock_timestamp()
    and exists (select from payment_owners o where o.id = owner and o.alive_until > clock_timestamp())
$$;
revoke all on function payment_is_held from public;
