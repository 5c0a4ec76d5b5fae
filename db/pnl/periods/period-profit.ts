import {
  compare,
  decimal,
  divide,
  isZero,
  multiply,
  negate,
  sign,
  subtract,
  ZERO,
} from '../../values/decimal.ts'
import type { Decimal } from '../../values/decimal.ts'

export interface PeriodValues {
  /** value at the start; all amounts are in the requested currency */
  opening: Decimal
  /** value at the end */
  closing: Decimal
  /** sum of the flows: positive in, negative out */
  flow: Decimal
}

const SMALLEST_BASE = decimal('0.01')
const HUNDRED = decimal('100')

/**
 * Cash-flow-adjusted profit of a period, and its percentage of the opening value. The percentage is 0 for an
 * opening value below 0.01 of the currency, because JSON has no NaN. A negative opening value divides by its
 * absolute value, so that a gain stays positive.
 */
export function periodProfit(period: PeriodValues): { profitLoss: Decimal; profitLossPercent: Decimal } {
  const profitLoss = subtract(subtract(period.closing, period.opening), period.flow)
  const base = sign(period.opening) < 0 ? negate(period.opening) : period.opening
  if (compare(base, SMALLEST_BASE) < 0 || isZero(profitLoss)) return { profitLoss, profitLossPercent: ZERO }
  return { profitLoss, profitLossPercent: divide(multiply(profitLoss, HUNDRED), base) }
}
