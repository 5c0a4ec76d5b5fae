import { sql } from 'kysely'
import type { ReadonlyDb } from '../connect.ts'

export interface MarketTotals {
  at: Date
  market_cap_usd: string
  volume_24h_usd: string
  btc_dominance: string
}

/** The newest totals of the market, and the last ones at least 24 hours older. */
export async function readMarketTotals(
  db: ReadonlyDb,
): Promise<{ newest: MarketTotals; dayBefore: MarketTotals | null } | null> {
  const select = db
    .selectFrom('market_totals')
    .select(['at', 'market_cap_usd', 'volume_24h_usd', 'btc_dominance'])
    .orderBy('at', 'desc')
    .limit(1)
  const newest = await select.executeTakeFirst()
  if (!newest) return null
  const dayBefore = await select
    .where('at', '<=', sql<Date>`${newest.at}::timestamptz - interval '24 hours'`)
    .executeTakeFirst()
  return { newest, dayBefore: dayBefore ?? null }
}
