import { divide, isZero, multiply, subtract, sum, ZERO } from '../../values/decimal.ts'
import type { Decimal } from '../../values/decimal.ts'

/** Splits a total by weights. The last part takes the rest, so that rounding loses nothing. */
export function shares(total: Decimal, weights: readonly Decimal[]): Decimal[] {
  if (weights.length === 1) return [total]
  const whole = sum(weights)
  let rest = total
  return weights.map((weight, index) => {
    if (index === weights.length - 1) return rest
    const part = isZero(whole) ? ZERO : divide(multiply(total, weight), whole)
    rest = subtract(rest, part)
    return part
  })
}
