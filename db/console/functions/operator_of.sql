-- The user of a session and whether the user is an operator. No row: the session has ended.
create or replace function operator_of(session_hash bytea, issuer text)
returns table (subject text, is_operator boolean)
language sql stable security definer set search_path = public, pg_temp as $$
  select s.subject, exists (select from operators o where o.issuer = s.issuer and o.subject = s.subject)
  from page_sessions s
  where s.hash = session_hash and s.issuer = operator_of.issuer and s.expires_at > now()
$$;
revoke all on function operator_of from public;
grant execute on function operator_of to console;
