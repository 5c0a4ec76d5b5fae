-- End-of-day value and external flow of one wallet on one network, in USD, BTC and ETH at each instant's own price.
create table pl_days (
  wallet_id bigint not null,
  network_id text not null,
  at timestamptz not null,             -- end of the day: the UTC midnight that closes it
  value_usd numeric not null,
  value_btc numeric not null,
  value_eth numeric not null,
  flow_usd numeric not null,
  flow_btc numeric not null,
  flow_eth numeric not null,
  stale boolean not null,              -- a price had to be carried forward
  primary key (wallet_id, network_id, at)
);

-- Balance of one coin at the end of each day on which it changed (sparse).
create table balance_days (
  wallet_id bigint not null,
  network_id text not null,
  coin_id text not null,
  at timestamptz not null,
  raw numeric(79, 0) not null,
  decimals smallint not null,
  primary key (wallet_id, network_id, coin_id, at)
);

-- Earliest change not yet in pl_days; taken away by the recompute that covered it.
create table pl_states (
  wallet_id bigint not null,
  network_id text not null,
  dirty_from timestamptz,              -- null: clean
  computed_to timestamptz,
  revision bigint not null default 0,
  primary key (wallet_id, network_id)
);

-- Own transfers between two networks of one wallet: no flow in a scope that holds both.
create table transfer_matches (
  wallet_id bigint not null,
  coin_id text not null,
  raw numeric(78, 0) not null,         -- arrived base units
  decimals smallint not null,
  from_network_id text not null,
  from_at timestamptz not null,
  from_tx_hash text not null,
  from_seq integer not null,
  to_network_id text not null,
  to_at timestamptz not null,
  to_tx_hash text not null,
  to_seq integer not null,
  primary key (wallet_id, from_network_id, from_tx_hash, from_seq)
);

grant select, insert, update, delete on pl_days, balance_days, pl_states, transfer_matches to ingest;
grant select on pl_days, balance_days, pl_states, transfer_matches to api;
