-- Each sign-in also deletes expired sessions.
create or replace function begin_page_session(session_hash bytea, issuer text, subject text, seconds integer) returns void
language sql security definer set search_path = public, pg_temp as $$
  delete from page_sessions where expires_at <= now();
  insert into page_sessions (hash, issuer, subject, expires_at)
    values (session_hash, begin_page_session.issuer, begin_page_session.subject, now() + seconds * interval '1 second');
$$;
revoke all on function begin_page_session from public;
grant execute on function begin_page_session to account;
