-- Who is signed in to the pages, kept here so that every API process knows that a session has ended.

create table page_sessions (
  hash bytea primary key,              -- SHA-256 of what the cookie holds
  issuer text not null,
  subject text not null,
  expires_at timestamptz not null
);
create index page_sessions_by_subject on page_sessions (issuer, subject);
create index page_sessions_by_end on page_sessions (expires_at);

-- Every sign-in takes the sessions away that ended by themselves.
create function begin_page_session(session_hash bytea, issuer text, subject text, seconds integer) returns void
language sql security definer set search_path = public, pg_temp as $$
  delete from page_sessions where expires_at <= now();
  insert into page_sessions (hash, issuer, subject, expires_at)
    values (session_hash, begin_page_session.issuer, begin_page_session.subject, now() + seconds * interval '1 second');
$$;

create function end_page_session(session_hash bytea) returns void
language sql security definer set search_path = public, pg_temp as $$
  delete from page_sessions where hash = session_hash
$$;

-- Whose session it is, and their account, if they are linked with one. No row: the session has ended.
drop function account_of(text, text);
create function account_of(session_hash bytea, issuer text)
returns table (subject text, account_id uuid, name text, degen boolean)
language sql stable security definer set search_path = public, pg_temp as $$
  select s.subject, a.id, a.name, a.degen
  from page_sessions s
  left join identities i on i.issuer = s.issuer and i.subject = s.subject
  left join accounts a on a.id = i.account_id
  where s.hash = session_hash and s.issuer = account_of.issuer and s.expires_at > now()
$$;

-- Whose session it is, and whether they may see the console. No row: the session has ended.
drop function is_operator(text, text);
create function operator_of(session_hash bytea, issuer text)
returns table (subject text, is_operator boolean)
language sql stable security definer set search_path = public, pg_temp as $$
  select s.subject, exists (select from operators o where o.issuer = s.issuer and o.subject = s.subject)
  from page_sessions s
  where s.hash = session_hash and s.issuer = operator_of.issuer and s.expires_at > now()
$$;

-- Whoever may do more or less than before signs in again.
create function end_sessions_of_changed() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if tg_op <> 'INSERT' then
    delete from page_sessions s where s.issuer = old.issuer and s.subject = old.subject;
  end if;
  if tg_op <> 'DELETE' then
    delete from page_sessions s where s.issuer = new.issuer and s.subject = new.subject;
  end if;
  return null;
end $$;

create trigger end_sessions after insert or delete on identities
  for each row execute function end_sessions_of_changed();
create trigger end_sessions_of_relinked after update on identities
  for each row when (old is distinct from new) execute function end_sessions_of_changed();
create trigger end_sessions after insert or update or delete on operators
  for each row execute function end_sessions_of_changed();

revoke all on function begin_page_session, end_page_session, account_of, operator_of, end_sessions_of_changed from public;
grant execute on function begin_page_session, end_page_session, account_of to account;
grant execute on function end_page_session, operator_of to console;
