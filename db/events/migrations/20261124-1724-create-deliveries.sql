-- Events on their way to an endpoint. The body is that of the event of the same `seq`.
create table deliveries (
  endpoint_id uuid not null references webhook_endpoints on delete cascade,
  seq bigint not null,
  attempts integer not null default 0,
  next_at timestamptz default now(),   -- of the next attempt; null: delivered, or given up
  status integer,                      -- HTTP status of the last answer; null: none came
  ms integer,                          -- how long the last attempt took
  delivered_at timestamptz,
  primary key (endpoint_id, seq)
) with (fillfactor = 70);
create index deliveries_open on deliveries (next_at) where next_at is not null;

grant select, insert, update, delete on deliveries to ingest;
grant select on deliveries to api;
