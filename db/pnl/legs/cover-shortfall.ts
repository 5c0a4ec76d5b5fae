import { add, compare, divide, multiply, negate, sign, sum, ZERO } from '../../values/decimal.ts'
import type { Decimal } from '../../values/decimal.ts'
import type { Instant } from './instants.ts'
import type { Leg } from './leg.ts'
import { meaningOf } from './roles.ts'

/**
 * Adds an `opening` leg with the missing quantity where all transactions of an instant together would take a
 * balance below zero, to the transaction with the largest departure. Its price is the mean of what the
 * departures sold for, or of their market prices. `balances` are those of the account before the instant.
 */
export function coverShortfall(instant: Instant, balances: ReadonlyMap<string, Decimal>): Instant {
  const legs = instant.flat()
  let covered = instant
  for (const coinId of new Set(legs.map((leg) => leg.coinId))) {
    const own = legs.filter((leg) => leg.coinId === coinId)
    const balance = sum([balances.get(coinId) ?? ZERO, ...own.map((leg) => leg.quantity)])
    if (sign(balance) >= 0) continue
    const leg = own.reduce((a, b) => (compare(b.quantity, a.quantity) < 0 ? b : a))
    covered = covered.map((transaction) => {
      if (!transaction.includes(leg)) return transaction
      const opening: Leg = {
        ...leg,
        seq: Math.min(...transaction.map(({ seq }) => seq)) - 1,
        role: 'opening',
        treatment: undefined,
        quantity: negate(balance),
        priceUsd: leg.priceUsd && meanPrice(instant, coinId),
      }
      return [opening, ...transaction]
    })
  }
  return covered
}

/** Mean of what the coin was sold for; without a sale, of the prices of its departures, of which one has a price. */
function meanPrice(instant: Instant, coinId: string): Decimal {
  const departures = instant.flatMap((legs) =>
    legs
      .filter((leg) => leg.coinId === coinId && sign(leg.quantity) < 0 && leg.priceUsd !== null)
      .map((leg) => ({ quantity: leg.quantity, sale: salePrice(legs, leg), price: leg.priceUsd! })),
  )
  const sales = departures.filter(({ sale }) => sale !== null)
  const counted = sales.length > 0 ? sales : departures
  // Not divided, so that a price of very many digits keeps them.
  if (counted.length === 1) return counted[0]!.sale ?? counted[0]!.price
  const worth = sum(counted.map(({ quantity, sale, price }) => multiply(quantity, sale ?? price)))
  return divide(worth, sum(counted.map(({ quantity }) => quantity)))
}

const isTrade = (leg: Leg): boolean => meaningOf(leg).basis === 'exchanged'

/** Proceeds per unit in a swap of only this coin for coins with prices; null when it was no such swap. */
function salePrice(legs: readonly Leg[], sold: Leg): Decimal | null {
  if (!isTrade(sold)) return null
  const trade = legs.filter(isTrade)
  const received = trade.filter((leg) => sign(leg.quantity) > 0)
  if (trade.length - received.length !== 1 || received.length === 0) return null
  let proceeds = ZERO
  for (const leg of received) {
    if (leg.priceUsd === null) return null
    proceeds = add(proceeds, multiply(leg.quantity, leg.priceUsd))
  }
  return divide(proceeds, negate(sold.quantity))
}
