-- Prices that changed, and books that were computed, until it is known which of them did not see each other.
create table price_changes (
  coin_id text not null,
  from_at timestamptz not null,     -- the first instant with another price
  changed_by xid8 not null default pg_current_xact_id(),
  noted_by xid8                     -- a transaction that began after this was committed; null: none did yet
);
create table pl_runs (
  book_id bigint not null references books on delete cascade,
  began_with pg_snapshot not null,  -- what was committed before it read its first price
  noted_by xid8
);
create index pl_runs_book on pl_runs (book_id);
grant select, insert, update, delete on price_changes, pl_runs to ingest;
