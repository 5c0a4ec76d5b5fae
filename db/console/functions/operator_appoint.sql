-- Lets a user see the console, or no longer. False: it was so before.
create or replace function operator_appoint(issuer text, subject text, is_operator boolean, operator text) returns boolean
language plpgsql security definer set search_path = public, pg_temp as $$
#variable_conflict use_variable
begin
  if is_operator then
    insert into operators (issuer, subject) values (issuer, subject) on conflict do nothing;
  else
    delete from operators o where o.issuer = issuer and o.subject = subject;
  end if;
  if not found then return false; end if;
  insert into operator_actions (operator, action, subject)
    values (operator, case when is_operator then 'make somebody an operator' else 'take the console from somebody' end,
      subject);
  return true;
end $$;
revoke all on function operator_appoint from public;
grant execute on function operator_appoint to console;
