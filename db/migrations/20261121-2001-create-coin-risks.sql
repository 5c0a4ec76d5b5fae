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
grant select, insert, update, delete on coin_risks to ingest;
grant select on coin_risks to api;

-- Changes over 24 hours as the source has them: percent, and percentage points of the dominance; null: it does not say.
alter table market_totals
  add column market_cap_change numeric,
  add column volume_change numeric,
  add column btc_dominance_change numeric;

-- Whether a currency still has rates shows against the newest of all.
create index fx_rates_by_time on fx_rates (at);
