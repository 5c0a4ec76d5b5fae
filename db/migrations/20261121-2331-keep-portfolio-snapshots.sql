-- What a portfolio held at each midnight and at which prices, as it was known when it was written. Rows are never changed:
-- `ingest` may not.
create table portfolio_snapshots (
  portfolio_id uuid not null references portfolios on delete cascade,
  at timestamptz not null,             -- a UTC midnight
  coin_ids text[] not null,
  quantities numeric[] not null,       -- of each coin; none is 0
  prices_usd numeric[] not null,       -- of one; null: it had none yet
  source text not null,
  fetched_at timestamptz not null,
  primary key (portfolio_id, at),
  check (cardinality(coin_ids) = cardinality(quantities) and cardinality(coin_ids) = cardinality(prices_usd))
);
grant select, insert on portfolio_snapshots to ingest;
grant select on portfolio_snapshots to api;
