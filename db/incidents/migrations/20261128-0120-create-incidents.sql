-- What is wrong, and what was, as the rules of activities/incidents find it. Resolved ones stay for 90 days.
create table incidents (
  id bigint generated always as identity primary key,
  rule text not null,
  subject text not null,               -- what it concerns, such as a source; empty: the rule has one subject only
  severity text not null check (severity in ('page', 'ticket')),
  summary text not null,               -- as of the last look
  since timestamptz not null,          -- when a look found it first
  fired_at timestamptz,                -- null: it has not lasted for as long as its rule asks
  resolved_at timestamptz,
  acknowledged_at timestamptz,
  acknowledged_by text,
  check (resolved_at is null or fired_at is not null)
);
create unique index incidents_open on incidents (rule, subject) where resolved_at is null;
create index incidents_by_end on incidents (resolved_at) where resolved_at is not null;
grant select, insert, update, delete on incidents to ingest;

-- What each receiver was told of an incident.
create table incident_notices (
  incident_id bigint not null references incidents on delete cascade,
  receiver text not null,
  state text not null check (state in ('firing', 'resolved')),
  sent_at timestamptz,                 -- null: not yet
  tries int not null,                  -- that failed since it was sent last
  next_try_at timestamptz,
  failure text,
  primary key (incident_id, receiver, state)
);
grant select, insert, update, delete on incident_notices to ingest;

-- Until when nobody is told of a rule.
create table incident_silences (
  id bigint generated always as identity primary key,
  rule text not null,
  subject text,                        -- null: all of its subjects
  until timestamptz not null,
  reason text not null,
  created_by text not null,
  created_at timestamptz not null default now()
);
grant select, insert, update, delete on incident_silences to ingest;
