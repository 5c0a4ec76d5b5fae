-- The news of each coin and UTC day, as `/news` and `/news/type/{type}` list them, beside the change of its price that
-- day, as `/coins/{coinId}/charts` gives it.
-- coin_id: Coin id, as in the API
-- day: UTC day of publication
-- articles: Number of articles about the coin
-- bullish: How many of them are bullish
-- bearish: How many of them are bearish
-- tone: Mean tone, from -1 (bearish) to 1 (bullish)
-- price_change: Change from the midnight at which the day begins to the next, as a fraction; null: one is unknown
with news as (
  select unnest(coin_ids) as coin_id, (published_at at time zone 'UTC')::date as day, sentiment, sentiment_score
  from news_items
), prices as (
  select coin_id, (occurred_at at time zone 'UTC')::date as day, usd::double as usd from price_days
)
select news.coin_id, news.day, count(*) as articles, count(*) filter (where sentiment = 'bullish') as bullish,
  count(*) filter (where sentiment = 'bearish') as bearish, avg(sentiment_score::double) as tone,
  closing.usd / opening.usd - 1 as price_change
from news
left join prices as opening on opening.coin_id = news.coin_id and opening.day = news.day
left join prices as closing on closing.coin_id = news.coin_id and closing.day = news.day + 1
group by news.coin_id, news.day, opening.usd, closing.usd
order by news.coin_id, news.day
