import { sql } from 'kysely'
import type { ReadonlyDb } from '../../schema.ts'
import { readSql } from '../../read-sql.ts'
import { add, ZERO } from '../../values/decimal.ts'
import { cutPoints } from '../../values/periods.ts'
import type { Interval } from '../../values/periods.ts'
import { currencyRates } from '../valuation/currency-rates.ts'
import { bookValues } from './book-values.ts'
import type { BookSet } from '../book-sets.ts'
import { innerTransfers } from './inner-transfers.ts'
import { legSource } from '../legs/leg-source.ts'
import { addMoney, NO_MONEY } from '../valuation/money.ts'
import type { PeriodValues } from './period-profit.ts'
import { earliest, type MoneyFlow, type ValuePoint } from './values-in-detail.ts'

export type { ValuePoint }

type Asked = BookSet & { db: ReadonlyDb }

/** One period [startMs, endMs), in the requested currency. `periodProfit` computes profit and percentage. */
export interface PlPeriod extends PeriodValues {
  startMs: number
  endMs: number
  stale: boolean
  /** instant of the oldest price in `closing`; null: none, or unknown */
  pricedAtMs: number | null
}

/** Instant of the first transaction of the scope without spam; null when it has none. */
export async function readHistoryStart(input: Asked): Promise<number | null> {
  if (input.books.length === 0) return null
  const firsts = input.books.map((book) => sql`(${legSource(book).first})`)
  const rows = await readSql(
    input.db,
    sql<{ at: Date | null }>`select min(at) as at from (${sql.join(firsts, sql` union all `)}) as firsts`,
  )
  return rows[0]?.at?.getTime() ?? null
}

/** Values of the scope in USD, BTC and ETH at the given instants (in order). Empty when never computed. */
export async function readValuePoints(
  input: Asked & { instantsMs: readonly number[] },
): Promise<ValuePoint[]> {
  return (await readScope(input))?.points ?? []
}

/**
 * Returns the periods of a window, from the first that ends after the history starts. `fromMs` null: from the
 * start of the history. Empty when the scope was never computed; null when the currency (USD, BTC, ETH or
 * fiat) has no rate.
 */
export async function readPlPeriods(
  input: Asked & { interval: Interval; fromMs: number | null; toMs: number; currency: string },
): Promise<PlPeriod[] | null> {
  const historyMs = await readHistoryStart(input)
  if (historyMs === null) return []
  const fromMs = input.fromMs ?? historyMs
  const cuts = cutPoints({ interval: input.interval, fromMs, toMs: input.toMs })
  const skipped = cuts.filter((cut) => cut <= historyMs)
  const instantsMs = [skipped.at(-1) ?? fromMs, ...cuts.slice(skipped.length)]
  if (instantsMs.length < 2) return []

  const inCurrency = await currencyRates({ ...input, fromMs: instantsMs[0]! })
  if (!inCurrency) return null
  const scope = await readScope({ ...input, instantsMs })
  if (!scope) return []
  const flows = scope.flows.sort((a, b) => a.atMs - b.atMs)
  let next = 0
  return scope.points.slice(1).map((closing, index) => {
    const opening = scope.points[index]!
    let flow = ZERO
    for (; next < flows.length && flows[next]!.atMs < closing.atMs; next++) {
      flow = add(flow, inCurrency(flows[next]!.money, flows[next]!.atMs))
    }
    return {
      startMs: opening.atMs,
      endMs: closing.atMs,
      opening: inCurrency(opening.value, opening.atMs),
      closing: inCurrency(closing.value, closing.atMs),
      flow,
      stale: opening.stale || closing.stale,
      pricedAtMs: closing.pricedAtMs,
    }
  })
}

/** Values of a scope at instants (in order), and flows from the first to the last. Null: never computed. */
export async function readScope(
  input: Asked & { instantsMs: readonly number[] },
): Promise<{ points: ValuePoint[]; flows: MoneyFlow[] } | null> {
  if (input.instantsMs.length === 0) return null
  const { db, books, instantsMs } = input
  const values = await Promise.all(books.map((book) => bookValues({ db, book, instantsMs })))
  const parts = values.filter((part) => part !== null)
  if (parts.length === 0) return null
  if (parts.length > 1) parts.push(await innerTransfers({ db, instantsMs, set: input }))
  const points = new Map<number, ValuePoint>(
    input.instantsMs.map((atMs) => [atMs, { atMs, value: NO_MONEY, stale: false, pricedAtMs: null }]),
  )
  for (const point of parts.flatMap((part) => part.points)) {
    const total = points.get(point.atMs)!
    total.value = addMoney(total.value, point.value)
    total.stale ||= point.stale
    total.pricedAtMs = earliest(total.pricedAtMs, point.pricedAtMs)
  }
  return { points: [...points.values()], flows: parts.flatMap((part) => part.flows) }
}
