import type { Db } from '../../db/schema.ts'
import type { Book } from '../../db/pnl/books.ts'
import { learnFirstPrices } from '../../db/pnl/legs/measured-legs.ts'
import type { Holdings, Paid } from '../../db/pnl/legs/value-unpriced.ts'
import type { FirstPrices } from '../../db/pnl/legs/measured-legs.ts'
import { legSource } from '../../db/pnl/legs/leg-source.ts'
import { pricesToValue, valueAt } from './value-at.ts'
import { streamTransactions } from '../../db/pnl/legs/read-legs.ts'
import { unitConverter } from '../../db/pnl/valuation/price-book.ts'
import type { Money } from '../../db/pnl/valuation/money.ts'
import type { PricePoint } from '../../db/pnl/valuation/price-book.ts'
import { isZero } from '../../db/values/decimal.ts'
import type { Decimal } from '../../db/values/decimal.ts'
import { DAY_MS } from '../../db/values/periods.ts'
import { createDayLedger } from '../../db/pnl/periods/day-ledger.ts'

export interface ComputedDay {
  /** the midnight that closes the day */
  atMs: number
  value: Money
  flow: Money
  stale: boolean
  balances: Map<string, Decimal>
  paid: Map<string, Paid>
}

/**
 * Computes the days of one window of a book. `fromMs` and `toMs` are midnights. `holdings` is the state at
 * `fromMs` and is updated to the end of the window. A coin without a price counts with what was paid for it.
 */
export async function computeWindow(input: {
  db: Db
  book: Book
  fromMs: number
  toMs: number
  holdings: Holdings
  firsts: FirstPrices
}): Promise<ComputedDay[]> {
  const { db, fromMs, toMs, holdings, firsts } = input
  const { balances } = holdings
  await learnFirstPrices(db, firsts, balances.keys())
  const held = new Map([...balances].filter(([, quantity]) => !isZero(quantity)))
  const paid = new Map(holdings.paid)
  // A window without transactions has flows only where a coin gets its first price.
  const load = () => unitConverter({ db, fromMs, toMs })
  const isFirst = (first: PricePoint | null) => first !== null && first.atMs > fromMs && first.atMs <= toMs
  let convert = [...firsts.byCoin.values()].some(isFirst) ? await load() : null
  const ledger = createDayLedger({
    fromMs,
    days: (toMs - fromMs) / DAY_MS,
    holdings,
    firsts,
    convert: (usd, atMs) => convert!(usd, atMs),
    mayOwe: legSource(input.book).mayOwe,
  })
  for await (const instant of streamTransactions(input)) {
    convert ??= await load()
    ledger.apply(instant)
  }
  ledger.close()

  const coinIds = new Set(held.keys())
  for (const day of ledger.days) for (const coinId of day.balances.keys()) coinIds.add(coinId)
  const prices = await pricesToValue({ db, coinIds, firsts, afterMs: fromMs, toMs })
  return ledger.days.map((day, index) => {
    for (const [coinId, quantity] of day.balances) {
      if (isZero(quantity)) held.delete(coinId)
      else held.set(coinId, quantity)
      paid.delete(coinId)
    }
    for (const [coinId, cost] of day.paid) paid.set(coinId, cost)
    return {
      ...valueAt({ balances: held, paid }, { prices, index }),
      atMs: fromMs + (index + 1) * DAY_MS,
      flow: day.flow,
      balances: day.balances,
      paid: day.paid,
    }
  })
}
