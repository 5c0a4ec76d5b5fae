import type { Db } from '../schema.ts'

/** Market totals at one instant. Money in USD, changes over 24 hours in percent; null: unknown. */
interface TotalsToAdd {
  at: Date
  marketCapUsd: string
  volume24hUsd: string
  btcDominance: string
  marketCapChange: string | null
  volumeChange: string | null
  /** percentage points */
  btcDominanceChange: string | null
  source: string
  fetchedAt: Date
}

/** Adds the totals of an instant unless they are stored already. Returns the number of rows added. */
export async function addTotals(db: Db, totals: TotalsToAdd): Promise<number> {
  const result = await db
    .insertInto('market_totals')
    .values({
      at: totals.at,
      market_cap_usd: totals.marketCapUsd,
      volume_24h_usd: totals.volume24hUsd,
      btc_dominance: totals.btcDominance,
      market_cap_change: totals.marketCapChange,
      volume_change: totals.volumeChange,
      btc_dominance_change: totals.btcDominanceChange,
      source: totals.source,
      fetched_at: totals.fetchedAt,
    })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  return Number(result.numInsertedOrUpdatedRows ?? 0)
}
