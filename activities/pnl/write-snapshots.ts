import type pg from 'pg'
import type { Db } from '../../db/connect.ts'
import { firstPrices } from '../../db/pnl/valuation/first-prices.ts'
import { midnightPrices } from '../../db/pnl/valuation/midnight-prices.ts'
import { balancesAt } from '../../db/pnl/periods/opening-balances.ts'
import { holdDays } from '../../db/pnl/periods/run-state.ts'
import type { SnapshotTarget } from '../../db/portfolios/due-snapshots.ts'
import { insertSnapshots, missingMidnights } from '../../db/portfolios/write-snapshots.ts'
import { transact } from '../../db/transact.ts'
import { formatDecimal } from '../../db/values/decimal.ts'
import { DAY_MS } from '../../db/values/periods.ts'

/** Bounds the memory. */
const WINDOW_DAYS = 366

/**
 * Writes what a portfolio held at each midnight up to `toMs` that has no snapshot yet, from the days that are computed
 * and the prices that are stored. What is there stays as it is; days that are to be computed again are left to a later
 * time. Returns how many were written.
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

/** The first of the missing ones, so that each window is of one computation. */
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
  const held = await balancesAt({ db, bookId: target.bookId, afterMs, midnights })
  const coinIds = [...new Set(held.flatMap((balances) => [...balances.keys()]))]
  const firsts = await firstPrices(db, coinIds)
  const prices = await midnightPrices({
    db,
    coinIds,
    afterMs,
    toMs: midnights.at(-1)!,
    firstMs: (coinId) => firsts.get(coinId)?.atMs ?? Infinity,
  })
  const rows = midnights.map((ms, index) => {
    const coins = [...held[index]!].sort(([a], [b]) => (a < b ? -1 : 1))
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
