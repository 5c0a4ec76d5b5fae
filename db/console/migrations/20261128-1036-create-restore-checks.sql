-- Backups that were restored and checked. Rows are only added.
create table restore_checks (
  id bigint generated always as identity primary key,
  backup_at timestamptz not null,       -- the moment that was restored
  checked_at timestamptz not null default clock_timestamp(),
  operator text not null,
  note text not null check (length(note) <= 500)
);
