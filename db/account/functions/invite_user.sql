-- Makes a user who opens an account (null: none), may see the console or both. The link lasts three days. Returns the
-- subject; null: the name is taken.
create or replace function invite_user(name text, account_id uuid, sees_console boolean, issuer text, token_hash bytea, operator text)
returns text
language plpgsql security definer set search_path = public, pg_temp as $$
#variable_conflict use_variable
declare
  subject text;
begin
  insert into users (name) values (name) on conflict on constraint users_name_key do nothing
    returning users.subject into subject;
  if subject is null then
    return null;
  end if;
  insert into user_invitations (user_subject, hash, expires_at) values (subject, token_hash, now() + interval '3 days');
  if account_id is not null then
    insert into identities (issuer, subject, account_id) values (issuer, subject, account_id);
  end if;
  if sees_console then
    insert into operators (issuer, subject) values (issuer, subject);
  end if;
  insert into operator_actions (operator, action, subject)
    values (operator, 'invite a user' || case when sees_console then ' to the console' else '' end, name);
  return subject;
end $$;
revoke all on function invite_user from public;
grant execute on function invite_user to console;
