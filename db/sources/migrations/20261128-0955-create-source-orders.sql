-- What operators ordered of sources. It holds for all workers, and outlives their restarts and settings.
create table source_orders (
  source text primary key,
  is_paused boolean not null default false,
  -- null, as below: as the worker is set
  requests_per_second double precision check (requests_per_second > 0),
  burst integer check (burst >= 1),
  quota bigint check (quota >= 0),
  quota_per text check (quota_per in ('day', 'month')),
  check ((quota is null) = (quota_per is null))
);
grant select on source_orders to ingest;
