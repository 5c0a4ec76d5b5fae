import type { ReadonlyDb } from '../../db/schema.ts'
import { rereadHolders } from '../../db/pnl/holders.ts'
import { readDaySums } from '../../db/pnl/lots/day-rows.ts'
import { fiatTotals, type Totals, totalsAtOneRate } from '../../db/pnl/lots/fiat-totals.ts'
import { UNITS } from '../../db/pnl/lots/fold-rows.ts'
import type { CoinRow } from '../../db/pnl/lots/read-coins.ts'
import { fiatRates } from '../../db/pnl/valuation/price-book.ts'
import { type Decimal, multiply, sum, ZERO } from '../../db/values/decimal.ts'
import { unknownCurrency } from '../params.ts'
import { totalsOf } from './holdings.ts'

/** A fold may end between two reads of it; it takes longer than both. */
const ATTEMPTS = 3

interface HeldCoins {
  /** null: nothing is computed */
  foldId: string | null
  /** Coins of the fold, with the amounts of `received`. */
  rows: CoinRow[]
  /** Amounts that count as received now, by coin. */
  received: ReadonlyMap<string, Decimal>
}

/**
 * Sums over coins together, in any currency, each amount at the rate of its own instant. Throws 400 for a currency
 * without a rate.
 */
export async function totalsIn(
  db: ReadonlyDb,
  { currency, now, read }: { currency: string; now: Date; read: () => Promise<HeldCoins> },
): Promise<{ totals: Totals; rows: CoinRow[] }> {
  const nowMs = now.getTime()
  const unit = UNITS.find((one) => one.toUpperCase() === currency)
  for (let attempt = 1; ; attempt++) {
    const { rows, days, received } = await (attempt === 1 ? readAll() : rereadHolders(readAll))
    if (unit) return { totals: totalsOf(rows)[unit], rows }
    const amount = receivedUsd(rows, received)
    const all = [...days, { atMs: nowMs, acquired: amount, disposed: ZERO, cost: amount }]
    const pointAt = await fiatRates({ db, currency, fromMs: all[0]!.atMs, toMs: nowMs })
    if (!pointAt) throw unknownCurrency()
    const rateAt = (atMs: number) => pointAt(atMs).usd
    const totals = fiatTotals({ rows, days: all, nowMs, rateAt })
    if (totals) return { totals, rows }
    if (attempt === ATTEMPTS) return { totals: totalsAtOneRate({ rows, rate: rateAt(nowMs) }), rows }
  }

  async function readAll() {
    const held = await read()
    const days = unit || held.foldId === null ? [] : await readDaySums(db, held.foldId)
    return { ...held, days }
  }
}

function receivedUsd(rows: readonly CoinRow[], received: ReadonlyMap<string, Decimal>): Decimal {
  return sum(rows.map(({ coinId, item }) => multiply(received.get(coinId) ?? ZERO, item.usd.price)))
}
