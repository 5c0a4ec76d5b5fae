-- How many syncs the reads of an account, or of the gateway, started: rows of the last hour limit them.
create table first_syncs (
  asker text not null,                 -- id of the account, or 'gateway'
  asked_at timestamptz not null default now(),
  syncs integer not null
);
create index first_syncs_by_asker on first_syncs (asker, asked_at);
