-- Exchanges with their trading volumes, and what their markets trade at.
create table ticker_exchanges (
  id text primary key,
  name text not null,
  icon text,
  url text,
  -- By volume_24h_usd among the exchanges that a source lists, from 1; null: no source lists it any more.
  rank integer,
  volume_24h_usd numeric not null,
  volume_7d_usd numeric,
  volume_30d_usd numeric,
  -- Percent of volume_24h_usd against 24 hours before; null: unknown.
  change_24h numeric,
  -- When the volume was true.
  at timestamptz not null,
  -- When its markets, and the history of its volume, were last read; null: never.
  tickers_at timestamptz,
  charted_at timestamptz,
  source text not null,
  fetched_at timestamptz not null
);
create index ticker_exchanges_by_rank on ticker_exchanges (rank, id);
create index ticker_exchanges_by_name on ticker_exchanges (lower(name));

create table ticker_exchange_mappings (
  source text not null,
  upstream_id text not null,
  exchange_id text not null references ticker_exchanges,
  primary key (source, upstream_id),
  unique (exchange_id, source)
);

-- Volume of the 24 hours before each full hour, one series per source: sources count different markets.
create table ticker_exchange_volumes (
  exchange_id text not null references ticker_exchanges,
  source text not null,
  at timestamptz not null,
  volume_24h_usd numeric not null,
  fetched_at timestamptz not null,
  primary key (exchange_id, source, at)
);
create index ticker_exchange_volumes_by_time on ticker_exchange_volumes (at);

-- The latest state of each market; `base` and `target` are symbols in upper case.
create table tickers (
  exchange_id text not null references ticker_exchanges,
  base text not null,
  target text not null,
  base_coin_id text,
  target_coin_id text,
  -- Units of `target` for one `base`.
  pair_price numeric not null,
  -- Traded units of `base` in 24 hours.
  pair_volume numeric not null,
  price_usd numeric not null,
  volume_usd numeric not null,
  -- Neither an outlier nor old to its source, and near the quote of the coin.
  verified boolean not null,
  -- Whether the exchange had the market when it was last read, or the time before.
  listed boolean not null default true,
  -- Last trade; first and last time that it was read.
  at timestamptz not null,
  first_seen_at timestamptz not null,
  seen_at timestamptz not null,
  source text not null,
  fetched_at timestamptz not null,
  primary key (exchange_id, base, target)
);
create index tickers_by_volume on tickers (volume_usd desc, exchange_id, base, target) where listed;
create index tickers_by_base_coin on tickers (base_coin_id) where listed;
create index tickers_by_target_coin on tickers (target_coin_id) where listed;
create index tickers_by_base on tickers (base) where listed;
create index tickers_by_target on tickers (target) where listed;

-- What a market traded at, at the instants at which it was read.
create table ticker_prices (
  exchange_id text not null,
  base text not null,
  target text not null,
  at timestamptz not null,
  pair_price numeric not null,
  source text not null,
  fetched_at timestamptz not null,
  primary key (exchange_id, base, target, at)
);

grant select, insert, update, delete on
  ticker_exchanges, ticker_exchange_mappings, ticker_exchange_volumes, tickers, ticker_prices to ingest;
grant select on
  ticker_exchanges, ticker_exchange_mappings, ticker_exchange_volumes, tickers, ticker_prices to api;
