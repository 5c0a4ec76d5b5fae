-- Records that this transaction writes rows on which answers depend.
create or replace function past.note_write() returns void language sql as $$
  insert into past.writes (began_at, xid) values (now(), pg_current_xact_id()) on conflict do nothing
$$;
revoke all on function past.note_write from public;
