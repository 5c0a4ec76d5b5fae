import { add, decimal, divide, formatDecimal, isZero, multiply, subtract } from '../../db/values/decimal.ts'
import { COINGECKO } from '../coingecko.ts'
import type { ActivityDeps } from '../deps.ts'
import type { MarketTotals } from './market-data.ts'
import { type PriceSources, required } from './price-sources.ts'

/** Stores the totals of the whole market, one row per instant of the source. Returns rows added. */
export async function refreshTotals({ db, now }: ActivityDeps, sources: PriceSources): Promise<number> {
  const totals = await required(sources, 'coingecko').marketTotals()
  const bitcoin = await db
    .selectFrom('coin_quotes')
    .select('price_change_1d')
    .where('coin_id', '=', 'bitcoin')
    .executeTakeFirst()
  const result = await db
    .insertInto('market_totals')
    .values({
      at: totals.at,
      market_cap_usd: totals.marketCapUsd,
      volume_24h_usd: totals.volume24hUsd,
      btc_dominance: totals.btcDominance,
      market_cap_change: totals.marketCapChange,
      volume_change: totals.volumeChange,
      btc_dominance_change: dominanceChange(totals, bitcoin?.price_change_1d ?? null),
      source: COINGECKO,
      fetched_at: now(),
    })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  return Number(result.numInsertedOrUpdatedRows ?? 0)
}

/**
 * Percentage points by which the dominance changed over 24 hours. Bitcoin's capitalisation moves with its price: its
 * supply grows by thousandths of a percent a day. Null when either change is unknown.
 */
function dominanceChange(totals: MarketTotals, bitcoinChange: string | null): string | null {
  if (totals.marketCapChange === null || bitcoinChange === null) return null
  const factor = (percent: string) => add(decimal('1'), divide(decimal(percent), decimal('100')))
  const bitcoin = factor(bitcoinChange)
  if (isZero(bitcoin)) return null
  const now = decimal(totals.btcDominance)
  const before = divide(multiply(now, factor(totals.marketCapChange)), bitcoin, 12)
  return formatDecimal(subtract(now, before))
}
