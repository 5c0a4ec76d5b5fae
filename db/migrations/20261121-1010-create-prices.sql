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

create table market_totals (
  at timestamptz primary key,
  market_cap_usd numeric not null,
  volume_24h_usd numeric not null,
  btc_dominance numeric not null,
  source text not null,
  fetched_at timestamptz not null
);

-- Price points: the price in force at the instant `at` (a full hour, a UTC midnight).
create table price_hours (
  coin_id text not null,
  at timestamptz not null,
  usd numeric not null,
  source text not null,
  fetched_at timestamptz not null,
  primary key (coin_id, at)
) partition by range (at);

create table price_days (
  coin_id text not null,
  at timestamptz not null,
  usd numeric not null,
  source text not null,
  fetched_at timestamptz not null,
  primary key (coin_id, at)
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

-- Creates the partitions that hold [from_at, to_at]: months of price_hours, years of price_days.
create function ensure_price_partitions(from_at timestamptz, to_at timestamptz) returns void
language plpgsql security definer set search_path = public, pg_temp set timezone = 'UTC' as $$
declare
  start_at timestamptz;
  part text;
begin
  perform pg_advisory_xact_lock(hashtext('ensure_price_partitions'));
  start_at := date_trunc('month', from_at);
  while start_at <= to_at loop
    part := 'price_hours_' || to_char(start_at, 'YYYYMM');
    if to_regclass(part) is null then
      execute format('create table %I partition of price_hours for values from (%L) to (%L)', part, start_at, start_at + interval '1 month');
    end if;
    start_at := start_at + interval '1 month';
  end loop;
  start_at := date_trunc('year', from_at);
  while start_at <= to_at loop
    part := 'price_days_' || to_char(start_at, 'YYYY');
    if to_regclass(part) is null then
      execute format('create table %I partition of price_days for values from (%L) to (%L)', part, start_at, start_at + interval '1 year');
    end if;
    start_at := start_at + interval '1 year';
  end loop;
end $$;
revoke all on function ensure_price_partitions from public;
grant execute on function ensure_price_partitions to ingest;

grant select, insert, update, delete on
  coins, coin_mappings, coin_contracts, coin_quotes, market_totals, price_hours, price_days, price_histories, fx_rates to ingest;
grant select on
  coins, coin_mappings, coin_contracts, coin_quotes, market_totals, price_hours, price_days, price_histories, fx_rates to api;
