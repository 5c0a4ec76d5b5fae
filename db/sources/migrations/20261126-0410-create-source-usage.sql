-- What was spent of the allowances of sources, by all workers. Each adds its part about once a minute.
create table source_usage (
  account text not null,               -- whose allowance: a source, a vendor of nodes, or the host of a node
  source text not null,
  work text not null,                  -- what the requests were for
  day timestamptz not null,            -- start of the UTC day
  requests bigint not null,
  units bigint not null,               -- as the vendor counts them
  primary key (account, day, source, work)
);
grant select, insert, update, delete on source_usage to ingest;
