-- The floor price of each NFT collection at its last point of each UTC day, and how it moved. Those of the last day are
-- `floorPriceMc`, `floorPriceChange24h` and `floorPriceChange7d` of `/nft/collection/{address}`.
-- network_id: The API's connectionId
-- address: Contract address
-- name: Name of the collection
-- day: UTC day
-- coin_id: Coin in which floor_price is
-- floor_price: Cheapest offer, in that coin
-- change_1d: Change over 24 hours, in percent; null: no point is that old, or the last before is 30 hours old
-- change_7d: Change over seven days, in percent; null: no point is that old, or the last before is eight days old
with days as (
  select network_id, address, (occurred_at at time zone 'UTC')::date as day, max(occurred_at) as occurred_at,
    arg_max(floor_price, occurred_at) as floor_price
  from nft_points
  group by all
)
select days.network_id, days.address, collection.name, days.day, collection.coin_id, days.floor_price,
  if(days.occurred_at < day_ago.occurred_at + interval 30 hours,
    (days.floor_price::double / nullif(day_ago.floor_price::double, 0) - 1) * 100, null) as change_1d,
  if(days.occurred_at < week_ago.occurred_at + interval 8 days,
    (days.floor_price::double / nullif(week_ago.floor_price::double, 0) - 1) * 100, null) as change_7d
from days
join nft_collections as collection using (network_id, address)
asof left join nft_points as day_ago on day_ago.network_id = days.network_id and day_ago.address = days.address
  and days.occurred_at - interval 1 day >= day_ago.occurred_at
asof left join nft_points as week_ago on week_ago.network_id = days.network_id and week_ago.address = days.address
  and days.occurred_at - interval 7 days >= week_ago.occurred_at
order by collection.name, days.address, days.day
