-- Ends a session of any user.
create or replace function end_page_session(session_hash bytea) returns void
language sql security definer set search_path = public, pg_temp as $$
  delete from page_sessions where hash = session_hash
$$;
revoke all on function end_page_session from public;
grant execute on function end_page_session to account, console;
