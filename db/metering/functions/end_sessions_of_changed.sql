-- Ends the sessions of a subject whose rights change, so that it signs in again.
create or replace function end_sessions_of_changed() returns trigger
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
revoke all on function end_sessions_of_changed from public;
