-- Accounts at exchanges: connections with their sealed credentials, and what the venues say of them.

create table exchange_connections (
  id uuid primary key,                 -- the portfolio id of the API
  account_id uuid not null references accounts,
  venue text not null,
  name text,
  fingerprint bytea not null check (octet_length(fingerprint) = 32),  -- of account, venue and API key
  version integer not null,            -- of the credentials offered last
  active_version integer,              -- of those that the venue accepted last; null: none yet
  refused_version integer,
  refusal text,
  created_at timestamptz not null default now(),
  synced_at timestamptz,               -- when a sync was last complete; null: never yet
  covered_to timestamptz,              -- everything the venue had until then is stored
  failed_at timestamptz,
  failure text,
  unique (account_id, venue, fingerprint)
);

-- AES-256-GCM under a data key of its own, which is wrapped for the key-encryption key `key_id`. Bound to account,
-- connection and version. The worker alone reads it and holds the private half of the key.
create table exchange_secrets (
  connection_id uuid not null references exchange_connections,
  version integer not null,
  account_id uuid not null,
  key_id text not null,
  wrapped_key bytea not null,
  ciphertext bytea not null,
  sealed_at timestamptz not null default now(),
  primary key (connection_id, version)
);

-- How far each list of a venue was read. Rows and cursor commit together.
create table exchange_cursors (
  connection_id uuid not null references exchange_connections,
  stream text not null,
  symbol text not null,                -- '' for streams over all symbols
  position jsonb not null,             -- where the next page begins
  rows bigint not null default 0,      -- rows that it gave so far
  complete_at timestamptz,             -- when its end was last reached
  primary key (connection_id, stream, symbol)
);

create table exchange_balances (
  connection_id uuid not null references exchange_connections,
  asset text not null,                 -- unified code of the venue's asset
  amount numeric not null,
  source text not null,
  fetched_at timestamptz not null,
  primary key (connection_id, asset)
);

-- What an asset of a venue is: a coin, a currency, or unknown (neither). Symbols are not unique; the operator may say.
create table exchange_assets (
  venue text not null,
  asset text not null,
  coin_id text references coins,
  currency text,
  source text not null,                -- 'symbol' or 'operator'
  fetched_at timestamptz not null,
  primary key (venue, asset)
);

-- Fills and transfers as the venue states them. Amounts are signed: positive came in. A fee that was paid is positive.
create table exchange_transactions (
  connection_id uuid not null references exchange_connections,
  -- opening: what the venue states beyond the history it gives.
  kind text not null check (kind in
    ('fill', 'dust', 'convert', 'deposit', 'withdrawal', 'reward', 'adjustment', 'fee', 'opening')),
  key text not null,                   -- natural key: the venue's id, with the symbol where ids are unique in it only
  at timestamptz not null,
  status text not null check (status in ('ok', 'pending', 'failed')),
  type text not null check (type in ('deposit', 'withdraw', 'executed', 'balance', 'fee')),
  symbol text,
  order_id text,
  asset text not null,
  amount numeric not null,
  quote_asset text,
  quote_amount numeric,
  fee_asset text,
  fee_amount numeric,
  network text,
  address text,
  tx_hash text,
  identified boolean not null default false,  -- its asset is a known coin or currency
  derived boolean not null default false,     -- its legs are up to date
  source text not null,
  fetched_at timestamptz not null,
  primary key (connection_id, kind, key)
);
create index exchange_transactions_newest on exchange_transactions (connection_id, at desc, kind desc, key desc)
  include (type, identified) where status = 'ok';
create index exchange_transactions_by_type on exchange_transactions (connection_id, type, at desc, kind desc, key desc)
  include (identified) where status = 'ok';
create index exchange_transactions_underived on exchange_transactions (connection_id) where not derived;

-- What each of them did to the balance of an asset, with the running total and the price of its instant.
create table exchange_legs (
  connection_id uuid not null references exchange_connections,
  kind text not null,
  key text not null,
  role text not null check (role in ('base', 'quote', 'fee')),
  asset text not null,
  at timestamptz not null,
  delta numeric not null,
  total numeric not null default 0,    -- sum of the deltas of the asset up to this leg
  price_usd numeric,                   -- null: unknown
  source text not null,
  fetched_at timestamptz not null,
  primary key (connection_id, kind, key, role)
);
create index exchange_legs_by_asset on exchange_legs (connection_id, asset, at, kind, key, role) include (delta, total);
create index exchange_legs_unpriced on exchange_legs (connection_id) where price_usd is null;

-- What the operator says of transactions of exchange accounts, instead of what the venue states: kept beside the row, by
-- the key of the venue, over later syncs. A row that has parts counts as these; part 0 is what the others leave of it.
create table transaction_parts (
  connection_id uuid not null,
  kind text not null,
  key text not null,
  part smallint not null check (part >= 0),
  share numeric,                       -- of each of its amounts
  role text,                           -- of what moved, not of the fee; null: what the kind says
  at timestamptz,                      -- when it counts; null: when the venue says
  portfolio_id uuid references portfolios on delete set null, -- where it counts; null: in its own account
  source text not null,
  fetched_at timestamptz not null,
  primary key (connection_id, kind, key, part),
  foreign key (connection_id, kind, key) references exchange_transactions on delete cascade,
  check (role in ('transfer', 'trade', 'wrap', 'fee', 'airdrop', 'spam')),
  check (case when part = 0 then share is null else share > 0 and share < 1 end)
);
create index transaction_parts_elsewhere on transaction_parts (portfolio_id) where portfolio_id is not null;

grant select, update on exchange_connections to ingest;
grant select, delete on exchange_secrets to ingest;
grant select, insert, update, delete on
  exchange_cursors, exchange_balances, exchange_assets, exchange_transactions, exchange_legs to ingest;
grant select on
  exchange_connections, exchange_balances, exchange_assets, exchange_transactions, exchange_legs to api;
grant select on transaction_parts to api, ingest;

select past.keep('exchange_connections', 'id', 'venue, synced_at, covered_to');
