-- What every source shares: its rate bucket, its health, and the rows it sent that were refused.

create table source_states (
  source text primary key,
  -- GCRA: the theoretical arrival time of the next request, shared by all workers.
  next_request_at timestamptz not null default '-infinity',
  last_success_at timestamptz,
  last_failure_at timestamptz,
  last_failure text,
  consecutive_failures integer not null default 0
);

create table quarantine (
  id bigint generated always as identity primary key,
  source text not null,
  area text not null,
  reason text not null,
  payload jsonb not null,
  fetched_at timestamptz not null
);
create index quarantine_by_source on quarantine (source, fetched_at desc);

-- Commands accepted by the API in the same transaction as their charge; the worker starts a workflow for each.
create table outbox (
  id bigint generated always as identity primary key,
  workflow text not null,
  workflow_id text not null,
  input jsonb not null,
  created_at timestamptz not null default now(),
  dispatched_at timestamptz
);
create index outbox_pending on outbox (id) where dispatched_at is null;

grant select, insert, update, delete on source_states, quarantine, outbox to ingest;
grant select on source_states to api;
