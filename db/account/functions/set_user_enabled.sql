-- Lets a user sign in again, or not any more, which ends their sessions. False: there is no such user.
create or replace function set_user_enabled(name text, enabled boolean, operator text) returns boolean
language plpgsql security definer set search_path = public, pg_temp as $$
#variable_conflict use_variable
declare
  subject text;
begin
  update users u set disabled_at = case when not enabled then coalesce(u.disabled_at, now()) end
    where u.name = set_user_enabled.name returning u.subject into subject;
  if subject is null then
    return false;
  end if;
  if not enabled then
    perform end_sessions_of_user(subject);
  end if;
  insert into operator_actions (operator, action, subject)
    values (operator, case when enabled then 'enable a user' else 'disable a user' end, name);
  return true;
end $$;
revoke all on function set_user_enabled from public;
grant execute on function set_user_enabled to console;
