-- The migrations that were applied.
create or replace view operations.migrations as
select name, timestamp::timestamptz as applied_at from kysely_migration;
grant select on operations.migrations to console;
