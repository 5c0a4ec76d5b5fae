-- Notes that an operator restored a backup and checked it.
create or replace function note_restore_check(backup_at timestamptz, note text, operator text) returns void
language sql security definer set search_path = public, pg_temp as $$
  with checked as (insert into restore_checks (backup_at, operator, note) values (backup_at, operator, note))
  insert into operator_actions (operator, action, subject)
  values (operator, 'note a verified restore', to_char(backup_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI "UTC"'))
$$;
revoke all on function note_restore_check from public;
grant execute on function note_restore_check to console;
