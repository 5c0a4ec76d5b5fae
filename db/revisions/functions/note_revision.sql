-- Gives the table of the trigger another revision, once in a transaction. An argument names a part of the table, which
-- then has a revision of its own. It waits for nobody: a slot that another transaction has locked is skipped, and the
-- first writer that finds none free adds one.
create or replace function note_revision() returns trigger language plpgsql security definer set search_path to public, pg_temp as $$
declare
  changed text := tg_table_name || coalesce('.' || tg_argv[0], '');
  noted text := 'sluice.noted_' || replace(changed, '.', '_');
  writing text := pg_current_xact_id()::text;
begin
  if current_setting(noted, true) = writing then return null; end if;
  perform set_config(noted, writing, true);
  update table_revisions set revision = gen_random_uuid()
  where table_name = changed and slot = (
    select slot from table_revisions where table_name = changed order by slot limit 1 for update skip locked);
  if not found then
    insert into table_revisions (table_name, slot, revision) values (changed, pg_backend_pid(), gen_random_uuid())
    on conflict (table_name, slot) do update set revision = excluded.revision;
  end if;
  return null;
end $$;
