-- Fills that a venue does not give: those after `from_at` (null: since the start of the market) and before `to_at`.
create table prediction_trade_gaps (
  market_id integer not null references prediction_markets,
  from_at timestamptz,
  to_at timestamptz not null,
  reason text not null,
  source text not null,
  fetched_at timestamptz not null,
  primary key (market_id, to_at)
);

-- Markets of which a venue refused a part. They are asked for again a day later, and stop no others.
create table prediction_failures (
  market_id integer not null references prediction_markets,
  part text not null check (part in ('trades', 'details')),
  failure text not null,
  failed_at timestamptz not null,
  primary key (market_id, part)
);

grant select, insert, update, delete on prediction_trade_gaps, prediction_failures to ingest;
grant select on prediction_trade_gaps to api;
