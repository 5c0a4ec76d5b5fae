-- Prices that changed, until everybody who may have read another one before has ended: what a computation in flight
-- has read by then is found by the next run.
create table price_changes (
  coin_id text not null,
  from_at timestamptz not null, -- the first instant with another price
  noted_by xid8                 -- a transaction that began after the change was committed; null: none did yet
);
grant select, insert, update, delete on price_changes to ingest;

-- The transaction that computed a book last: it read prices that were committed while it ran, or before.
alter table pl_states add column computed_by xid8;
