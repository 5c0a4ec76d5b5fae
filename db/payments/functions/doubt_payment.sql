-- Records that it is unknown whether a payment was charged. `asked`: the facilitator was asked to settle it.
-- The payment is checked again after 10 seconds, or after 10 minutes if its authorization expired over 10
-- minutes ago. One that was never sent to settle is free after 1 second, so that its payer can present it
-- again.
create or replace function doubt_payment(payment_id uuid, reason text, nonce_used boolean, asked boolean default true) returns void
language sql security definer set search_path = public, pg_temp as $$
  update payments p set state = case when asked then 'unknown' else p.state end, last_error = reason, owner = null,
      nonce_used = p.nonce_used or doubt_payment.nonce_used,
      try_after = clock_timestamp() + case
        when p.valid_before <= clock_timestamp() - interval '10 minutes' then interval '10 minutes'
        when asked or p.state = 'unknown' then interval '10 seconds' else interval '1 second' end
    where p.id = payment_id and p.state in ('settling', 'unknown')
$$;
revoke all on function doubt_payment from public;
grant execute on function doubt_payment to gateway;
