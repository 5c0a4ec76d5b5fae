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
