-- Correlation of the daily changes of bitcoin and of the first outcome of each prediction market, from the midnights of
-- `/coins/bitcoin/charts` and of `/prediction/markets/{slug}/history?interval=1d`.
-- market_id: prediction_markets.id
-- slug: As in the API
-- venue: polymarket or kalshi
-- question: The question
-- days: Number of compared days
-- correlation: From -1 to 1; null: one of the two never changed, or there are fewer than two days
with midnights as (
  select market_id, occurred_at, bitcoin.usd::double as usd, price::double as price
  from prediction_prices
  join price_days as bitcoin using (occurred_at)
  where bitcoin.coin_id = 'bitcoin' and outcome = 0 and minutes = 1440
), changes as (
  select market_id, usd / lag(usd) over days - 1 as bitcoin_change, price - lag(price) over days as market_change
  from midnights
  window days as (partition by market_id order by occurred_at)
)
select market_id, slug, venue, question, count(*) as days, nullif(corr(bitcoin_change, market_change), 'NaN') as correlation
from changes
join prediction_markets as market on market.id = market_id
where bitcoin_change is not null
group by all
order by abs(correlation) desc nulls last, market_id
