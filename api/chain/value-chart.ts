import type { ReadonlyDb } from '../../db/schema.ts'
import type { BookSet } from '../../db/pnl/books.ts'
import { addMoney } from '../../db/pnl/valuation/money.ts'
import { readHistoryStart, readValuePoints, type ValuePoint } from '../../db/pnl/periods/read-periods.ts'
import { toNumber } from '../../db/values/decimal.ts'
import type { Range } from '../../db/values/periods.ts'
import { oldest, type Point4 } from '../shapes.ts'
import { chartInstants } from './chart-instants.ts'

/**
 * Total value of the sets over time, summed at the same instants, times in milliseconds. Own transfers within
 * a set count while in transit. `priceAsOf`: time of the oldest price in the last point.
 */
export async function valueChart(
  db: ReadonlyDb,
  options: { sets: readonly BookSet[]; range: Range; now: Date },
): Promise<{ points: Point4[]; priceAsOf: Date | null }> {
  const { sets } = options
  const historyMs = (await readHistoryStart({ db, books: sets.flatMap(({ books }) => books) })) ?? Infinity
  const instantsMs = chartInstants({ range: options.range, nowMs: options.now.getTime(), historyMs })
  if (instantsMs.length === 0) return { points: [], priceAsOf: null }
  const totals = new Map<number, ValuePoint['value']>()
  const lastMs = instantsMs.at(-1)
  const prices: Date[] = []
  // Sequential, so a request uses one connection for any number of sets.
  for (const set of sets)
    for (const { atMs, value, pricedAtMs } of await readValuePoints({ db, ...set, instantsMs })) {
      if (atMs === lastMs && pricedAtMs !== null) prices.push(new Date(pricedAtMs))
      const total = totals.get(atMs)
      totals.set(atMs, total ? addMoney(total, value) : value)
    }
  const points = [...totals].sort(([a], [b]) => a - b).map(([atMs, value]) => pointOf(atMs, value))
  return { points, priceAsOf: oldest(prices) }
}

/** The chart with another value of now. */
export function endingWith(
  points: readonly Point4[],
  { now, value }: { now: Date; value: ValuePoint['value'] },
): Point4[] {
  const nowMs = now.getTime()
  return [...points.filter(([atMs]) => atMs < nowMs), pointOf(nowMs, value)]
}

const pointOf = (atMs: number, { usd, btc, eth }: ValuePoint['value']): Point4 => [
  atMs,
  toNumber(usd),
  toNumber(btc),
  toNumber(eth),
]
