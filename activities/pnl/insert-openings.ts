import { add, divide, isZero, multiply, negate, sign, ZERO } from '../../db/values/decimal.ts'
import type { Decimal } from '../../db/values/decimal.ts'
import type { Leg } from '../../db/pnl/leg.ts'
import { ledgerOf } from './ledger.ts'
import type { LedgerTransaction } from './ledger.ts'

/**
 * Adds what the history does not explain: where a transaction would take the balance of an account below zero,
 * an `opening` leg supplies the missing quantity, at the price of the sale where there is one, else at market.
 */
export function insertOpenings(legs: readonly Leg[]): Leg[] {
  const accounts = new Set(legs.map((leg) => leg.account))
  const balances = new Map<string, Decimal>()
  const openings: Leg[] = []
  for (const transaction of ledgerOf({ legs, matches: [], accounts }).transactions) {
    for (const leg of transaction.legs) {
      const key = `${leg.account} ${leg.coinId}`
      balances.set(key, add(balances.get(key) ?? ZERO, leg.quantity))
    }
    for (const leg of transaction.legs) {
      const key = `${leg.account} ${leg.coinId}`
      const balance = balances.get(key)!
      if (sign(balance) >= 0) continue
      balances.set(key, ZERO)
      const seq = Math.min(...transaction.legs.map((other) => other.seq)) - 1 - openings.length
      openings.push({
        ...leg,
        seq,
        role: 'opening',
        quantity: negate(balance),
        priceUsd: leg.priceUsd && (salePrice(transaction, leg) ?? leg.priceUsd),
      })
    }
  }
  return [...openings, ...legs]
}

/** What one unit brought in a swap of this coin alone against measured coins; null when it was not such a swap. */
function salePrice(transaction: LedgerTransaction, sold: Leg): Decimal | null {
  if (sold.role !== 'trade') return null
  const trade = transaction.legs.filter((leg) => leg.role === 'trade')
  const received = trade.filter((leg) => sign(leg.quantity) > 0)
  if (trade.length - received.length !== 1 || received.length === 0 || isZero(sold.quantity)) return null
  let proceeds = ZERO
  for (const leg of received) {
    if (leg.priceUsd === null) return null
    proceeds = add(proceeds, multiply(leg.quantity, leg.priceUsd))
  }
  return divide(proceeds, negate(sold.quantity))
}
