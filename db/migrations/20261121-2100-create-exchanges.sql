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
  kind text not null check (kind in ('fill', 'dust', 'convert', 'deposit', 'withdrawal', 'reward', 'adjustment', 'fee')),
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

-- The legs of a transaction: none unless it is settled.
create function exchange_legs_of(t exchange_transactions) returns table (role text, asset text, delta numeric)
language sql immutable as $$
  select leg.role, leg.asset, leg.delta
  from (values ('base', t.asset, t.amount), ('quote', t.quote_asset, t.quote_amount), ('fee', t.fee_asset, -t.fee_amount))
    leg (role, asset, delta)
  where t.status = 'ok' and leg.asset is not null and leg.delta <> 0
$$;

-- Takes credentials in, sealed, and has the worker try them: both commit together. False when another request for the
-- same connection was first: the caller seals anew, for the next version.
create function connect_exchange(
  connection_id uuid, account_id uuid, venue text, name text, fingerprint bytea, version integer,
  key_id text, wrapped_key bytea, ciphertext bytea
) returns boolean
language plpgsql security definer set search_path = public, pg_temp as $$
#variable_conflict use_variable
begin
  insert into exchange_connections as stored (id, account_id, venue, name, fingerprint, version)
    select connection_id, account_id, venue, name, fingerprint, version
    where version = 1 or exists (select from exchange_connections c where c.id = connection_id)
    on conflict on constraint exchange_connections_account_id_venue_fingerprint_key do update
      set version = excluded.version, name = coalesce(excluded.name, stored.name)
      where stored.id = excluded.id and stored.version = excluded.version - 1;
  if not found then
    return false;
  end if;
  -- Offers that nobody has tried yet are superseded.
  delete from exchange_secrets s using exchange_connections c
    where s.connection_id = connect_exchange.connection_id and c.id = s.connection_id
      and s.version is distinct from c.active_version;
  insert into exchange_secrets (connection_id, version, account_id, key_id, wrapped_key, ciphertext)
    values (connection_id, version, account_id, key_id, wrapped_key, ciphertext);
  insert into outbox (workflow, workflow_id, input)
    values ('connectExchange', 'exchange-connect:' || connection_id || ':' || version,
      jsonb_build_object('connectionId', connection_id, 'version', version));
  return true;
end $$;
revoke all on function connect_exchange from public;
grant execute on function connect_exchange to meter;

-- When a sync was last asked for: what the API may see of the outbox.
create view exchange_sync_requests as
  select workflow_id, created_at as requested_at from outbox where workflow = 'syncExchange';

grant select, update on exchange_connections to ingest;
grant select, delete on exchange_secrets to ingest;
grant select, insert, update, delete on
  exchange_cursors, exchange_balances, exchange_assets, exchange_transactions, exchange_legs to ingest;
grant select on
  exchange_connections, exchange_balances, exchange_assets, exchange_transactions, exchange_legs,
  exchange_sync_requests to api;
