-- What an account keeps together: a wallet on a network, an account at an exchange, or transactions stated by hand. Each
-- has a book of its own; that of a wallet is the same for all accounts that follow it.

create table portfolios (
  id uuid primary key,                 -- of an account at an exchange: that of its connection
  -- Null: given up by its owner. Nobody sees it any more; a workflow removes what is left of it.
  account_id uuid references accounts,
  kind text not null check (kind in ('wallet', 'exchange', 'manual')),
  name text,
  address text,                        -- of a wallet, with its network
  network_id text references networks,
  cost_method text not null default 'average' check (cost_method in ('average', 'fifo', 'lifo', 'hifo')),
  created_at timestamptz not null default now(),
  check ((kind = 'wallet') = (address is not null) and (kind = 'wallet') = (network_id is not null))
);
create index portfolios_of_account on portfolios (account_id, created_at, id);
create index portfolios_of_wallet on portfolios (address, network_id);
-- Partial, so that the account is part of no key: giving up does not wait for whoever refers to the row.
create unique index portfolios_once on portfolios (account_id, address, network_id) where kind = 'wallet';

-- Transactions of manual portfolios, as their owner states them.
create table manual_transactions (
  id uuid primary key,
  portfolio_id uuid not null references portfolios on delete cascade,
  at timestamptz not null,
  coin_id text not null,               -- a coin, or FiatCoinXXX
  count numeric not null check (count <> 0),  -- negative: sold
  price numeric check (price >= 0),    -- of one, in the currency; null: that of its instant
  currency text not null,
  price_usd numeric,                   -- kept with the transaction; null: the coin had none
  note text,
  source text not null,
  fetched_at timestamptz not null,
  derived boolean not null default false  -- its price is kept with it, and its book is marked
);
create index manual_transactions_newest on manual_transactions (portfolio_id, at desc, id desc);
create index manual_transactions_underived on manual_transactions (portfolio_id) where not derived;

-- A link that shows one portfolio to whoever has it. The token itself is not stored.
create table portfolio_shares (
  id uuid primary key default uuidv7(),
  portfolio_id uuid not null references portfolios on delete cascade,
  token_hash bytea not null unique check (octet_length(token_hash) = 32),
  passcode_hash bytea check (octet_length(passcode_hash) = 32),  -- keyed with a pepper that is not in the database
  wrong_passcodes integer not null default 0,  -- in a row
  locked_until timestamptz,
  created_at timestamptz not null default now(),
  revoked_at timestamptz
);
create index portfolio_shares_of_portfolio on portfolio_shares (portfolio_id);

-- How many transactions there are of each UTC day, so that any page of several lists together is found without reading
-- what comes before it. Triggers keep it: counts and rows commit together.
create table transaction_days (
  ledger text not null,                -- wallet and network as 'ID:network', else the id of a connection or a portfolio
  coin text not null,                  -- '': all; of a connection: the venue's asset, and 'ASSET/QUOTE'; else the coin
  day date not null,
  rows bigint not null,
  primary key (ledger, coin, day)
);

-- What a portfolio held at each midnight and at which prices, as it was known when it was written. Rows are never changed:
-- `ingest` may not.
create table portfolio_snapshots (
  portfolio_id uuid not null references portfolios on delete cascade,
  at timestamptz not null,             -- a UTC midnight
  coin_ids text[] not null,
  quantities numeric[] not null,       -- of each coin; none is 0
  prices_usd numeric[] not null,       -- of one; null: it had none yet
  source text not null,
  fetched_at timestamptz not null,
  primary key (portfolio_id, at),
  check (cardinality(coin_ids) = cardinality(quantities) and cardinality(coin_ids) = cardinality(prices_usd))
);

grant select, insert, update, delete on portfolios, manual_transactions, transaction_days to ingest;
grant select, insert on portfolio_snapshots to ingest;
grant select on portfolios, manual_transactions, transaction_days, portfolio_snapshots to api;

select past.keep('portfolios', 'id', 'account_id, kind, name, address, network_id, cost_method, created_at');
select past.keep('portfolio_snapshots', 'portfolio_id, at', 'coin_ids, quantities, prices_usd');
