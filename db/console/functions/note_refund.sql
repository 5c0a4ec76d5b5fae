-- Notes that an operator gave a payment back by hand. False: there is no such payment, or it took no money.
create or replace function note_refund(payment_id uuid, note text, operator text) returns boolean
language plpgsql security definer set search_path = public, pg_temp as $$
#variable_conflict use_variable
begin
  insert into payment_notes (payment_id, operator, note)
    select p.id, operator, note from payments p where p.id = payment_id and p.state in ('settled', 'unknown');
  if not found then return false; end if;
  insert into operator_actions (operator, action, subject) values (operator, 'note a refund', payment_id::text);
  return true;
end $$;
revoke all on function note_refund from public;
grant execute on function note_refund to console;
