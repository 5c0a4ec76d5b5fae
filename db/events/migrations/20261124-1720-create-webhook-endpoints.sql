-- Where an account wants its events posted. The worker alone reads the secrets: it holds the private half of the key that
-- they are sealed for, as it does for credentials of exchanges.
create table webhook_endpoints (
  id uuid primary key,
  account_id uuid not null references accounts on delete cascade,
  url text not null,
  types text[] not null check (cardinality(types) > 0),
  options jsonb not null default '{}',
  -- new: it has not answered its first ping; backing_off: probed once a minute; paused, disabled: nothing is sent
  state text not null default 'new' check (state in ('new', 'active', 'backing_off', 'paused', 'disabled')),
  reason text,                         -- of a state other than active, in general words
  key_id text not null,
  wrapped_key bytea not null,
  ciphertext bytea not null,
  -- The secret before the last rotation: both sign until `previous_until`.
  previous_key_id text,
  previous_wrapped_key bytea,
  previous_ciphertext bytea,
  previous_until timestamptz,
  failing_since timestamptz,           -- of the first failure after the last success
  next_probe_at timestamptz,
  created_at timestamptz not null default now(),
  check (num_nonnulls(previous_key_id, previous_wrapped_key, previous_ciphertext, previous_until) in (0, 4))
);
create index webhook_endpoints_of_account on webhook_endpoints (account_id, created_at);

grant select, update on webhook_endpoints to ingest;
grant select (id, account_id, url, types, options, state, reason, previous_until, failing_since, next_probe_at, created_at)
  on webhook_endpoints to api;
