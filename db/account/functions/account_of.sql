-- The user of a session and the linked account, if any. No row: the session has ended.
create or replace function account_of(session_hash bytea, issuer text)
returns table (subject text, account_id uuid, name text, degen boolean)
language sql stable security definer set search_path = public, pg_temp as $$
  select s.subject, a.id, a.name, a.degen
  from page_sessions s
  left join identities i on i.issuer = s.issuer and i.subject = s.subject
  left join accounts a on a.id = i.account_id
  where s.hash = session_hash and s.issuer = account_of.issuer and s.expires_at > now()
$$;
revoke all on function account_of from public;
grant execute on function account_of to account;
