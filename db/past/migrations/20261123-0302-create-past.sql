-- What answers are made of is kept when it is replaced, so that it can be asked again what was answered at an instant.
-- The schema `past` has the replaced rows; `as_of` has views with the names of the tables that show what was known at an
-- instant: a query without schemas runs on either.
create schema past;
create schema as_of;
grant usage on schema past, as_of to api;
grant usage on schema past to ingest;

-- Rows carry when the transaction began that wrote them. They are seen from its end on.
create table past.writes (
  began_at timestamptz not null,
  xid xid8 not null,
  visible_at timestamptz,              -- null: it is not at its end
  primary key (began_at, xid)
);
create index writes_in_flight on past.writes using gist (tstzrange(began_at, visible_at)) where visible_at is not null;

-- From when on everything is kept.
create table past.kept (from_at timestamptz not null);
insert into past.kept values (now());

-- Coins that were ever in somebody's figures. Of others nothing is kept: there are many, and they change all the time.
create table past.coins_held (coin_id text not null);
create index on past.coins_held (coin_id);
insert into past.coins_held values ('bitcoin'), ('ethereum');

grant select on past.writes, past.kept to api;

-- The four functions that tables are made with stand here, not among those that are applied again: the migration of
-- each area calls past.keep, which makes triggers of the others.

-- A row that is written anew is known from then on.
create function past.stamp() returns trigger language plpgsql as $$
begin
  new.recorded_at := now();
  return new;
end $$;
revoke all on function past.stamp from public;

-- For statements that insert into a table whose rows are kept.
create function past.note_inserted() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform past.note_write();
  return null;
end $$;
revoke all on function past.note_inserted from public;

-- Arguments: the columns kept, those of the key, and which rows are kept. A row that this transaction made itself was seen
-- by nobody.
create function past.keep_replaced() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
declare
  kept integer;
begin
  execute format(
    'insert into past.%I (%s, recorded_at, replaced_at) select old.%s, old.recorded_at, now() from old_rows old %s
     where old.recorded_at <> now() and (%s)',
    tg_table_name, tg_argv[0], replace(tg_argv[0], ', ', ', old.'),
    case tg_op when 'UPDATE' then format(
      'join new_rows new on (%s) = (%s) and new.recorded_at <> old.recorded_at',
      'old.' || replace(tg_argv[1], ', ', ', old.'), 'new.' || replace(tg_argv[1], ', ', ', new.')) end,
    tg_argv[2]);
  get diagnostics kept = row_count;
  if kept > 0 then
    perform past.note_write();
  end if;
  return null;
end $$;
revoke all on function past.keep_replaced from public;

-- Has a table keep what is replaced in it. `columns` are those that answers are made of; `held`: the condition on a replaced
-- row, called `old`, under which it is kept; `until`: an upper bound of rows that were known, which saves looking at all that
-- came later.
create function past.keep(
  relation name, key text, columns text, held text default 'true', until text default 'true'
) returns void language plpgsql as $$
declare
  kept text := key || ', ' || columns;
  unseen text := '((select current_setting(''sluice.as_of_unseen'')::timestamptz[])::timestamptz[])';
  instant text := '(select current_setting(''sluice.as_of'')::timestamptz)';
  known text := format('recorded_at <= %s and recorded_at <> all (%s) and %s', instant, unseen, until);
begin
  execute format('alter table %I add column recorded_at timestamptz not null default ''-infinity''', relation);
  execute format('alter table %I alter column recorded_at set default now()', relation);
  execute format(
    'create table past.%1$I as select %2$s, recorded_at, recorded_at as replaced_at from %1$I with no data', relation, kept);
  execute format('alter table past.%I alter recorded_at set not null, alter replaced_at set not null', relation);
  execute format('create index on past.%I (%s, replaced_at, recorded_at)', relation, key);
  execute format('create index on past.%I using brin (replaced_at)', relation);
  execute format(
    'create trigger stamp before update on %I for each row when ((%s) is distinct from (%s)) execute function past.stamp()',
    relation, 'old.' || replace(columns, ', ', ', old.'), 'new.' || replace(columns, ', ', ', new.'));
  execute format(
    'create trigger note_inserted after insert on %I for each statement execute function past.note_inserted()', relation);
  execute format(
    'create trigger keep_updated after update on %I referencing old table as old_rows new table as new_rows
     for each statement execute function past.keep_replaced(%L, %L, %L)', relation, kept, key, held);
  execute format(
    'create trigger keep_deleted after delete on %I referencing old table as old_rows
     for each statement execute function past.keep_replaced(%L, %L, %L)', relation, kept, key, held);
  -- The rows of both without a condition on either: the planner reads them in the order of their indexes as one table.
  execute format(
    'create view as_of.%1$I as
     select %2$s from (
       select %2$s, recorded_at, timestamptz ''infinity'' as replaced_at from public.%1$I
       union all
       select %2$s, recorded_at, replaced_at from past.%1$I
     ) as version
     where %3$s and replaced_at >= (select current_setting(''sluice.as_of_since'')::timestamptz)
       and (replaced_at > %4$s or replaced_at = any (%5$s))',
    relation, kept, known, instant, unseen);
  execute format('grant select on as_of.%I to api', relation);
end $$;
revoke all on function past.keep from public;
