import type { ActivityDeps } from '../deps.ts'
import { type PriceSources, required } from './price-sources.ts'
import { COINGECKO } from './sources/coingecko.ts'

/** Stores the totals of the whole market, one row per instant of the source. Returns rows added. */
export async function refreshTotals({ db, now }: ActivityDeps, sources: PriceSources): Promise<number> {
  const totals = await required(sources, 'coingecko').marketTotals()
  const result = await db
    .insertInto('market_totals')
    .values({
      at: totals.at,
      market_cap_usd: totals.marketCapUsd,
      volume_24h_usd: totals.volume24hUsd,
      btc_dominance: totals.btcDominance,
      source: COINGECKO,
      fetched_at: now(),
    })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  return Number(result.numInsertedOrUpdatedRows ?? 0)
}
