import { createFlowWalk } from './flow-walk.ts'
import type { Instant } from '../legs/instants.ts'
import type { FirstPrices } from '../legs/measured-legs.ts'
import type { Holdings, Paid } from '../legs/value-unpriced.ts'
import { addMoney, NO_MONEY } from '../valuation/money.ts'
import type { Money } from '../valuation/money.ts'
import type { Decimal } from '../../values/decimal.ts'
import { DAY_MS } from '../../values/periods.ts'

export interface DayChanges {
  flow: Money
  /** closing balance of each coin that changed that day */
  balances: Map<string, Decimal>
  /** what was paid for those without a market price */
  paid: Map<string, Paid>
}

/**
 * Collects, for each day of a window, the flow and the changed balances.
 * `holdings` is the state at the start of the window and is updated with each transaction.
 */
export function createDayLedger(input: {
  fromMs: number
  days: number
  holdings: Holdings
  firsts: FirstPrices
  mayOwe: boolean
  convert: (usd: Decimal, atMs: number) => Money
}) {
  const { fromMs, holdings } = input
  const days = Array.from({ length: input.days }, (): DayChanges => ({
    flow: NO_MONEY,
    balances: new Map(),
    paid: new Map(),
  }))
  const dayOf = (atMs: number) => days[Math.floor((atMs - fromMs) / DAY_MS)]!
  const walk = createFlowWalk({
    ...input,
    onFlow(atMs, usd) {
      const day = dayOf(atMs)
      day.flow = addMoney(day.flow, input.convert(usd, atMs))
    },
  })
  return {
    days,
    apply(instant: Instant): void {
      walk.apply(instant)
      const legs = instant.flat()
      const changed = dayOf(legs[0]!.atMs)
      for (const { coinId } of legs) {
        changed.balances.set(coinId, holdings.balances.get(coinId)!)
        const paid = holdings.paid.get(coinId)
        if (paid) changed.paid.set(coinId, paid)
        else changed.paid.delete(coinId)
      }
    },
    close(): void {
      walk.advance(fromMs + input.days * DAY_MS)
    },
  }
}
