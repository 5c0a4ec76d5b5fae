import { sql } from 'kysely'
import type { ReadonlyDb } from '../../schema.ts'
import { preparedSelect, readSql } from '../../read-sql.ts'
import { decimal } from '../../values/decimal.ts'
import { DAY_MS, startOfPeriod } from '../../values/periods.ts'
import type { Book } from '../books.ts'
import { holderRows } from '../holders.ts'
import { addMoney, NO_MONEY } from '../valuation/money.ts'
import type { Money } from '../valuation/money.ts'
import type { PlDay } from '../tables.ts'
import { earliest, valuesInDetail } from './values-in-detail.ts'
import type { MoneyFlow, ValuePoint } from './values-in-detail.ts'

type DayRow = Omit<PlDay, 'book_id' | 'at'> & { at_ms: number; all_stale: boolean }

/**
 * Returns the sums of values of books at the given instants (in order), and their flows from the first to the last of
 * them. `computedToMs`: the midnight up to which the days of all these books are stored. Whole computed days come from
 * stored rows, with one flow each; other stretches are read from the legs.
 */
export async function bookValues(input: {
  db: ReadonlyDb
  books: readonly Book[]
  computedToMs: number
  instantsMs: readonly number[]
}): Promise<{ points: ValuePoint[]; flows: MoneyFlow[] }> {
  const { db, books, computedToMs, instantsMs } = input
  const [firstMs, lastMs] = [instantsMs[0]!, instantsMs.at(-1)!]
  const detailed = daysInDetail({ instantsMs, computedToMs })
  const isStored = (atMs: number) => atMs <= computedToMs && startOfPeriod('daily', atMs) === atMs
  const [days, ...found] = await Promise.all([
    // Days that are computed meanwhile are read in detail below.
    readDays(db, { books, firstMs, lastMs: Math.min(lastMs, computedToMs) }),
    ...stretches(detailed).map(({ fromMs, toMs }) => {
      const until = Math.min(toMs, lastMs)
      const inside = instantsMs.filter((atMs) => atMs > fromMs && atMs <= until && !isStored(atMs))
      return valuesInDetail({ db, books, fromMs, toMs: until, instantsMs: inside })
    }),
  ])
  const points = new Map(days.map(({ closing }) => [closing.atMs, closing]))
  const flows = days.map(({ flow }) => flow).filter(({ atMs }) => atMs >= firstMs && !detailed.has(atMs))
  for (const own of found.flat()) {
    for (const point of own.points) points.set(point.atMs, sumOf(points.get(point.atMs), point))
    flows.push(...own.flows.filter((flow) => flow.atMs >= firstMs && flow.atMs < lastMs))
  }
  return { points: instantsMs.map((atMs) => points.get(atMs) ?? noValue(atMs)), flows }
}

/** Stored days of books together, closed at [firstMs, lastMs]. */
function readDays(
  db: ReadonlyDb,
  { books, firstMs, lastMs }: { books: readonly Book[]; firstMs: number; lastMs: number },
): Promise<readonly { closing: ValuePoint; flow: MoneyFlow }[]> {
  const ids = books.map(({ id }) => id)
  return holderRows(['days', ids, firstMs, lastMs], async () => {
    const rows = await readSql(
      db,
      sql<DayRow>`${preparedSelect('pl_days')} floor(extract(epoch from at) * 1000)::float8 as at_ms, ${SUMS}, bool_or(stale) as stale,
          bool_and(stale) as all_stale
        from pl_days where book_id = any(${ids}::bigint[])
          and at >= ${new Date(firstMs)} and at <= ${new Date(lastMs)}
        group by at order by at`,
    )
    return rows.map((row) => ({
      closing: {
        atMs: row.at_ms,
        value: moneyOf(row, 'value'),
        stale: row.stale,
        // Most prices of a closed day are those of its midnight. How old a stale one is, is not stored.
        pricedAtMs: row.all_stale ? null : row.at_ms,
      },
      flow: { atMs: row.at_ms - DAY_MS, money: moneyOf(row, 'flow') },
    }))
  })
}

const SUMS = sql.raw(
  ['value', 'flow']
    .flatMap((what) => ['usd', 'btc', 'eth'].map((unit) => `sum(${what}_${unit}) as ${what}_${unit}`))
    .join(', '),
)

/** The midnights up to which the days of books are stored, by the ids of the books. Absent: never computed. */
export function readComputedTo(db: ReadonlyDb, books: readonly Book[]): Promise<ReadonlyMap<string, number>> {
  const ids = books.map(({ id }) => id)
  return holderRows(['computed to', ids], async () => {
    const states = await readSql(
      db,
      sql<{
        book_id: string
        computed_to: Date
      }>`${preparedSelect('computed_to')} book_id, computed_to from pl_states
        where book_id = any(${ids}::bigint[]) and computed_to is not null`,
    )
    return new Map(states.map((row) => [row.book_id, row.computed_to.getTime()]))
  })
}

/** The value of nothing. */
export const noValue = (atMs: number): ValuePoint => ({
  atMs,
  value: NO_MONEY,
  stale: false,
  pricedAtMs: null,
})

/** Both values of an instant together. */
export function sumOf(one: ValuePoint | undefined, other: ValuePoint): ValuePoint {
  if (!one) return other
  return {
    atMs: one.atMs,
    value: addMoney(one.value, other.value),
    stale: one.stale || other.stale,
    pricedAtMs: earliest(one.pricedAtMs, other.pricedAtMs),
  }
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
