import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../schema.ts'
import { priceInForce } from '../prices/read-prices.ts'

/**
 * The price in force at the instant of a leg. Tries the point of its own hour first, since the search for an
 * earlier one reads every partition.
 */
export const LEG_PRICE = `coalesce(
  (select usd from price_days where coin_id = a.coin_id and at = date_trunc('hour', leg.at)),
  (select usd from price_hours where coin_id = a.coin_id and at = date_trunc('hour', leg.at)),
  (select usd from (${priceInForce({ coinId: 'a.coin_id', at: 'leg.at', columns: 'usd, at' })}) as price),
  case when a.currency = 'USD' then 1 else (
    select 1 / per_usd from fx_rates where currency = a.currency and at <= leg.at order by at desc limit 1
  ) end)`

/** Prices legs without a price, whose asset was identified or whose price arrived later. */
export async function priceLegs(db: Db, connectionId: string): Promise<void> {
  await updatePrices(db, { connectionId, which: sql`leg.price_usd is null` })
}

/** Updates the prices of legs of a time. Writes only prices that differ. */
export async function repriceLegs(
  db: Db,
  { connectionId, from, to }: { connectionId: string; from: Date; to: string },
): Promise<void> {
  await updatePrices(db, { connectionId, which: sql`leg.at >= ${from} and leg.at <= ${to}` })
}

async function updatePrices(
  db: Db,
  { connectionId, which }: { connectionId: string; which: RawBuilder<unknown> },
): Promise<void> {
  await sql`
    with priced as (
      select leg.kind, leg.key, leg.role, ${sql.raw(LEG_PRICE)} as usd
      from exchange_legs leg
      join exchange_connections c on c.id = leg.connection_id
      join exchange_assets a on a.venue = c.venue and a.asset = leg.asset
        and coalesce(a.coin_id, a.currency) is not null
      where leg.connection_id = ${connectionId} and ${which}
    )
    update exchange_legs l set price_usd = priced.usd from priced
    where l.connection_id = ${connectionId} and l.kind = priced.kind and l.key = priced.key and l.role = priced.role
      and l.price_usd is distinct from priced.usd`.execute(db)
}
