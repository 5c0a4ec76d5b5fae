-- The last restore that was checked, and whether the log is archived.
create or replace view operations.backups as
select last.backup_at, last.checked_at, last.operator, last.note,
  current_setting('archive_mode') <> 'off' as archives, a.last_archived_time as last_archived_at,
  a.failed_count as archive_failures, a.last_failed_time as last_archive_failure_at
from pg_stat_archiver a
left join (select * from restore_checks order by checked_at desc, id desc limit 1) last on true;
grant select on operations.backups to console;
