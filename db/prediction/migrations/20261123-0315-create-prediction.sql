-- Prediction markets of several venues. Prices are probabilities, 0 to 1; money is USD; slugs are unique across venues.
create table prediction_events (
  id integer generated always as identity primary key,
  slug text not null unique,
  venue text not null check (venue in ('polymarket', 'kalshi')),
  venue_event_id text not null,
  title text not null,
  url text not null,
  description text,
  image_url text,
  category text,
  -- Slugs of prediction_tags.
  tags text[] not null default '{}',
  status text not null check (status in ('open', 'closed', 'resolved', 'cancelled')),
  -- Whether at most one of its markets resolves to its first outcome.
  mutually_exclusive boolean not null,
  -- What settles it, in the venue's words or as a URL.
  resolution_source text,
  -- Of its markets.
  markets_count integer not null default 0,
  top_market_id integer,
  volume_24h_usd numeric not null default 0,
  volume_total_usd numeric not null default 0,
  liquidity_usd numeric not null default 0,
  open_interest_usd numeric not null default 0,
  start_at timestamptz,
  end_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  search tsvector not null generated always as (
    setweight(to_tsvector('english', title), 'A') || setweight(to_tsvector('english', coalesce(category, '')), 'C')
  ) stored,
  source text not null,
  fetched_at timestamptz not null,
  unique (venue, venue_event_id)
) with (toast_tuple_target = 256);
alter table prediction_events alter column description set storage external;
create index prediction_events_by_search on prediction_events using gin (search);
create index prediction_events_by_tag on prediction_events using gin (tags);

create table prediction_markets (
  id integer generated always as identity primary key,
  slug text not null unique,
  venue text not null check (venue in ('polymarket', 'kalshi')),
  -- Gamma's id, or Kalshi's ticker.
  venue_market_id text not null,
  -- Polymarket's id on chain, by which its other services know the market.
  condition_id text,
  event_id integer references prediction_events,
  question text not null,
  -- Name of the market among those of its event: "October 31", "Above 100,000".
  label text,
  url text not null,
  description text,
  image_url text,
  category text,
  tags text[] not null default '{}',
  status text not null check (status in ('open', 'closed', 'resolved', 'cancelled')),
  resolution_source text,
  -- How the venue says what is compared: greater, less, between, .. and with what.
  strike_type text,
  floor_strike numeric,
  cap_strike numeric,
  tick_size numeric,
  -- All of the first outcome.
  last_trade_price numeric,
  best_bid numeric,
  best_ask numeric,
  price_change_1h numeric,
  price_change_24h numeric,
  price_change_7d numeric,
  volume_24h_usd numeric not null default 0,
  volume_7d_usd numeric not null default 0,
  volume_total_usd numeric not null default 0,
  liquidity_usd numeric not null default 0,
  open_interest_usd numeric not null default 0,
  -- Traders that we hold fills of; null: the venue shows none.
  traders_count integer,
  start_at timestamptz,
  end_at timestamptz,
  resolved_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  search tsvector not null generated always as (
    setweight(to_tsvector('english', question), 'A') || setweight(to_tsvector('english', coalesce(label, '')), 'B')
    || setweight(to_tsvector('english', coalesce(category, '')), 'C')
  ) stored,
  source text not null,
  fetched_at timestamptz not null,
  unique (venue, venue_market_id)
) with (toast_tuple_target = 256);
alter table prediction_markets alter column description set storage external;
create index prediction_markets_by_event on prediction_markets (event_id);
create index prediction_markets_by_condition on prediction_markets (condition_id);
create index prediction_markets_by_search on prediction_markets using gin (search);
create index prediction_markets_by_tag on prediction_markets using gin (tags);

-- Each sort of the lists, of one status and of all; an unknown value counts as the lowest. Deep pages of filtered lists
-- pass over thousands of rows: with what is filtered by in the index of each sort, they need none of the table. `end_at`
-- and the change are in it as columns too, as their keys are expressions.
do $$
declare
  sort record;
begin
  for sort in select * from (values
    ('volume_24h', 'volume_24h_usd'), ('volume_total', 'volume_total_usd'), ('liquidity', 'liquidity_usd'),
    ('open_interest', 'open_interest_usd'), ('end', $key$coalesce(end_at, '-infinity')$key$), ('created', 'created_at'),
    ('change', $key$coalesce(price_change_24h, '-Infinity')$key$)
  ) as sorts (name, key) loop
    execute format('create index prediction_markets_%s on prediction_markets (status, %s, id)
      include (venue, volume_24h_usd, liquidity_usd, end_at, price_change_24h)', sort.name, sort.key);
    execute format('create index prediction_markets_all_%s on prediction_markets (%s, id)
      include (venue, status, volume_24h_usd, liquidity_usd, end_at, price_change_24h)', sort.name, sort.key);
  end loop;
end $$;
create index prediction_events_volume_24h on prediction_events (status, volume_24h_usd, id);
create index prediction_events_volume_total on prediction_events (status, volume_total_usd, id);
create index prediction_events_liquidity on prediction_events (status, liquidity_usd, id);
create index prediction_events_end on prediction_events (status, coalesce(end_at, '-infinity'), id);
create index prediction_events_created on prediction_events (status, created_at, id);

-- Any case: the lower case of a name is costly to make for each row. With all that markets are sorted by, a category is
-- read and sorted without its rows.
create index prediction_markets_by_category on prediction_markets (lower(category), status, venue)
  include (category, id, volume_24h_usd, volume_total_usd, liquidity_usd, open_interest_usd, end_at, created_at, price_change_24h);
create index prediction_events_by_category on prediction_events (lower(category), status, venue);
-- Small, and what the words of a search are intersected with before any row is read.
create index prediction_markets_by_status on prediction_markets (status, venue);

-- Only what vacuum has seen is read from an index alone, and markets change all day.
alter table prediction_markets set (autovacuum_vacuum_scale_factor = 0.02);

-- The outcomes of a market in the venue's order: `Yes` need not be the first.
create table prediction_outcomes (
  market_id integer not null references prediction_markets,
  position smallint not null,
  -- Token id at Polymarket; `yes` or `no` at Kalshi.
  venue_outcome_id text not null,
  name text not null,
  price numeric not null,
  price_change_24h numeric,
  -- What a share paid at resolution; null: not resolved.
  payout numeric,
  source text not null,
  fetched_at timestamptz not null,
  primary key (market_id, position)
);
create index prediction_outcomes_by_venue_id on prediction_outcomes (venue_outcome_id);

create table prediction_tags (
  slug text primary key,
  label text not null,
  markets_count integer not null default 0,
  events_count integer not null default 0,
  volume_24h_usd numeric not null default 0,
  source text not null,
  fetched_at timestamptz not null
);

-- How many markets each combination of the cheap filters has: lists need not count them.
create table prediction_counts (
  kind text not null check (kind in ('market', 'event')),
  venue text not null,
  status text not null,
  category text not null,
  items integer not null,
  open_interest_usd numeric not null,
  primary key (kind, venue, status, category)
);

-- What each venue comes to.
create table prediction_venues (
  venue text primary key,
  volume_24h_usd numeric not null,
  volume_7d_usd numeric not null,
  volume_total_usd numeric not null,
  open_interest_usd numeric not null,
  liquidity_usd numeric not null,
  open_markets integer not null,
  open_events integer not null,
  active_traders_24h integer not null,
  trades_24h integer not null,
  source text not null,
  fetched_at timestamptz not null
);

create table prediction_traders (
  id integer generated always as identity primary key,
  -- Lower case.
  address text not null unique,
  name text,
  avatar_url text,
  -- Whether fills or resolutions came that its positions do not know yet.
  dirty boolean not null default true,
  source text not null,
  fetched_at timestamptz not null
);
create index prediction_traders_dirty on prediction_traders (id) where dirty;
create index prediction_traders_by_name on prediction_traders (lower(name) text_pattern_ops);
create index prediction_traders_by_address on prediction_traders (address text_pattern_ops);

-- Fills. Where a venue shows both sides of a trade each is a row; Kalshi shows the taker's and no names.
create table prediction_trades (
  market_id integer not null references prediction_markets,
  at timestamptz not null,
  -- Digest of what identifies the fill at its venue.
  id uuid not null,
  outcome smallint not null,
  side text not null check (side in ('buy', 'sell')),
  price numeric not null,
  -- Shares.
  size numeric not null,
  value_usd numeric not null,
  trader_id integer references prediction_traders,
  tx_hash text,
  source text not null,
  fetched_at timestamptz not null,
  primary key (market_id, at, id)
);
create index prediction_trades_by_time on prediction_trades using brin (at);
create index prediction_trades_by_trader on prediction_trades (trader_id, at, id) where trader_id is not null;

-- Sums of the fills of each UTC day. `volume_usd` counts a trade once, whoever was shown.
create table prediction_trade_days (
  market_id integer not null references prediction_markets,
  day timestamptz not null,
  outcome smallint not null,
  side text not null,
  trades integer not null,
  volume_usd numeric not null,
  source text not null,
  fetched_at timestamptz not null,
  primary key (market_id, day, outcome, side)
);

-- How far the fills of a market are loaded. A walk goes from the newest back; its rows and place commit together.
create table prediction_trade_states (
  market_id integer primary key references prediction_markets,
  -- Everything up to here is there; null: nothing yet.
  loaded_to timestamptz,
  -- Where an unfinished walk goes on, and what it will have loaded up to.
  walk_cursor text,
  walk_to timestamptz,
  -- The market's volume when its fills, and its book and holders, were last read: equal to now's means nothing new.
  volume_usd numeric,
  detail_volume_usd numeric,
  detail_at timestamptz,
  prices_at timestamptz
);

-- What an outcome stood at; `minutes` is the resolution: 5, 60 or 1440. Of two outcomes only the first is here: the
-- other is what is left of 1.
create table prediction_prices (
  market_id integer not null references prediction_markets,
  outcome smallint not null,
  minutes smallint not null check (minutes in (5, 60, 1440)),
  at timestamptz not null,
  price numeric not null,
  source text not null,
  fetched_at timestamptz not null,
  primary key (market_id, outcome, minutes, at)
);

-- The latest book of an outcome: [[price, size], ..] as text, the best first.
create table prediction_books (
  market_id integer not null references prediction_markets,
  outcome smallint not null,
  bids jsonb not null,
  asks jsonb not null,
  tick_size numeric,
  at timestamptz not null,
  source text not null,
  fetched_at timestamptz not null,
  primary key (market_id, outcome)
);

create table prediction_holders (
  market_id integer not null references prediction_markets,
  outcome smallint not null,
  rank integer not null,
  trader_id integer not null references prediction_traders,
  shares numeric not null,
  source text not null,
  fetched_at timestamptz not null,
  primary key (market_id, outcome, rank)
);

-- What each trader made of an outcome, from the fills that we hold, at average cost.
create table prediction_positions (
  trader_id integer not null references prediction_traders,
  market_id integer not null references prediction_markets,
  outcome smallint not null,
  shares numeric not null,
  -- Of the shares held; of all that were ever bought.
  cost_usd numeric not null,
  bought_shares numeric not null,
  bought_usd numeric not null,
  realized_usd numeric not null,
  status text not null check (status in ('open', 'won', 'lost', 'sold')),
  opened_at timestamptz not null,
  closed_at timestamptz,
  source text not null,
  fetched_at timestamptz not null,
  primary key (trader_id, market_id, outcome)
);
create index prediction_positions_by_market on prediction_positions (market_id, outcome, trader_id);

-- What each UTC day brought a trader in a category: cash got less cash paid, and what the open shares were worth at its end.
create table prediction_trader_days (
  trader_id integer not null references prediction_traders,
  category text not null,
  day timestamptz not null,
  cash_usd numeric not null,
  -- Of that, what was paid, as a positive number.
  paid_usd numeric not null,
  open_value_usd numeric not null,
  volume_usd numeric not null,
  trades integer not null,
  source text not null,
  fetched_at timestamptz not null,
  primary key (trader_id, category, day)
);
create index prediction_trader_days_by_day on prediction_trader_days (day);

-- Leaderboards, made anew as a whole; `category` is empty for all of them together.
create table prediction_leaders (
  period text not null check (period in ('24h', '1w', '1m', 'all')),
  category text not null,
  trader_id integer not null references prediction_traders,
  pnl_usd numeric not null,
  volume_usd numeric not null,
  -- P&L by money paid in the period, percent.
  roi numeric not null,
  win_rate numeric not null,
  trades integer not null,
  markets_traded integer not null,
  rank_pnl integer not null,
  rank_volume integer not null,
  rank_roi integer not null,
  rank_win_rate integer not null,
  rank_trades integer not null,
  source text not null,
  fetched_at timestamptz not null,
  primary key (period, category, trader_id)
);
create index prediction_leaders_pnl on prediction_leaders (period, category, rank_pnl);
create index prediction_leaders_volume on prediction_leaders (period, category, rank_volume);
create index prediction_leaders_roi on prediction_leaders (period, category, rank_roi);
create index prediction_leaders_win_rate on prediction_leaders (period, category, rank_win_rate);
create index prediction_leaders_trades on prediction_leaders (period, category, rank_trades);

-- Sums over a venue, by category (empty: all) and UTC period.
create table prediction_venue_periods (
  venue text not null,
  category text not null,
  interval text not null check (interval in ('daily', 'weekly', 'monthly')),
  start_at timestamptz not null,
  volume_usd numeric not null,
  trades integer not null,
  active_traders integer not null,
  source text not null,
  fetched_at timestamptz not null,
  primary key (venue, category, interval, start_at)
);

-- Paging places and runs by source: what a killed walk goes on from.
create table prediction_cursors (
  name text primary key,
  cursor text,
  at timestamptz not null
);

grant select, insert, update, delete on
  prediction_events, prediction_markets, prediction_outcomes, prediction_tags, prediction_counts, prediction_venues, prediction_traders,
  prediction_trades, prediction_trade_days, prediction_trade_states, prediction_prices, prediction_books,
  prediction_holders, prediction_positions, prediction_trader_days, prediction_leaders, prediction_venue_periods,
  prediction_cursors to ingest;
grant select on
  prediction_events, prediction_markets, prediction_outcomes, prediction_tags, prediction_counts, prediction_venues, prediction_traders,
  prediction_trades, prediction_trade_days, prediction_trade_states, prediction_prices, prediction_books,
  prediction_holders, prediction_positions, prediction_trader_days, prediction_leaders, prediction_venue_periods to api;

-- What was read of a market when it was last compared with those of the other venue.
create table prediction_match_states (
  market_id integer primary key references prediction_markets,
  -- Of the words that were read, and who read them: another one means that it has to be compared anew.
  digest text not null,
  method text not null,
  -- Venue and telling words; markets of two venues that share one but for the venue are compared.
  keys text[] not null,
  source text not null,
  fetched_at timestamptz not null
);
-- A pending list would be read whole by each look-up of the pass that fills it.
create index prediction_match_states_by_key on prediction_match_states using gin (keys) with (fastupdate = off);

-- Pairs of markets of both venues that were compared, and what came of it.
create table prediction_matches (
  polymarket_id integer not null references prediction_markets,
  kalshi_id integer not null references prediction_markets,
  relation text not null check (relation in ('same', 'unclear', 'different')),
  -- Whether Yes of the one is No of the other.
  inverted boolean not null,
  score numeric not null check (score between 0 and 1),
  -- Clauses that differ: [{clause, reason}, ..].
  vetoes jsonb not null,
  method text not null,
  -- `confirmed` and `rejected` are the operator's, which no computation changes.
  status text not null check (status in ('auto', 'confirmed', 'rejected')),
  decided_at timestamptz check ((decided_at is null) = (status = 'auto')),
  source text not null,
  fetched_at timestamptz not null,
  primary key (polymarket_id, kalshi_id)
);
create index prediction_matches_by_kalshi on prediction_matches (kalshi_id);

-- Events of both venues that have markets in common.
create table prediction_event_matches (
  polymarket_id integer not null references prediction_events,
  kalshi_id integer not null references prediction_events,
  score numeric not null check (score between 0 and 1),
  -- Markets that they have in common.
  markets integer not null,
  method text not null,
  source text not null,
  fetched_at timestamptz not null,
  primary key (polymarket_id, kalshi_id)
);
create index prediction_event_matches_by_kalshi on prediction_event_matches (kalshi_id);

grant select, insert, update, delete on prediction_match_states, prediction_matches, prediction_event_matches to ingest;
grant select on prediction_matches, prediction_event_matches to api;
