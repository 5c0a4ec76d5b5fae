-- The answer of a payment whose nonce was found used after it was verified, for gateways without a node that
-- could tell whether it was paid or cancelled. Given once per payment, up to 0.004 USDC, at most three times
-- a day per payer.
create or replace function answer_unproven_payment(payment_id uuid)
returns table (status_code integer, content_type text, headers jsonb, body bytea)
language plpgsql security definer set search_path = public, pg_temp as $$
#variable_conflict use_variable
declare
  known payments;
begin
  select * into known from payments p where p.id = payment_id;
  -- The lock makes these answers sequential per payer, so that the count is exact.
  perform pg_advisory_xact_lock(hashtextextended(known.payer, 402));
  update payments p set unproven_at = clock_timestamp()
    where p.id = payment_id and p.state = 'unknown' and p.nonce_used and p.unproven_at is null and p.amount <= 4000
      and (select count(*) from payments o
           where o.payer = known.payer and o.unproven_at > clock_timestamp() - interval '1 day') < 3;
  if found then
    return query select a.status_code, a.content_type, a.headers, a.body from payment_answers a where a.payment_id = payment_id;
  end if;
end $$;
revoke all on function answer_unproven_payment from public;
grant execute on function answer_unproven_payment to gateway;
