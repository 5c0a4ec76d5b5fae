-- Records when the rows of a transaction become visible, as late in it as a trigger can run.
create or replace function past.end_write() returns trigger language plpgsql security definer set search_path = pg_temp as $$
begin
  update past.writes w set visible_at = clock_timestamp() where w.began_at = new.began_at and w.xid = new.xid;
  return null;
end $$;
revoke all on function past.end_write from public;
