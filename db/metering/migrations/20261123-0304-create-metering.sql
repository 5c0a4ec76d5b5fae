-- Accounts, keys, who signs in, credits and rates. The API reaches all of it through functions (../functions), as role
-- `meter`, the pages through others, as `account` and `console`; none of them has any right on the tables.
--
-- One period of an account is open; everything is charged to it. `granted` is the plan's credits and those of the top-ups
-- that are valid: the plan's are spent first, then the top-ups, the one that expires next first. What a period spent of the
-- top-ups is written into them when that matters: when one of them expires, and at the end of the period. What is left
-- goes on into the next one.

create table plans (
  id text primary key,
  credits_per_month bigint not null check (credits_per_month >= 0),
  requests_per_second integer not null check (requests_per_second between 1 and 100000),
  paid boolean not null
);
insert into plans (id, credits_per_month, requests_per_second, paid) values
  ('free', 20000, 2, false),
  ('starter', 1000000, 30, true),
  ('pro', 10000000, 100, true),
  ('enterprise', 100000000, 1000, true);

create table accounts (
  id uuid primary key default uuidv7(),
  name text not null,
  plan text not null references plans,
  -- Agreed for this account alone; null: as the plan says.
  credits_per_month bigint check (credits_per_month >= 0),
  requests_per_second integer check (requests_per_second between 1 and 100000),
  -- Start of period 0; period n starts n whole months later.
  anchor_at timestamptz not null default now(),
  created_at timestamptz not null default now(),
  degen boolean not null default false,  -- the subscription that sharing needs
  -- Of all portfolios of an account together.
  cost_method text not null default 'average' check (cost_method in ('average', 'fifo', 'lifo', 'hifo')),
  check (anchor_at <= created_at)
);

create table api_keys (
  hash bytea primary key check (octet_length(hash) = 32),  -- SHA-256 of the key; the key itself is not stored
  account_id uuid not null references accounts,
  prefix text not null,                -- what lists show of the key
  name text not null,
  created_at timestamptz not null default now(),
  revoked_at timestamptz,
  read_only boolean not null default false,
  -- Tags ('Coins') and endpoints ('GET /coins/{coinId}') of the route table; null: all.
  opens text[] check (cardinality(opens) > 0),
  expires_at timestamptz
);
create index api_keys_by_account on api_keys (account_id);

-- Who an account is to an OpenID provider.
create table identities (
  issuer text not null,
  subject text not null,
  account_id uuid not null references accounts,
  created_at timestamptz not null default now(),
  primary key (issuer, subject)
);
create index identities_by_account on identities (account_id);

-- Who may see the console: somebody at an OpenID provider, whether or not an account is linked with them.
create table operators (
  issuer text not null,
  subject text not null,
  created_at timestamptz not null default now(),
  primary key (issuer, subject)
);

-- Who is signed in to the pages, kept here so that every API process knows that a session has ended.

create table page_sessions (
  hash bytea primary key,              -- SHA-256 of what the cookie holds
  issuer text not null,
  subject text not null,
  expires_at timestamptz not null
);
create index page_sessions_by_subject on page_sessions (issuer, subject);
create index page_sessions_by_end on page_sessions (expires_at);

create table credit_periods (
  account_id uuid not null references accounts,
  n integer not null check (n >= 0),
  starts_at timestamptz not null,
  ends_at timestamptz not null,
  granted bigint not null,
  posted bigint not null default 0 check (posted >= 0),
  reserved bigint not null default 0 check (reserved >= 0),
  is_open boolean not null default true,
  topped_up bigint not null default 0 check (topped_up >= 0),        -- of `granted`: top-ups
  topups_spent bigint not null default 0 check (topups_spent >= 0),  -- written into them already
  -- Until then the row is right as it stands: its end, or before it the next expiry of a top-up or a reservation.
  fresh_until timestamptz not null,
  primary key (account_id, n),
  constraint never_overspent check (posted + reserved <= granted)
) with (fillfactor = 50);
create unique index credit_periods_open on credit_periods (account_id) where is_open;

create table credit_grants (
  id text primary key check (id ~ '^[\x21-\x7e]{1,255}$'),  -- the caller's: the same twice is one top-up
  account_id uuid not null references accounts,
  credits bigint not null check (credits between 1 and 1000000000000000),
  spent bigint not null default 0 check (spent between 0 and credits),
  expires_at timestamptz not null,
  created_at timestamptz not null default now()
);
create index credit_grants_by_account on credit_grants (account_id, expires_at);

-- Credits that are held for work that costs money before its answer is there. Each is posted, voided or expired once.
create table reservations (
  id uuid primary key,
  account_id uuid not null references accounts,
  n integer not null,
  credits bigint not null check (credits > 0),
  posted bigint check (posted between 0 and credits),
  state text not null default 'pending' check (state in ('pending', 'posted', 'voided', 'expired')),
  endpoint text not null,
  price_input text,
  expires_at timestamptz not null,
  created_at timestamptz not null default now(),
  check ((state = 'posted') = (posted is not null))
);
create index reservations_pending on reservations (account_id, expires_at) where state = 'pending';

-- Insert-only. The request ids are UUIDs of version 7, so the key grows at its right edge.
create table ledger_entries (
  request_id uuid not null,
  kind text not null check (kind in ('charge', 'refund', 'adjust')),
  account_id uuid not null,
  n integer not null,
  credits bigint not null,
  endpoint text not null,
  price_input text,                    -- what multiplied the price; null for a fixed one
  at timestamptz not null default now(),
  primary key (request_id, kind)
);

-- What an account spends by day and endpoint, counted with the charges: a chart reads a few rows however long the
-- ledger is, and is never behind it. An index of the ledger would cost each charge more than a batch's few counters.
create table usage_days (
  account_id uuid not null references accounts,
  day date not null,                   -- in UTC
  endpoint text not null,
  calls bigint not null,               -- that were charged
  credits bigint not null,             -- charges less refunds
  primary key (account_id, day, endpoint)
) with (fillfactor = 50);

-- GCRA: when the next request would be due at an even pace, in microseconds of Unix time.
-- Unlogged: after a crash of the server every account has its burst again.
create unlogged table rate_states (
  account_id uuid primary key,
  due_us bigint not null
) with (fillfactor = 50);

-- First answers of PATCH and POST requests that carried an Idempotency-Key; kept for two days.
create table idempotent_answers (
  account_id uuid not null references accounts,
  key text not null,
  request_id uuid not null,            -- the request that was charged
  fingerprint bytea not null,
  body text not null,
  created_at timestamptz not null default now(),
  primary key (account_id, key)
);
