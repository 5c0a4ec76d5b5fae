import { type RawBuilder, sql } from 'kysely'
import type { ReadonlyDb } from '../schema.ts'
import { readSql } from '../read-sql.ts'

/** Prices are in the main currency, changes in percent except changes of counts; null: unknown. */
export interface CollectionRow {
  networkId: string
  address: string
  blockchain: string
  slug: string | null
  geckoId: string | null
  name: string
  description: string
  imageUrl: string | null
  bannerUrl: string | null
  urls: { name: string; url: string }[]
  verified: boolean | null
  isShown: boolean
  source: string
  createdAt: Date | null
  creatorFeeBps: number | null
  categoryRank: number | null
  rank: number | null
  coinId: string
  assetsCount: number
  supply: string | null
  listedCount: number | null
  owners: string | null
  ownersChange1d: string | null
  ownersChange7d: string | null
  floor: string | null
  floorUsd: string | null
  floorChange1d: string | null
  floorChange7d: string | null
  marketCap: string | null
  marketCapUsd: string | null
  marketCapChange1d: string | null
  marketCapChange7d: string | null
  averagePrice: string | null
  averagePrice1d: string | null
  averagePrice7d: string | null
  averagePrice30d: string | null
  volume1d: string | null
  volume1dUsd: string | null
  volume7d: string | null
  volume7dUsd: string | null
  volume30d: string | null
  volumeTotal: string | null
  volumeChange1d: string | null
  volumeChange7d: string | null
  volumeChange30d: string | null
  sales1d: string | null
  sales7d: string | null
  sales30d: string | null
  salesTotal: string | null
  salesInProfit: string | null
  salesInProfitChange1d: string | null
  salesInProfitChange7d: string | null
  salesReadAt: Date | null
  /** when the oldest of its figures was read */
  asOf: Date
}

const change = (now: RawBuilder<unknown>, before: RawBuilder<unknown>) =>
  sql`(${now} / nullif(${before}, 0) - 1) * 100`

/** The last point at least `age` old. One older than `atMost` would give the change of a longer period. */
const pointBefore = (age: string, atMost: string) => sql`
  left join lateral (
    select * from nft_points as point
    where point.network_id = collection.network_id and point.address = collection.address
      and point.at <= latest.at - ${sql.lit(age)}::interval and point.at > latest.at - ${sql.lit(atMost)}::interval
    order by point.at desc limit 1
  )`

/** A disabled collection is delisted or NSFW. */
const isShown = sql`not collection.disabled and token.spam_reason is null`

const columns = sql`
  collection.network_id as "networkId", collection.address, network.blockchain, collection.slug,
  gecko.gecko_id as "geckoId", collection.name, collection.description, collection.image_url as "imageUrl",
  collection.banner_url as "bannerUrl", collection.urls, collection.verified,
  ${isShown} as "isShown", collection.source,
  collection.created_at as "createdAt", collection.creator_fee_bps as "creatorFeeBps",
  collection.category_rank as "categoryRank", gecko.rank, collection.coin_id as "coinId",
  collection.assets_count as "assetsCount", known.supply, collection.listed_count as "listedCount", known.owners,
  coalesce(latest.owners_count - day.owners_count,
    round(gecko.owners_count - gecko.owners_count / nullif(1 + gecko.owners_change_1d / 100, 0))) as "ownersChange1d",
  latest.owners_count - week.owners_count as "ownersChange7d",
  known.floor, known.floor * quote.price_usd as "floorUsd",
  coalesce(${change(sql`latest.floor_price`, sql`day.floor_price`)}, gecko.floor_price_change_1d) as "floorChange1d",
  coalesce(${change(sql`latest.floor_price`, sql`week.floor_price`)}, gecko.floor_price_change_7d) as "floorChange7d",
  known.cap as "marketCap", known.cap * quote.price_usd as "marketCapUsd",
  coalesce(${change(sql`latest.floor_price`, sql`day.floor_price`)}, gecko.market_cap_change_1d) as "marketCapChange1d",
  ${change(sql`latest.floor_price`, sql`week.floor_price`)} as "marketCapChange7d",
  latest.average_price as "averagePrice", coalesce(latest.average_price_1d, gecko.average_price_1d) as "averagePrice1d",
  latest.average_price_7d as "averagePrice7d", latest.average_price_30d as "averagePrice30d",
  known.volume_1d as "volume1d", known.volume_1d * quote.price_usd as "volume1dUsd",
  latest.volume_7d as "volume7d", latest.volume_7d * quote.price_usd as "volume7dUsd",
  latest.volume_30d as "volume30d", latest.volume_total as "volumeTotal",
  coalesce(latest.volume_change_1d, ${change(sql`latest.volume_1d`, sql`day.volume_1d`)}, gecko.volume_change_1d)
    as "volumeChange1d",
  coalesce(latest.volume_change_7d, ${change(sql`latest.volume_7d`, sql`week.volume_7d`)}) as "volumeChange7d",
  coalesce(latest.volume_change_30d, ${change(sql`latest.volume_30d`, sql`month.volume_30d`)}) as "volumeChange30d",
  coalesce(latest.sales_1d, gecko.sales_1d) as "sales1d", latest.sales_7d as "sales7d", latest.sales_30d as "sales30d",
  latest.sales_total as "salesTotal", latest.sales_in_profit as "salesInProfit",
  latest.sales_in_profit - day.sales_in_profit as "salesInProfitChange1d",
  latest.sales_in_profit - week.sales_in_profit as "salesInProfitChange7d",
  collection.market_at as "salesReadAt",
  least(collection.fetched_at, latest.fetched_at, gecko.fetched_at) as "asOf"`

const source = sql`
  from nft_collections as collection
  join networks as network on network.id = collection.network_id
  left join tokens as token on token.network_id = collection.network_id and token.address = collection.address
  left join coin_quotes as quote on quote.coin_id = collection.coin_id
  left join nft_gecko_records as gecko
    on gecko.network_id = collection.network_id and gecko.address = collection.address
  left join lateral (
    select * from nft_points as point
    where point.network_id = collection.network_id and point.address = collection.address
    order by point.at desc limit 1
  ) as latest on true
  ${pointBefore('1 day', '30 hours')} as day on true
  ${pointBefore('7 days', '8 days')} as week on true
  ${pointBefore('30 days', '32 days')} as month on true
  cross join lateral (
    select coalesce(latest.floor_price, gecko.floor_price) as floor,
      coalesce(latest.volume_1d, gecko.volume_1d) as volume_1d,
      coalesce(latest.owners_count, gecko.owners_count) as owners,
      coalesce(collection.total_supply, gecko.total_supply, nullif(collection.assets_count, 0)) as supply,
      coalesce(latest.floor_price * coalesce(collection.total_supply, gecko.total_supply, nullif(collection.assets_count, 0)),
        gecko.market_cap) as cap
  ) as known`

/**
 * The collection of a contract. If several networks have the address: the one with the highest market value.
 */
export async function readCollection(db: ReadonlyDb, address: string): Promise<CollectionRow | undefined> {
  const rows = await readSql(
    db,
    sql<CollectionRow>`select ${columns} ${source} where collection.address = ${address}
      order by known.cap * quote.price_usd desc nulls last, network.position limit 1`,
  )
  return rows[0]
}

/** A page of the most traded collections in order, without those that are not shown: disabled ones and spam. */
export async function readTrending(
  db: ReadonlyDb,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ rows: CollectionRow[]; itemCount: number }> {
  const shown = sql`collection.trending_rank is not null and ${isShown}`
  const [rows, counted] = await Promise.all([
    readSql(
      db,
      sql<CollectionRow>`select ${columns} ${source} where ${shown}
        order by collection.trending_rank limit ${limit} offset ${offset}`,
    ),
    readSql(
      db,
      sql<{
        count: number
      }>`select count(*)::integer as count from nft_collections as collection
        left join tokens as token on token.network_id = collection.network_id and token.address = collection.address
        where ${shown}`,
    ),
  ])
  return { rows, itemCount: counted[0]?.count ?? 0 }
}
