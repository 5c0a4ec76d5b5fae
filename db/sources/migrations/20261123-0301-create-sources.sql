-- What every source shares: its rate bucket, its health, how it is used, and the rows it sent that were refused; and the
-- commands that the worker is given.

create table source_states (
  source text primary key,
  -- GCRA: the theoretical arrival time of the next request, shared by all workers.
  next_request_at timestamptz not null default '-infinity',
  last_success_at timestamptz,
  last_failure_at timestamptz,
  last_failure text,
  consecutive_failures integer not null default 0,
  -- Until when a source is left alone: for requests that had got their turn before it asked for that. next_request_at, which
  -- all later ones go by, says as much, but not whether it moved for a pause or for the turns of others.
  paused_until timestamptz not null default '-infinity'
);

-- Requests to each source by the hour, retries included: error rates, and what is used up of an allowance.
create table source_hours (
  source text not null,
  hour timestamptz not null,
  requests integer not null,
  -- Of them, those without a usable answer: none came, or it said no, or it could not be read.
  failures integer not null,
  primary key (source, hour)
);

-- The sources as the worker runs them: it writes them down when it starts.
create table sources (
  name text primary key,
  area text not null,
  missing text,                        -- the variable that would switch it on; null: it is on
  freshness_target_s integer not null,
  requests_per_second double precision not null,
  burst integer not null,
  quota integer,                       -- requests that its free plan gives; null: no limit that counts here
  quota_per text check (quota_per in ('day', 'month'))
);

create table quarantine (
  id bigint generated always as identity primary key,
  source text not null,
  area text not null,
  reason text not null,
  payload jsonb not null,
  fetched_at timestamptz not null,
  -- What refused a row, where that reads the same again when it is run again; null: it goes on from where it ended.
  activity text,
  input jsonb,
  -- Of its last retry. asked: it has not ended. refused, failed: it has, and the row stays; one that is accepted goes.
  retry_state text check (retry_state in ('asked', 'refused', 'failed')),
  retry_at timestamptz,
  retry_failure text
);
create index quarantine_by_source on quarantine (source, fetched_at desc);

-- Commands accepted by the API in the same transaction as their charge; the worker starts a workflow for each.
create table outbox (
  id bigint generated always as identity primary key,
  workflow text not null,
  workflow_id text not null,
  input jsonb not null,
  created_at timestamptz not null default now(),
  dispatched_at timestamptz,
  -- Told to a workflow of the command's id, also to one that runs already; null: a running one is what was asked for.
  signal text,
  -- The trace that a command belongs to, as W3C traceparent; null: tracing was off.
  traceparent text
);
create index outbox_pending on outbox (id) where dispatched_at is null;
create index outbox_by_workflow on outbox (workflow_id, created_at);

grant select, insert, update, delete on source_states, source_hours, sources, quarantine, outbox to ingest;
grant select on source_states to api;

-- Processes tell by it whether the schema is the one that they are made for.
grant select on kysely_migration to api, ingest;
