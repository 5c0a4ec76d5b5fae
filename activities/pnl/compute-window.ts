import type { Db } from '../../db/schema.ts'
import type { Book } from '../../db/pnl/books.ts'
import { learnFirstPrices } from '../../db/pnl/legs/measured-legs.ts'
import type { Holdings, Paid } from '../../db/pnl/legs/value-unpriced.ts'
import type { FirstPrices } from '../../db/pnl/legs/measured-legs.ts'
import { legSource } from '../../db/pnl/legs/leg-source.ts'
import { midnightPrices } from '../../db/pnl/valuation/midnight-prices.ts'
import { streamTransactions } from '../../db/pnl/legs/stream-transactions.ts'
import { inUnits } from '../../db/pnl/valuation/money.ts'
import { unitConverter } from '../../db/pnl/valuation/load-price-book.ts'
import { UNIT_COINS } from '../../db/values/coins.ts'
import type { Money } from '../../db/pnl/valuation/money.ts'
import { add, isZero, multiply, ZERO } from '../../db/values/decimal.ts'
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
  const convert = await unitConverter({ db, fromMs, toMs })
  const ledger = createDayLedger({
    fromMs,
    days: (toMs - fromMs) / DAY_MS,
    holdings,
    firsts,
    convert,
    mayOwe: legSource(input.book).mayOwe,
  })
  for await (const instant of streamTransactions(input)) ledger.apply(instant)
  ledger.close()

  const coinIds = new Set(held.keys())
  for (const day of ledger.days) for (const coinId of day.balances.keys()) coinIds.add(coinId)
  const units: string[] = Object.values(UNIT_COINS)
  const prices = await midnightPrices({
    db,
    coinIds: [...new Set([...coinIds, ...units])],
    firstMs: (coinId) => (units.includes(coinId) ? -Infinity : (firsts.byCoin.get(coinId)?.atMs ?? Infinity)),
    afterMs: fromMs,
    toMs,
  })
  return ledger.days.map((day, index) => {
    for (const [coinId, quantity] of day.balances) {
      if (isZero(quantity)) held.delete(coinId)
      else held.set(coinId, quantity)
      paid.delete(coinId)
    }
    for (const [coinId, cost] of day.paid) paid.set(coinId, cost)
    let usd = ZERO
    let stale = false
    for (const [coinId, quantity] of held) {
      const coin = prices.get(coinId)!
      const price = coin.usd[index]
      if (!price) {
        usd = add(usd, paid.get(coinId)?.usd ?? ZERO)
        continue
      }
      usd = add(usd, multiply(quantity, price))
      stale ||= coin.stale[index]!
    }
    const unit = (coinId: string) => prices.get(coinId)!.usd[index]!
    return {
      atMs: fromMs + (index + 1) * DAY_MS,
      value: inUnits(usd, unit(UNIT_COINS.btc), unit(UNIT_COINS.eth)),
      flow: day.flow,
      stale,
      balances: day.balances,
      paid: day.paid,
    }
  })
}
