-- What an account keeps together: a wallet on a network, an account at an exchange, or transactions stated by hand. Each
-- has a book of its own; that of a wallet is the same for all accounts that follow it.

alter table accounts add column degen boolean not null default false;  -- the subscription that sharing needs

create table portfolios (
  id uuid primary key,                 -- of an account at an exchange: that of its connection
  account_id uuid not null references accounts,
  kind text not null check (kind in ('wallet', 'exchange', 'manual')),
  name text,
  address text,                        -- of a wallet, with its network
  network_id text references networks,
  cost_method text not null default 'average' check (cost_method in ('average', 'fifo', 'lifo', 'hifo')),
  created_at timestamptz not null default now(),
  check ((kind = 'wallet') = (address is not null) and (kind = 'wallet') = (network_id is not null)),
  unique (account_id, address, network_id)
);
create index portfolios_of_account on portfolios (account_id, created_at, id);

-- Accounts at exchanges whose credentials were accepted.
insert into portfolios (id, account_id, kind, name, created_at)
select id, account_id, 'exchange', name, created_at from exchange_connections where active_version is not null;

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
  fetched_at timestamptz not null
);
create index manual_transactions_newest on manual_transactions (portfolio_id, at desc, id desc);

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

grant select, insert, update, delete on portfolios, manual_transactions to ingest;
grant select on portfolios, manual_transactions to api;
