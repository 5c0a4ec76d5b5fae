-- Ends all sessions of a user, at the provider and at our pages.
create or replace function end_sessions_of_user(subject text) returns void
language sql set search_path = public, pg_temp as $$
  delete from issuer_records r where r.payload ->> 'accountId' = end_sessions_of_user.subject;
  delete from page_sessions s where s.subject = end_sessions_of_user.subject;
$$;
revoke all on function end_sessions_of_user from public;
