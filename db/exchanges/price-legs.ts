import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../connect.ts'
import { priceInForce } from '../prices/price-in-force.ts'

/**
 * The price in force at the instant of a leg. The point of its own hour is that, where it is there; to look for an earlier
 * one asks every partition.
 */
export const LEG_PRICE = `coalesce(
  (select usd from price_days where coin_id = a.coin_id and at = date_trunc('hour', leg.at)),
  (select usd from price_hours where coin_id = a.coin_id and at = date_trunc('hour', leg.at)),
  (select usd from (${priceInForce({ coinId: 'a.coin_id', at: 'leg.at', columns: 'usd, at' })}) as price),
  case when a.currency = 'USD' then 1 else (
    select 1 / per_usd from fx_rates where currency = a.currency and at <= leg.at order by at desc limit 1
  ) end)`

/** Assets that were identified, or prices that came, after their legs. */
export async function priceLegs(db: Db, connectionId: string): Promise<void> {
  await updatePrices(db, { connectionId, which: sql`leg.price_usd is null` })
}

/** Gives legs from an instant on the price that is in force at theirs now. Writes only where it differs. */
export async function repriceLegs(db: Db, input: { connectionId: string; from: Date }): Promise<void> {
  await updatePrices(db, { connectionId: input.connectionId, which: sql`leg.at >= ${input.from}` })
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
