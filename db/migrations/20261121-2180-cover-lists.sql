-- Prices of a coin lie scattered: they come in day by day, each for all coins. With the price in the index a series is
-- read from a few pages of that, where it took one page of the table for each point.
alter table price_hours drop constraint price_hours_pkey;
alter table price_hours add primary key (coin_id, at) include (usd);
alter table price_days drop constraint price_days_pkey;
alter table price_days add primary key (coin_id, at) include (usd);

-- Any case: the lower case of a name is costly to make for each row.
create index prediction_markets_by_category on prediction_markets (lower(category), status, venue);
create index prediction_events_by_category on prediction_events (lower(category), status, venue);
