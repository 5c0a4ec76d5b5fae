-- Stores another password and ends all sessions of the user.
create or replace function change_user_password(subject text, password_hash text) returns void
language sql security definer set search_path = public, pg_temp as $$
  update users u set password_hash = change_user_password.password_hash where u.subject = change_user_password.subject;
  select end_sessions_of_user(subject);
$$;
revoke all on function change_user_password from public;
grant execute on function change_user_password to issuer;
