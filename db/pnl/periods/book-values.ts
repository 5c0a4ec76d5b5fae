import { sql } from 'kysely'
import type { ReadonlyDb } from '../../schema.ts'
import { readSql } from '../../read-sql.ts'
import { decimal } from '../../values/decimal.ts'
import { DAY_MS, startOfPeriod } from '../../values/periods.ts'
import type { Book } from '../books.ts'
import { NO_MONEY } from '../valuation/money.ts'
import type { Money } from '../valuation/money.ts'
import type { PlDay } from '../tables.ts'
import { valuesInDetail } from './values-in-detail.ts'
import type { MoneyFlow, ValuePoint } from './values-in-detail.ts'

type DayRow = Omit<PlDay, 'book_id'>

/**
 * Returns values of a book at the given instants (in order), and its flows from the first to the last of
 * them. Whole computed days come from stored rows, with one flow each; other stretches are read from the
 * legs. Null when the book was never computed.
 */
export async function bookValues(input: {
  db: ReadonlyDb
  book: Book
  instantsMs: readonly number[]
}): Promise<{ points: ValuePoint[]; flows: MoneyFlow[] } | null> {
  const { db, book, instantsMs } = input
  const scope = sql`book_id = ${book.id}`
  const computedToMs = await readComputedTo(db, book)
  if (computedToMs === null) return null

  const [firstMs, lastMs] = [instantsMs[0]!, instantsMs.at(-1)!]
  const rows = await readSql(
    db,
    sql<DayRow>`select at, value_usd, value_btc, value_eth, flow_usd, flow_btc, flow_eth, stale from pl_days
      where ${scope} and at >= ${new Date(firstMs)} and at <= ${new Date(lastMs)} order by at`,
  )
  const points = new Map(
    rows.map((row) => [
      row.at.getTime(),
      // Most prices of a closed day are those of its midnight. How old a stale one is, is not stored.
      {
        atMs: row.at.getTime(),
        value: moneyOf(row, 'value'),
        stale: row.stale,
        pricedAtMs: row.stale ? null : row.at.getTime(),
      },
    ]),
  )
  const detailed = daysInDetail({ instantsMs, computedToMs })
  const flows: MoneyFlow[] = []
  for (const row of rows) {
    const dayMs = row.at.getTime() - DAY_MS
    if (dayMs >= firstMs && !detailed.has(dayMs)) flows.push({ atMs: dayMs, money: moneyOf(row, 'flow') })
  }
  for (const { fromMs, toMs } of stretches(detailed)) {
    const until = Math.min(toMs, lastMs)
    const inside = instantsMs.filter((atMs) => atMs > fromMs && atMs <= until && !points.has(atMs))
    const found = await valuesInDetail({ db, book, fromMs, toMs: until, instantsMs: inside })
    for (const point of found.points) points.set(point.atMs, point)
    flows.push(...found.flows.filter((flow) => flow.atMs >= firstMs && flow.atMs < lastMs))
  }
  const none = (atMs: number): ValuePoint => ({ atMs, value: NO_MONEY, stale: false, pricedAtMs: null })
  return { points: instantsMs.map((atMs) => points.get(atMs) ?? none(atMs)), flows }
}

/** The midnight up to which the days of a book are stored; null: never computed. */
export async function readComputedTo(db: ReadonlyDb, book: Book): Promise<number | null> {
  const states = await readSql(
    db,
    sql<{ computed_to: Date | null }>`select computed_to from pl_states where book_id = ${book.id}`,
  )
  return states[0]?.computed_to?.getTime() ?? null
}

/** Starts of the days that must be read from legs: those with an instant inside, and those not computed. */
function daysInDetail(input: { instantsMs: readonly number[]; computedToMs: number }): Set<number> {
  const days = new Set<number>()
  for (const atMs of input.instantsMs) {
    const dayMs = startOfPeriod('daily', atMs)
    if (dayMs !== atMs) days.add(dayMs)
  }
  const lastMs = input.instantsMs.at(-1)!
  for (let dayMs = input.computedToMs; dayMs < lastMs; dayMs += DAY_MS) days.add(dayMs)
  return days
}

/** Joins consecutive days. */
function stretches(days: ReadonlySet<number>): { fromMs: number; toMs: number }[] {
  const joined: { fromMs: number; toMs: number }[] = []
  for (const dayMs of [...days].sort((a, b) => a - b)) {
    const last = joined.at(-1)
    if (last?.toMs === dayMs) last.toMs += DAY_MS
    else joined.push({ fromMs: dayMs, toMs: dayMs + DAY_MS })
  }
  return joined
}

function moneyOf(row: DayRow, what: 'value' | 'flow'): Money {
  return {
    usd: decimal(row[`${what}_usd`]),
    btc: decimal(row[`${what}_btc`]),
    eth: decimal(row[`${what}_eth`]),
  }
}
