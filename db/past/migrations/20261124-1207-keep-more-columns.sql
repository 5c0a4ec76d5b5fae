-- Has a table of past.keep keep more columns. The caller has added them to the table and to that of past rows. `until`
-- is the one that was given to past.keep. The new columns come last in the view.
create function past.keep_more(relation name, added text, until text default 'true') returns void language plpgsql as $$
declare
  arguments text[] := (
    select string_to_array(encode(tgargs, 'escape'), '\000') from pg_trigger
    where tgrelid = format('public.%I', relation)::regclass and tgname = 'keep_deleted');
  key text := arguments[2];
  held text := arguments[3];
  kept text := arguments[1] || ', ' || added;
  columns text := substr(kept, length(key) + 3);
  unseen text := '((select current_setting(''sluice.as_of_unseen'')::timestamptz[])::timestamptz[])';
  instant text := '(select current_setting(''sluice.as_of'')::timestamptz)';
  known text := format('recorded_at <= %s and recorded_at <> all (%s) and %s', instant, unseen, until);
begin
  execute format('drop trigger stamp on %1$I', relation);
  execute format('drop trigger keep_updated on %1$I', relation);
  execute format('drop trigger keep_deleted on %1$I', relation);
  execute format(
    'create trigger stamp before update on %I for each row when ((%s) is distinct from (%s)) execute function past.stamp()',
    relation, 'old.' || replace(columns, ', ', ', old.'), 'new.' || replace(columns, ', ', ', new.'));
  execute format(
    'create trigger keep_updated after update on %I referencing old table as old_rows new table as new_rows
     for each statement execute function past.keep_replaced(%L, %L, %L)', relation, kept, key, held);
  execute format(
    'create trigger keep_deleted after delete on %I referencing old table as old_rows
     for each statement execute function past.keep_replaced(%L, %L, %L)', relation, kept, key, held);
  execute format(
    'create or replace view as_of.%1$I as
     select %2$s from (
       select %2$s, recorded_at, timestamptz ''infinity'' as replaced_at from public.%1$I
       union all
       select %2$s, recorded_at, replaced_at from past.%1$I
     ) as version
     where %3$s and replaced_at >= (select current_setting(''sluice.as_of_since'')::timestamptz)
       and (replaced_at > %4$s or replaced_at = any (%5$s))',
    relation, kept, known, instant, unseen);
end $$;
revoke all on function past.keep_more from public;
