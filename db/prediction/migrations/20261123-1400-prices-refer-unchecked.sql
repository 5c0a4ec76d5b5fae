-- A market is never deleted, and its prices are written under its number only. Checking each of millions of points took as
-- long as storing it: 2.1 s of 175,000, and 1.0 s without.
alter table prediction_prices drop constraint prediction_prices_market_id_fkey;
