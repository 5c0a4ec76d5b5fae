-- Records that a payment was not and will never be charged, and deletes its answer.
create or replace function fail_payment(payment_id uuid, reason text) returns void
language plpgsql security definer set search_path = public, pg_temp as $$
#variable_conflict use_variable
begin
  update payments p set state = 'failed', last_error = reason, owner = null, request = null
    where p.id = payment_id and p.state in ('settling', 'unknown');
  if found then
    delete from payment_answers a where a.payment_id = payment_id;
  end if;
end $$;
revoke all on function fail_payment from public;
grant execute on function fail_payment to gateway;
