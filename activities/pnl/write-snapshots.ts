import { sql } from 'kysely'
import type pg from 'pg'
import type { Db } from '../../db/connect.ts'
import { firstPrices } from '../../db/pnl/first-prices.ts'
import { midnightPrices } from '../../db/pnl/midnight-prices.ts'
import { openingBalances } from '../../db/pnl/opening-balances.ts'
import type { SnapshotTarget } from '../../db/portfolios/due-snapshots.ts'
import { transact } from '../../db/transact.ts'
import { type Decimal, formatDecimal, fromRaw, isZero } from '../../db/values/decimal.ts'
import { DAY_MS } from '../../db/values/periods.ts'

const columns = sql.raw('portfolio_id, at, coin_ids, quantities, prices_usd, source, fetched_at')

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
  if (!(await holdDays(input))) return []
  const missing = await missingMidnights(input)
  const afterMs = (missing[0] ?? 0) - DAY_MS
  const midnights = missing.filter((ms) => ms <= afterMs + WINDOW_DAYS * DAY_MS)
  if (midnights.length === 0) return []
  const held = await balancesAt({ db, bookId: target.bookId, afterMs, midnights })
  const coinIds = [...new Set(held.flatMap((balances) => [...balances.keys()]))]
  const firsts = await firstPrices(db, coinIds)
  const prices = await midnightPrices({
    ...{ db, coinIds, afterMs, toMs: midnights.at(-1)! },
    firstMs: (coinId) => firsts.get(coinId)?.atMs ?? Infinity,
  })
  const rows = midnights.map((ms, index) => {
    const coins = [...held[index]!].sort(([a], [b]) => (a < b ? -1 : 1))
    const priceOf = (coinId: string) => prices.get(coinId)!.usd[(ms - afterMs) / DAY_MS - 1] ?? null
    return {
      ...{ portfolio_id: target.portfolioId, at: new Date(ms) },
      coin_ids: coins.map(([coinId]) => coinId),
      quantities: coins.map(([, quantity]) => formatDecimal(quantity)),
      prices_usd: coins.map(([coinId]) => {
        const price = priceOf(coinId)
        return price && formatDecimal(price)
      }),
      ...{ source: 'pl_days', fetched_at: input.now },
    }
  })
  await sql`
    insert into portfolio_snapshots (${columns})
    select ${columns} from json_populate_recordset(null::portfolio_snapshots, ${JSON.stringify(rows)})
    on conflict do nothing`.execute(db)
  return midnights
}

/** Holds the days of a book as they are until the end of the transaction. False: they are to be computed again. */
async function holdDays({ db, target }: { db: Db; target: SnapshotTarget }): Promise<boolean> {
  const { rows } = await sql`
    select from pl_states where book_id = ${target.bookId} and dirty_from is null for share`.execute(db)
  return rows.length > 0
}

async function missingMidnights({
  db,
  target,
  toMs,
}: {
  db: Db
  target: SnapshotTarget
  toMs: number
}): Promise<number[]> {
  const { rows } = await sql<{ at: Date }>`
    select day.at from pl_days as day
    where day.book_id = ${target.bookId} and day.at <= ${new Date(toMs)} and not exists (
      select from portfolio_snapshots where portfolio_id = ${target.portfolioId} and at = day.at)
    order by day.at`.execute(db)
  return rows.map(({ at }) => at.getTime())
}

/** What a book held at some midnights after `afterMs`, in their order, without zeros. */
async function balancesAt(input: {
  db: Db
  bookId: string
  afterMs: number
  midnights: readonly number[]
}): Promise<Map<string, Decimal>[]> {
  const { db, bookId, afterMs, midnights } = input
  const balances = await openingBalances({ db, bookId, atMs: afterMs })
  const { rows } = await sql<{ coin_id: string; at: Date; raw: string; decimals: number }>`
    select coin_id, at, raw, decimals from balance_days
    where book_id = ${bookId} and at > ${new Date(afterMs)} and at <= ${new Date(midnights.at(-1)!)}
    order by at`.execute(db)
  let next = 0
  return midnights.map((ms) => {
    for (; next < rows.length && rows[next]!.at.getTime() <= ms; next++) {
      const { coin_id: coinId, raw, decimals } = rows[next]!
      const quantity = fromRaw(BigInt(raw), decimals)
      if (isZero(quantity)) balances.delete(coinId)
      else balances.set(coinId, quantity)
    }
    return new Map(balances)
  })
}
