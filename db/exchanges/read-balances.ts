import { sql } from 'kysely'
import type { ReadonlyDb } from '../schema.ts'
import { readSql } from '../read-sql.ts'

export interface HeldAsset {
  asset: string
  coinId: string | null
  currency: string | null
  /** decimal text, in coins or units of the currency */
  amount: string
  /** decimal text; null: unknown */
  priceUsd: string | null
  /** time of the price, or of the rate of a currency */
  pricedAt: Date | null
  fetchedAt: Date
}

/** Balances of the account, most valuable first. Unidentified assets have no price. */
export async function readHeldAssets(db: ReadonlyDb, connectionId: string): Promise<HeldAsset[]> {
  return readSql(
    db,
    sql<HeldAsset>`
      select b.asset, a.coin_id as "coinId", a.currency, b.amount, price.usd as "priceUsd", price.at as "pricedAt",
        b.fetched_at as "fetchedAt"
      from exchange_balances b
      join exchange_connections c on c.id = b.connection_id
      left join exchange_assets a on a.venue = c.venue and a.asset = b.asset
      left join coin_quotes q on q.coin_id = a.coin_id
      left join lateral (
        select q.price_usd as usd, q.at where q.price_usd is not null
        union all
        select 1, null where a.currency = 'USD'
        union all
        (select 1 / per_usd, at from fx_rates
         where currency = a.currency and currency <> 'USD' and at <= now() order by at desc limit 1)
        limit 1
      ) as price on true
      where b.connection_id = ${connectionId} and b.amount <> 0
      order by b.amount * price.usd desc nulls last, b.asset`,
  )
}
