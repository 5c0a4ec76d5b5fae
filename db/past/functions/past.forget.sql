-- Deletes up to `batch` rows of each table that were replaced before `before`. Answers as of later instants
-- stay available.
create or replace function past.forget(before timestamptz, batch integer) returns bigint
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  relation name;
  gone bigint;
  total bigint := 0;
begin
  update past.kept set from_at = before where from_at < before;
  for relation in
    select c.relname from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'replaced_at'
    where c.relnamespace = 'past'::regnamespace and c.relkind = 'r' order by 1
  loop
    execute format('delete from past.%1$I where ctid in (select ctid from past.%1$I where replaced_at < $1 limit $2)', relation)
      using before, batch;
    get diagnostics gone = row_count;
    total := total + gone;
  end loop;
  delete from past.writes where (began_at, xid) in (
    select w.began_at, w.xid from past.writes w where w.visible_at < before and w.began_at < before limit batch);
  get diagnostics gone = row_count;
  return total + gone;
end $$;
revoke all on function past.forget from public;
grant execute on function past.forget to ingest;
