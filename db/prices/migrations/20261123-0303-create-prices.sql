create table coins (
  id text primary key,
  symbol text not null,
  name text not null,
  icon text,
  rank integer,
  slug text not null,
  is_stable boolean not null default false,
  categories text[] not null default '{}',
  website_url text,
  reddit_url text,
  twitter_url text,
  explorers text[] not null default '{}',
  color text,
  last_seen_at timestamptz not null,
  delisted_at timestamptz,
  source text not null,
  fetched_at timestamptz not null
);
create index coins_by_rank on coins (rank, id);

create table coin_mappings (
  source text not null,
  upstream_id text not null,
  coin_id text not null references coins,
  primary key (source, upstream_id)
);
create index coin_mappings_by_coin on coin_mappings (coin_id);

create table coin_contracts (
  blockchain text not null,
  address text not null,
  coin_id text not null references coins,
  decimals smallint,
  source text not null,
  fetched_at timestamptz not null,
  primary key (blockchain, address)
);
create index coin_contracts_by_coin on coin_contracts (coin_id);
create index coin_contracts_by_address on coin_contracts (lower(address));

-- The latest market data of each coin. Money in USD, changes in percent.
create table coin_quotes (
  coin_id text primary key references coins,
  price_usd numeric not null,
  volume_24h_usd numeric,
  market_cap_usd numeric,
  fully_diluted_valuation_usd numeric,
  available_supply numeric,
  total_supply numeric,
  price_change_1h numeric,
  price_change_1d numeric,
  price_change_1w numeric,
  price_change_1m numeric,
  all_time_high_usd numeric,
  all_time_high_at timestamptz,
  all_time_low_usd numeric,
  all_time_low_at timestamptz,
  -- When the price was true upstream; `stale` once newer answers had to be held back.
  at timestamptz not null,
  stale boolean not null default false,
  source text not null,
  fetched_at timestamptz not null
);

-- Scores of 0 to 100, derived from quotes and the daily closes of the last 30 days; see docs/figures.md.
create table coin_risks (
  coin_id text primary key references coins,
  liquidity_score numeric not null,
  volatility_score numeric not null,
  market_cap_score numeric not null,
  -- Higher is riskier.
  risk_score numeric not null,
  -- Mean absolute change from one daily close to the next, percent.
  avg_change numeric not null,
  source text not null,
  fetched_at timestamptz not null
);

-- What lists of coins are searched and sorted by, in one narrow table. Triggers keep it, so that no writer can forget to.
create table coin_listings (
  coin_id text primary key,
  -- False once the source has taken the coin off its list.
  listed boolean not null,
  rank integer,
  -- Lower case, in the order of bytes: that of a language takes ten times as long to sort.
  name text collate "C" not null,
  symbol text collate "C" not null,
  categories text[] not null,
  blockchains text[] not null,
  price_usd numeric not null,
  market_cap_usd numeric,
  fully_diluted_valuation_usd numeric,
  volume_24h_usd numeric,
  available_supply numeric,
  total_supply numeric,
  price_change_1h numeric,
  price_change_1d numeric,
  price_change_1w numeric,
  risk_score numeric
);
-- One index per order: unknown values come last in both directions.
create index coin_listings_by_name on coin_listings (name, coin_id) where listed;
create index coin_listings_by_symbol on coin_listings (symbol, coin_id) where listed;
do $$
declare
  col text;
begin
  foreach col in array array['rank', 'price_usd', 'market_cap_usd', 'volume_24h_usd', 'price_change_1h', 'price_change_1d', 'price_change_1w'] loop
    execute format('create index %I on coin_listings (%I, coin_id) where listed', 'coin_listings_up_by_' || col, col);
    execute format('create index %I on coin_listings (%I desc nulls last, coin_id) where listed', 'coin_listings_down_by_' || col, col);
  end loop;
end $$;

create table market_totals (
  at timestamptz primary key,
  market_cap_usd numeric not null,
  volume_24h_usd numeric not null,
  btc_dominance numeric not null,
  source text not null,
  fetched_at timestamptz not null,
  -- Over 24 hours as the source has them: percent, and percentage points of the dominance; null: it does not say.
  market_cap_change numeric,
  volume_change numeric,
  btc_dominance_change numeric
);

-- Price points: the price in force at the instant `at` (a full hour, a UTC midnight). Prices of a coin lie scattered: they
-- come in day by day, each for all coins. With the price in the index a series is read from a few pages of that, where it
-- took one page of the table for each point.
create table price_hours (
  coin_id text not null,
  at timestamptz not null,
  usd numeric not null,
  source text not null,
  fetched_at timestamptz not null,
  primary key (coin_id, at) include (usd)
) partition by range (at);

create table price_days (
  coin_id text not null,
  at timestamptz not null,
  usd numeric not null,
  source text not null,
  fetched_at timestamptz not null,
  primary key (coin_id, at) include (usd)
) partition by range (at);

-- How far the history of a coin has been filled, per resolution ('hour' or 'day').
create table price_histories (
  coin_id text not null references coins,
  resolution text not null check (resolution in ('hour', 'day')),
  from_at timestamptz not null,
  to_at timestamptz not null,
  primary key (coin_id, resolution)
);

-- Units of the currency for one USD, from the reference date on (00:00 UTC).
create table fx_rates (
  currency text not null,
  at timestamptz not null,
  per_usd numeric not null check (per_usd > 0),
  source text not null,
  fetched_at timestamptz not null,
  primary key (currency, at)
);
-- Whether a currency still has rates shows against the newest of all.
create index fx_rates_by_time on fx_rates (at);

grant select, insert, update, delete on
  coins, coin_mappings, coin_contracts, coin_quotes, coin_risks, coin_listings, market_totals, price_hours, price_days,
  price_histories, fx_rates to ingest;
grant select on
  coins, coin_mappings, coin_contracts, coin_quotes, coin_risks, coin_listings, market_totals, price_hours, price_days,
  price_histories, fx_rates to api;

select past.keep('coins', 'id', 'symbol, name, icon, rank', 'old.id in (select coin_id from past.coins_held)');
select past.keep('coin_contracts', 'blockchain, address', 'coin_id');
select past.keep('coin_quotes', 'coin_id',
  'price_usd, volume_24h_usd, price_change_1h, price_change_1d, price_change_1w, price_change_1m, at',
  'old.coin_id in (select coin_id from past.coins_held)');
select past.keep('coin_risks', 'coin_id',
  'liquidity_score, volatility_score, market_cap_score, risk_score, avg_change',
  'old.coin_id in (select coin_id from past.coins_held)');
select past.keep('price_hours', 'coin_id, at', 'usd, source', 'old.coin_id in (select coin_id from past.coins_held)');
select past.keep('price_days', 'coin_id, at', 'usd, source', 'old.coin_id in (select coin_id from past.coins_held)');
select past.keep('fx_rates', 'currency, at', 'per_usd, source');
