import { add, divide, isZero, multiply, negate, sign, ZERO } from '../../db/values/decimal.ts'
import type { Decimal } from '../../db/values/decimal.ts'

export interface PricedLeg {
  /** positive in, negative out */
  quantity: Decimal
  /** null: never priced */
  priceUsd: Decimal | null
  isStable: boolean
  /** by market value; null: none */
  rank: number | null
}

/**
 * Worth of each leg of a swap in USD: one number for both sides. It is that of the stable side; else of the side whose
 * coins rank higher; a side with a coin that has no price takes the other side's. null: neither side can be valued.
 */
export function tradeWorths(legs: readonly PricedLeg[]): (Decimal | null)[] {
  const sides = [legs.filter((leg) => sign(leg.quantity) < 0), legs.filter((leg) => sign(leg.quantity) > 0)]
  const values = sides.map((side) => (side.some((leg) => leg.priceUsd === null) ? null : worthOf(side)))
  const value = trustedSide(sides) === 0 ? (values[0] ?? values[1]) : (values[1] ?? values[0])
  if (value === null || value === undefined) return legs.map(() => null)
  return legs.map((leg) => {
    const side = sides[sign(leg.quantity) < 0 ? 0 : 1]!
    if (side.length === 1) return value
    const market = worthOf(side)
    if (leg.priceUsd === null || isZero(market)) return null
    return divide(multiply(value, worthOf([leg])), market)
  })
}

function trustedSide(sides: PricedLeg[][]): 0 | 1 {
  const [given, received] = sides.map((side) => side.every((leg) => leg.isStable))
  if (given !== received) return given ? 0 : 1
  const [first, second] = sides.map((side) => Math.max(...side.map((leg) => leg.rank ?? Infinity)))
  return first! <= second! ? 0 : 1
}

function worthOf(legs: readonly PricedLeg[]): Decimal {
  let sum = ZERO
  for (const leg of legs) sum = add(sum, multiply(leg.quantity, leg.priceUsd ?? ZERO))
  return sign(sum) < 0 ? negate(sum) : sum
}
