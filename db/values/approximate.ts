import type { Decimal } from './decimal.ts'

const POWERS = Array.from({ length: 309 }, (_, exponent) => Number(`1e${exponent}`))

/**
 * Returns a double within a few units in the last place, 20 times as fast as `toNumber`. Only for value
 * points of charts, never for flows, cost basis or profit.
 */
export function approximate(value: Decimal): number {
  return Number(value.coefficient) / (POWERS[value.scale] ?? Infinity)
}
