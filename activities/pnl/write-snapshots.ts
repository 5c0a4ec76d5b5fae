import type pg from 'pg'
import type { Db } from '../../db/schema.ts'
import { firstPrices } from '../../db/pnl/valuation/price-book.ts'
import { midnightPrices } from '../../db/pnl/valuation/midnight-prices.ts'
import { balancesAt } from '../../db/pnl/periods/opening-balances.ts'
import { holdDays } from '../../db/pnl/periods/run-state.ts'
import type { SnapshotTarget } from '../../db/portfolios/write-snapshots.ts'
import { insertSnapshots, missingMidnights } from '../../db/portfolios/write-snapshots.ts'
import { transact } from '../../db/transact.ts'
import { isNftCoin } from '../../db/values/coins.ts'
import { formatDecimal } from '../../db/values/decimal.ts'
import { DAY_MS } from '../../db/values/periods.ts'

/** Bounds the memory. */
const WINDOW_DAYS = 366

/**
 * Writes the missing snapshots of a portfolio, one per midnight up to `toMs`, from the computed days and the
 * stored prices. Existing snapshots stay as they are, and a dirty book is skipped until it is recomputed.
 * Returns the number of snapshots written.
 */
export async function writeSnapshots(input: {
  pool: pg.Pool
  target: SnapshotTarget
  toMs: number
  now: Date
  onProgress?: (dayMs: number) => void
}): Promise<number> {
  let written = 0
  for (;;) {
    const midnights = await transact(input.pool, ({ db }) => writeWindow({ ...input, db }))
    if (midnights.length === 0) return written
    written += midnights.length
    input.onProgress?.(midnights.at(-1)!)
  }
}

/** Writes the first missing snapshots; the transaction makes all of a window come from one computation. */
async function writeWindow(input: {
  db: Db
  target: SnapshotTarget
  toMs: number
  now: Date
}): Promise<number[]> {
  const { db, target } = input
  if (!(await holdDays(db, target.bookId))) return []
  const missing = await missingMidnights(db, input)
  const afterMs = (missing[0] ?? 0) - DAY_MS
  const midnights = missing.filter((ms) => ms <= afterMs + WINDOW_DAYS * DAY_MS)
  if (midnights.length === 0) return []
  const all = await balancesAt({ db, bookId: target.bookId, afterMs, midnights })
  // A snapshot is of coins at their prices.
  const held = all.map((balances) => [...balances].filter(([coinId]) => !isNftCoin(coinId)))
  const coinIds = [...new Set(held.flatMap((coins) => coins.map(([coinId]) => coinId)))]
  const firsts = await firstPrices(db, coinIds)
  const prices = await midnightPrices({
    db,
    coinIds,
    afterMs,
    toMs: midnights.at(-1)!,
    firstMs: (coinId) => firsts.get(coinId)?.atMs ?? Infinity,
  })
  const rows = midnights.map((ms, index) => {
    const coins = held[index]!.sort(([a], [b]) => (a < b ? -1 : 1))
    const priceOf = (coinId: string) => prices.get(coinId)!.usd[(ms - afterMs) / DAY_MS - 1] ?? null
    return {
      portfolio_id: target.portfolioId,
      at: new Date(ms),
      coin_ids: coins.map(([coinId]) => coinId),
      quantities: coins.map(([, quantity]) => formatDecimal(quantity)),
      prices_usd: coins.map(([coinId]) => {
        const price = priceOf(coinId)
        return price && formatDecimal(price)
      }),
      source: 'pl_days',
      fetched_at: input.now,
    }
  })
  await insertSnapshots(db, rows)
  return midnights
}
