-- Notes what an operator does outside of the database, such as to a schedule of Temporal.
create or replace function note_operator_action(operator text, action text, subject text) returns void
language sql security definer set search_path = public, pg_temp as $$
  insert into operator_actions (operator, action, subject) values (operator, action, subject)
$$;
revoke all on function note_operator_action from public;
grant execute on function note_operator_action to console;
