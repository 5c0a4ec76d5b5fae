import { add, divide, isZero, multiply, negate, sign, sum, ZERO } from '../../values/decimal.ts'
import type { Decimal } from '../../values/decimal.ts'
import type { Leg } from './leg.ts'
import { meaningOf } from './roles.ts'

/**
 * Adds an `opening` leg with the missing quantity where a transaction would take a balance below zero. Its
 * price is that of the sale if there is one, else the market price. `legs` are those of one transaction in
 * one account; `balances` are those before it.
 */
export function coverShortfall(legs: readonly Leg[], balances: ReadonlyMap<string, Decimal>): Leg[] {
  const openings: Leg[] = []
  for (const coinId of new Set(legs.map((leg) => leg.coinId))) {
    const own = legs.filter((leg) => leg.coinId === coinId)
    const balance = sum([balances.get(coinId) ?? ZERO, ...own.map((leg) => leg.quantity)])
    if (sign(balance) >= 0) continue
    const leg = own.find(({ quantity }) => sign(quantity) < 0) ?? own[0]!
    openings.push({
      ...leg,
      seq: Math.min(...legs.map(({ seq }) => seq)) - 1 - openings.length,
      role: 'opening',
      treatment: undefined,
      quantity: negate(balance),
      priceUsd: leg.priceUsd && (salePrice(legs, leg) ?? leg.priceUsd),
    })
  }
  return [...openings, ...legs]
}

const isTrade = (leg: Leg): boolean => meaningOf(leg).basis === 'exchanged'

/** Proceeds per unit in a swap of only this coin for coins with prices; null when it was no such swap. */
function salePrice(legs: readonly Leg[], sold: Leg): Decimal | null {
  if (!isTrade(sold)) return null
  const trade = legs.filter(isTrade)
  const received = trade.filter((leg) => sign(leg.quantity) > 0)
  if (trade.length - received.length !== 1 || received.length === 0 || isZero(sold.quantity)) return null
  let proceeds = ZERO
  for (const leg of received) {
    if (leg.priceUsd === null) return null
    proceeds = add(proceeds, multiply(leg.quantity, leg.priceUsd))
  }
  return divide(proceeds, negate(sold.quantity))
}
