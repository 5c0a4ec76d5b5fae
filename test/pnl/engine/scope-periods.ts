import { externalFlow } from '../../../db/pnl/periods/flow-walk.ts'
import type { Flow } from '../../../db/pnl/periods/flow-walk.ts'
import type { PeriodValues } from '../../../db/pnl/periods/period-profit.ts'
import { add, isZero, multiply, negate, subtract, ZERO } from '../../../db/values/decimal.ts'
import type { Decimal } from '../../../db/values/decimal.ts'
import type { Ledger } from './ledger.ts'
import type { PriceBook } from '../../../db/pnl/valuation/price-book.ts'

export interface ScopePeriod extends PeriodValues {
  endMs: number
}

interface Change {
  atMs: number
  coinId: string
  quantity: Decimal
  /** change of what was paid for a coin without a price, and the quantity of that cost */
  paidUsd?: Decimal
  paidQuantity?: Decimal
}

/**
 * Opening value, closing value and flow of each period [start, end) in USD. The first period opens at
 * `fromMs`, each other one at the cut before it. The value at an instant counts earlier transactions only.
 * From departure to arrival an own transfer counts with the amount that arrives.
 */
export function scopePeriods(input: {
  ledger: Ledger
  prices: PriceBook
  fromMs: number
  cutsMs: readonly number[]
}): ScopePeriod[] {
  const { ledger, prices } = input
  const changes = balanceChanges(ledger)
  const flows = ledger.transactions
    .map((transaction) => externalFlow(transaction.legs, ledger.isInternal))
    .filter((flow) => flow !== null)
  flows.push(...firstPriceFlows(changes, prices))

  const valueAt = balanceWalk(changes, prices)
  let startMs = input.fromMs
  let opening = valueAt(startMs)
  return input.cutsMs.map((endMs) => {
    const inside = flows.filter((flow) => flow.atMs >= startMs && flow.atMs < endMs)
    const closing = valueAt(endMs)
    const flow = inside.reduce((total, item) => add(total, item.usd), ZERO)
    const period = { endMs, opening, closing, flow }
    startMs = endMs
    opening = closing
    return period
  })
}

function balanceChanges(ledger: Ledger): Change[] {
  const changes = ledger.transactions.flatMap(({ legs }) =>
    legs.map((leg): Change => ({
      atMs: leg.atMs,
      coinId: leg.coinId,
      quantity: leg.isHeld ? ZERO : leg.quantity,
      ...(leg.paidUsd && { paidUsd: leg.paidUsd, paidQuantity: leg.quantity }),
    })),
  )
  for (const match of ledger.matches) {
    const { quantity } = match.in
    changes.push({ atMs: match.out.atMs, coinId: match.out.coinId, quantity })
    changes.push({ atMs: match.in.atMs, coinId: match.out.coinId, quantity: negate(quantity) })
  }
  return changes.sort((a, b) => a.atMs - b.atMs)
}

/**
 * What is held at an unknown cost when a coin gets its first price is a flow at that price, so that it is no
 * profit. The flow is one
 * millisecond earlier: a value at the same instant already has the price, so its period must contain the
 * flow.
 */
function firstPriceFlows(changes: readonly Change[], prices: PriceBook): Flow[] {
  const flows: Flow[] = []
  for (const coinId of new Set(changes.map((change) => change.coinId))) {
    const first = prices.first(coinId)
    if (!first) continue
    const held = changes
      .filter((change) => change.coinId === coinId && change.atMs < first.atMs)
      .reduce(
        (total, { quantity, paidQuantity = ZERO }) => add(total, subtract(quantity, paidQuantity)),
        ZERO,
      )
    if (!isZero(held)) flows.push({ atMs: first.atMs - 1, usd: multiply(held, first.usd) })
  }
  return flows
}

/**
 * Value just before an instant. A coin without a price counts with what was paid for it. Call it with instants
 * in order.
 */
function balanceWalk(changes: readonly Change[], prices: PriceBook): (atMs: number) => Decimal {
  const balances = new Map<string, Decimal>()
  const paid = new Map<string, Decimal>()
  let next = 0
  return (atMs) => {
    for (; next < changes.length && changes[next]!.atMs < atMs; next++) {
      const { coinId, quantity, paidUsd = ZERO } = changes[next]!
      balances.set(coinId, add(balances.get(coinId) ?? ZERO, quantity))
      paid.set(coinId, add(paid.get(coinId) ?? ZERO, paidUsd))
    }
    let value = ZERO
    for (const [coinId, quantity] of balances) {
      const price = prices.at(coinId, atMs)
      value = add(value, price ? multiply(quantity, price) : paid.get(coinId)!)
    }
    return value
  }
}
