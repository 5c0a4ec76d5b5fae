-- What the traded contracts pay at most, where a venue counts contracts; null: it does not. Kalshi's volumes were
-- stored as this. The next refresh sums them from the trades, as price x size.
alter table prediction_markets add column notional_24h_usd numeric, add column notional_total_usd numeric;
update prediction_markets set notional_24h_usd = volume_24h_usd, notional_total_usd = volume_total_usd where venue = 'kalshi';
