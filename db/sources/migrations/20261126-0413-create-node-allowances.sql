-- Allowances of the accounts of nodes, as the worker is set. Those of other sources are in `sources`.
create table node_allowances (
  account text primary key,
  units bigint not null,
  per text not null check (per in ('day', 'month'))
);
grant select, insert, update, delete on node_allowances to ingest;
