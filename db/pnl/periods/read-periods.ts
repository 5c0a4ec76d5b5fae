import { sql } from 'kysely'
import type { ReadonlyDb } from '../../schema.ts'
import { preparedSelect, readSql } from '../../read-sql.ts'
import { add, ZERO } from '../../values/decimal.ts'
import { cutPoints } from '../../values/periods.ts'
import type { Interval } from '../../values/periods.ts'
import { currencyRates } from '../valuation/price-book.ts'
import { bookValues, noValue, readComputedTo, sumOf } from './book-values.ts'
import type { BookSet } from '../books.ts'
import { holderRows } from '../holders.ts'
import { innerTransfers } from './inner-transfers.ts'
import { legSources } from '../legs/leg-source.ts'
import type { PeriodValues } from './period-profit.ts'
import type { MoneyFlow, ValuePoint } from './values-in-detail.ts'

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
export async function readHistoryStart({ db, books }: Asked): Promise<number | null> {
  const firsts = await holderRows(['first legs', books], () =>
    Promise.all(
      legSources(books).map(async ({ kind, rows, first }) => {
        const start = preparedSelect(`first_leg_of_${kind}_books`)
        const [found] = await readSql(
          db,
          sql<{
            at: Date | null
          }>`${start} min(first.at) as at from ${rows} cross join lateral (${first}) as first`,
        )
        return found!.at?.getTime() ?? Infinity
      }),
    ),
  )
  const atMs = Math.min(...firsts)
  return atMs === Infinity ? null : atMs
}

/** Values of the scope in USD, BTC and ETH at the given instants (in order). Empty when never computed. */
export async function readValuePoints(
  input: Asked & { instantsMs: readonly number[] },
): Promise<ValuePoint[]> {
  return (await readScope(input))?.points ?? []
}

/**
 * Returns the periods of a window, from the first that ends after the history starts. `fromMs` null: from the
 * start of the history. Null when the currency (USD, BTC, ETH or fiat) has no rate; empty when the scope was
 * never computed.
 */
export async function readPlPeriods(
  input: Asked & { interval: Interval; fromMs: number | null; toMs: number; currency: string },
): Promise<PlPeriod[] | null> {
  const ratesFrom = (fromMs: number) => currencyRates({ ...input, fromMs })
  const [historyMs, computedTo, early] = await Promise.all([
    readHistoryStart(input),
    readComputedTo(input.db, input.books),
    input.fromMs === null ? null : ratesFrom(input.fromMs),
  ])
  const fromMs = input.fromMs ?? historyMs ?? input.toMs
  const inCurrency = input.fromMs === null ? await ratesFrom(fromMs) : early
  if (!inCurrency) return null
  if (historyMs === null) return []
  const cuts = cutPoints({ interval: input.interval, fromMs, toMs: input.toMs })
  const skipped = cuts.filter((cut) => cut <= historyMs)
  const instantsMs = [skipped.at(-1) ?? fromMs, ...cuts.slice(skipped.length)]
  if (instantsMs.length < 2) return []

  const scope = await readScope({ ...input, instantsMs, computedTo })
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

/**
 * Values of a scope at instants (in order), and flows from the first to the last. Null: never computed. `computedTo`: see
 * `readComputedTo`, if it is known already.
 */
export async function readScope(
  input: Asked & { instantsMs: readonly number[]; computedTo?: ReadonlyMap<string, number> },
): Promise<{ points: ValuePoint[]; flows: MoneyFlow[] } | null> {
  if (input.instantsMs.length === 0) return null
  const { db, instantsMs } = input
  const computedTo = input.computedTo ?? (await readComputedTo(db, input.books))
  const computed = input.books.filter(({ id }) => computedTo.has(id))
  if (computed.length === 0) return null
  const groups = Map.groupBy(computed, ({ id }) => computedTo.get(id)!)
  const parts: { points: ValuePoint[]; flows: MoneyFlow[] }[] = await Promise.all([
    ...[...groups].map(([computedToMs, books]) => bookValues({ db, books, computedToMs, instantsMs })),
    ...(computed.length > 1 ? [innerTransfers({ db, instantsMs, set: input })] : []),
  ])
  const points = new Map(instantsMs.map((atMs) => [atMs, noValue(atMs)]))
  for (const point of parts.flatMap((part) => part.points))
    points.set(point.atMs, sumOf(points.get(point.atMs), point))
  return { points: [...points.values()], flows: parts.flatMap((part) => part.flows) }
}
