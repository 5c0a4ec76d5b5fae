-- Records that the chain no longer has the transaction of a settled payment, and revokes its session. False:
-- already recorded, or another transaction has settled it since.
create or replace function lose_payment(payment_id uuid, transaction text) returns boolean
language plpgsql security definer set search_path = public, pg_temp as $$
#variable_conflict use_variable
begin
  update payments p set state = 'lost', last_error = 'transaction_reorganised'
    where p.id = payment_id and p.state = 'settled' and p.transaction = transaction;
  if not found then
    return false;
  end if;
  insert into revoked_sessions as r (subject) values (transaction)
    on conflict (subject) do update set revoked_at = now();
  return true;
end $$;
revoke all on function lose_payment from public;
grant execute on function lose_payment to gateway;
