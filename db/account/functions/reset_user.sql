-- Takes a user everything with which they sign in, ends their sessions, and gives them a new link. False: there is no
-- such user.
create or replace function reset_user(name text, token_hash bytea, operator text) returns boolean
language plpgsql security definer set search_path = public, pg_temp as $$
#variable_conflict use_variable
declare
  subject text;
begin
  update users u set password_hash = null where u.name = reset_user.name returning u.subject into subject;
  if subject is null then
    return false;
  end if;
  insert into user_invitations (user_subject, hash, expires_at) values (subject, token_hash, now() + interval '3 days')
    on conflict on constraint user_invitations_pkey do update
      set hash = excluded.hash, expires_at = excluded.expires_at;
  perform drop_user_totp(subject);
  delete from user_wallets w where w.user_subject = subject;
  delete from sign_in_tries t where t.kind = 'name' and t.key = name or t.kind = 'code' and t.key = subject;
  perform end_sessions_of_user(subject);
  insert into operator_actions (operator, action, subject) values (operator, 'reset a user', name);
  return true;
end $$;
revoke all on function reset_user from public;
grant execute on function reset_user to console;
