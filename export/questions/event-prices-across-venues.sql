-- Prices of the same outcome of one event at Polymarket and Kalshi, as `/prediction/events/{slug}/cross-venue` gives them.
-- event_slug: Slug of the event at Polymarket
-- event: Title of the event there
-- outcome: Name of the outcome
-- polymarket_slug: Market at Polymarket
-- kalshi_slug: Market at Kalshi
-- polymarket_price: Price of Yes at Polymarket, 0 to 1
-- kalshi_price: Price of the same claim at Kalshi, 0 to 1
-- gap: Difference of the two
with claims as (
  select market_id, arg_min(price, position + if(lower(name) in ('yes', 'over'), 0, 1000)) as price
  from prediction_outcomes
  group by market_id
), served as (
  from prediction_matches where status = 'confirmed' or (status = 'auto' and relation <> 'different' and score >= 0.8)
)
select event.slug as event_slug, event.title as event, coalesce(polymarket.label, polymarket.question) as outcome,
  polymarket.slug as polymarket_slug, kalshi.slug as kalshi_slug, claim.price as polymarket_price,
  if(served.inverted, 1 - same.price, same.price) as kalshi_price, abs(polymarket_price - kalshi_price) as gap
from served
join prediction_markets as polymarket on polymarket.id = served.polymarket_id and polymarket.venue = 'polymarket'
join prediction_markets as kalshi on kalshi.id = served.kalshi_id and kalshi.venue = 'kalshi'
join prediction_event_matches as pair on pair.polymarket_id = polymarket.event_id and pair.kalshi_id = kalshi.event_id
  and pair.score >= 0.8
join prediction_events as event on event.id = polymarket.event_id
join claims as claim on claim.market_id = polymarket.id
join claims as same on same.market_id = kalshi.id
order by gap desc, polymarket_slug, kalshi_slug
