-- Whatever holds coins and has a ledger of its own: a wallet on a network, or a connected account at an exchange.
create table books (
  id bigint primary key generated always as identity,
  wallet_id bigint,
  network_id text,
  connection_id uuid references exchange_connections,
  check ((wallet_id is null) = (network_id is null) and (wallet_id is null) <> (connection_id is null)),
  unique (wallet_id, network_id),
  unique (connection_id)
);

insert into books (wallet_id, network_id) select wallet_id, network_id from pl_states order by 1, 2;

-- Earliest change not yet in pl_days; taken away by the recompute that covered it.
create table book_states (
  book_id bigint primary key references books,
  dirty_from timestamptz,              -- null: clean
  repriced_from timestamptz,           -- earliest price change that the prices kept with the legs do not have yet
  computed_to timestamptz,
  revision bigint not null default 0
);

-- Everything derived is derived again: what was computed once is computed from its beginning, by the next run.
insert into book_states (book_id, dirty_from, computed_to, revision)
select b.id, timestamptz 'epoch', case when s.computed_to is not null then timestamptz 'epoch' end, s.revision
from pl_states s join books b using (wallet_id, network_id);

drop table pl_days, balance_days, pl_states, transfer_matches;
alter table book_states rename to pl_states;
alter table pl_states rename constraint book_states_pkey to pl_states_pkey;
alter table pl_states rename constraint book_states_book_id_fkey to pl_states_book_id_fkey;

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

-- Own transfers between two books: no flow in a scope that holds both.
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
  primary key (from_book_id, from_tx_id, from_seq)
);

grant select, insert, update, delete on books, pl_days, balance_days, pl_states, transfer_matches to ingest;
grant select on books, pl_days, balance_days, pl_states, transfer_matches to api;
