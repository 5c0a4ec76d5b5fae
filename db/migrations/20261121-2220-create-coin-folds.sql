-- What coin rows are folded over: one book, or all books of a wallet together.
create table fold_scopes (
  id bigint primary key generated always as identity,
  book_id bigint unique references books,
  wallet_id bigint unique,
  dirty_from timestamptz,              -- earliest change not yet in coin_folds; null: clean
  folded_at timestamptz,               -- null: never yet
  revision bigint not null default 0,
  check (num_nonnulls(book_id, wallet_id) = 1)
);

-- Lots and totals of a coin at average cost, in USD, BTC and ETH, each folded at its own prices of each instant: as it
-- stood at the end of each month in which it changed (sparse). The latest row is the present; a change goes on from the
-- month before it.
create table coin_folds (
  scope_id bigint not null,
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
  primary key (scope_id, coin_id, month)
);

-- What changed holdings in the last 24 hours before the fold: the window of hour24 moves with the clock.
create table coin_moves (
  scope_id bigint not null,
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
  primary key (scope_id, at, seq)
);

insert into fold_scopes (book_id, dirty_from)
select book_id, timestamptz 'epoch' from pl_states where computed_to is not null order by book_id;
insert into fold_scopes (wallet_id, dirty_from)
select wallet_id, timestamptz 'epoch' from pl_states join books on books.id = book_id
where computed_to is not null and wallet_id is not null group by wallet_id having count(*) > 1;

grant select, insert, update, delete on fold_scopes, coin_folds, coin_moves to ingest;
grant select on fold_scopes, coin_folds, coin_moves to api;
