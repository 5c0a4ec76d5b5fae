-- Releases a claim whose payment was never sent to settle, so that the authorization can be used again.
-- False: another process has taken it over.
create or replace function release_payment(payment_id uuid, claim uuid) returns boolean
language plpgsql security definer set search_path = public, pg_temp as $$
#variable_conflict use_variable
begin
  delete from payments p where p.id = payment_id and p.claim = claim
    and (p.state = 'claimed' or (p.state = 'settling' and p.settles = 1));
  return found;
end $$;
revoke all on function release_payment from public;
grant execute on function release_payment to gateway;
