-- Prices of a coin lie scattered: they come in day by day, each for all coins. With the price in the index a series is
-- read from a few pages of that, where it took one page of the table for each point.
alter table price_hours drop constraint price_hours_pkey;
alter table price_hours add primary key (coin_id, at) include (usd);
alter table price_days drop constraint price_days_pkey;
alter table price_days add primary key (coin_id, at) include (usd);

-- Any case: the lower case of a name is costly to make for each row. With all that markets are sorted by, a category is
-- read and sorted without its rows.
create index prediction_markets_by_category on prediction_markets (lower(category), status, venue)
  include (category, id, volume_24h_usd, volume_total_usd, liquidity_usd, open_interest_usd, end_at, created_at, price_change_24h);
create index prediction_events_by_category on prediction_events (lower(category), status, venue);
-- Small, and what the words of a search are intersected with before any row is read.
create index prediction_markets_by_status on prediction_markets (status, venue);

-- Deep pages of filtered lists pass over thousands of rows: with what is filtered by in the index of each sort, they
-- need none of the table. `end_at` and the change are in it as columns too, as their keys are expressions.
do $$
declare
  sort record;
begin
  for sort in select * from (values
    ('volume_24h', 'volume_24h_usd'), ('volume_total', 'volume_total_usd'), ('liquidity', 'liquidity_usd'),
    ('open_interest', 'open_interest_usd'), ('end', $key$coalesce(end_at, '-infinity')$key$), ('created', 'created_at'),
    ('change', $key$coalesce(price_change_24h, '-Infinity')$key$)
  ) as sorts (name, key) loop
    execute format('drop index prediction_markets_%1$s, prediction_markets_all_%1$s', sort.name);
    execute format('create index prediction_markets_%s on prediction_markets (status, %s, id)
      include (venue, volume_24h_usd, liquidity_usd, end_at, price_change_24h)', sort.name, sort.key);
    execute format('create index prediction_markets_all_%s on prediction_markets (%s, id)
      include (venue, status, volume_24h_usd, liquidity_usd, end_at, price_change_24h)', sort.name, sort.key);
  end loop;
end $$;
-- Only what vacuum has seen is read from an index alone, and markets change all day.
alter table prediction_markets set (autovacuum_vacuum_scale_factor = 0.02);
