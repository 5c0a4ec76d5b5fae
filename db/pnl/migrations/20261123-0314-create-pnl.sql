-- Whatever holds coins and has a ledger of its own: a wallet on a network, a connected account at an exchange, or a manual
-- portfolio. Whatever has a book goes with it; days and balances have no foreign key, as they are many, and are taken away
-- by forget_portfolio.
create table books (
  id bigint primary key generated always as identity,
  wallet_id bigint,
  network_id text,
  connection_id uuid references exchange_connections,
  portfolio_id uuid unique references portfolios,
  constraint books_check check (
    (wallet_id is null) = (network_id is null) and num_nonnulls(wallet_id, connection_id, portfolio_id) = 1),
  unique (wallet_id, network_id),
  unique (connection_id)
);

-- Earliest change not yet in pl_days; taken away by the recompute that covered it.
create table pl_states (
  book_id bigint primary key references books on delete cascade,
  dirty_from timestamptz,              -- null: clean
  repriced_from timestamptz,           -- earliest price change that the prices kept with the legs do not have yet
  computed_to timestamptz,
  revision bigint not null default 0
);

-- End-of-day value and external flow of one book, in USD, BTC and ETH at each instant's own price.
create table pl_days (
  book_id bigint not null,
  at timestamptz not null,             -- end of the day: the UTC midnight that closes it
  value_usd numeric not null,
  value_btc numeric not null,
  value_eth numeric not null,
  flow_usd numeric not null,
  flow_btc numeric not null,
  flow_eth numeric not null,
  stale boolean not null,              -- a price had to be carried forward
  primary key (book_id, at)
);

-- Balance of one coin at the end of each day on which it changed (sparse).
create table balance_days (
  book_id bigint not null,
  coin_id text not null,
  at timestamptz not null,
  raw numeric(79, 0) not null,
  decimals smallint not null,
  primary key (book_id, coin_id, at)
);

-- What is looked at together: one book, all books of a wallet, or those of all portfolios of an account. What is an own
-- transfer, and which lots a sale takes, depends on it.
create table scopes (
  id bigint primary key generated always as identity,
  book_id bigint unique references books on delete cascade,
  wallet_id bigint unique,
  account_id uuid unique references accounts,
  dirty_from timestamptz default 'epoch',  -- its books are other ones since then; null: its transfers are matched
  check (num_nonnulls(book_id, wallet_id, account_id) = 1)
);

-- Own transfers of a scope, between two of its books: no flow in it.
create table transfer_matches (
  coin_id text not null,
  raw numeric(78, 0) not null,         -- arrived base units
  decimals smallint not null,
  from_book_id bigint not null,
  from_at timestamptz not null,
  from_tx_id text not null,
  from_seq integer not null,
  from_price_usd numeric,              -- kept with the leg; null: the one in force
  to_book_id bigint not null,
  to_at timestamptz not null,
  to_tx_id text not null,
  to_seq integer not null,
  to_price_usd numeric,
  scope_id bigint not null references scopes on delete cascade,
  -- What a bridge took out of the amount on its way: it left beyond `raw`, which arrived.
  fee numeric not null check (fee >= 0),
  primary key (scope_id, from_book_id, from_tx_id, from_seq)
);

-- The coin rows of a scope by one cost method.
create table folds (
  id bigint primary key generated always as identity,
  scope_id bigint not null references scopes on delete cascade,
  method text not null check (method in ('average', 'fifo', 'lifo', 'hifo')),
  dirty_from timestamptz default 'epoch',  -- earliest change not yet in coin_folds; null: clean
  folded_at timestamptz,                   -- null: never yet
  revision bigint not null default 0,
  unique (scope_id, method)
);
create index folds_dirty on folds (scope_id) where dirty_from is not null;

-- Lots and totals of a coin, in USD, BTC and ETH, each folded at its own prices of each instant: as it
-- stood at the end of each month in which it changed (sparse). The latest row is the present; a change goes on from the
-- month before it.
create table coin_folds (
  fold_id bigint not null references folds on delete cascade,
  coin_id text not null,
  month timestamptz not null,          -- its start
  quantity numeric not null,
  acquired_quantity numeric not null,
  disposed_quantity numeric not null,
  sold_quantity numeric not null,      -- disposals that were sells or sends, without fees
  uncovered numeric not null,          -- disposed of without having been acquired
  last_side text check (last_side in ('buy', 'sell')),
  last_quantity numeric,
  cost_usd numeric not null,           -- of what is held
  cost_btc numeric not null,
  cost_eth numeric not null,
  acquired_usd numeric not null,
  acquired_btc numeric not null,
  acquired_eth numeric not null,
  disposed_usd numeric not null,       -- proceeds
  disposed_btc numeric not null,
  disposed_eth numeric not null,
  disposed_cost_usd numeric not null,
  disposed_cost_btc numeric not null,
  disposed_cost_eth numeric not null,
  sold_usd numeric not null,
  sold_btc numeric not null,
  sold_eth numeric not null,
  last_usd numeric,
  last_btc numeric,
  last_eth numeric,
  -- With other methods than average the open lots of each unit of account, in the order in which they came in.
  lots_usd jsonb,
  lots_btc jsonb,
  lots_eth jsonb,
  primary key (fold_id, coin_id, month)
);

-- What changed holdings in the last 24 hours before the fold: the window of hour24 moves with the clock.
create table coin_moves (
  fold_id bigint not null references folds on delete cascade,
  at timestamptz not null,
  seq integer not null,
  coin_id text not null,
  quantity numeric not null,           -- positive in, negative out
  is_trade boolean not null,
  amount_usd numeric not null,         -- cost or proceeds, with fees
  amount_btc numeric not null,
  amount_eth numeric not null,
  market_usd numeric not null,         -- value that moved; 0 for fees and income
  market_btc numeric not null,
  market_eth numeric not null,
  primary key (fold_id, at, seq)
);

grant select, insert, update, delete on
  books, pl_states, pl_days, balance_days, scopes, transfer_matches, folds, coin_folds, coin_moves to ingest;
grant select on books, pl_states, pl_days, balance_days, scopes, transfer_matches, folds, coin_folds, coin_moves to api;

select past.keep('books', 'id', 'wallet_id, network_id, connection_id, portfolio_id');
select past.keep('scopes', 'id', 'book_id, wallet_id, account_id');
select past.keep('folds', 'id', 'scope_id, method, folded_at');
-- Clocks of chains may be ahead.
select past.keep('coin_folds', 'fold_id, coin_id, month',
  'quantity, acquired_quantity, disposed_quantity, sold_quantity, uncovered, last_side, last_quantity, '
  'cost_usd, acquired_usd, disposed_usd, disposed_cost_usd, sold_usd, last_usd, '
  'cost_btc, acquired_btc, disposed_btc, disposed_cost_btc, sold_btc, last_btc, '
  'cost_eth, acquired_eth, disposed_eth, disposed_cost_eth, sold_eth, last_eth',
  until => $u$ month <= (select current_setting('sluice.as_of')::timestamptz + interval '1 day') $u$);
select past.keep('coin_moves', 'fold_id, at, seq',
  'coin_id, quantity, is_trade, amount_usd, amount_btc, amount_eth, market_usd, market_btc, market_eth',
  until => $u$ at <= (select current_setting('sluice.as_of')::timestamptz + interval '1 day') $u$);
