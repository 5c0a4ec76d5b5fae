import { USDC_DECIMALS } from '../db/values/usdc.ts'
import type { Price } from './price.ts'
import type { Route } from './route.ts'

/**
 * `flat`: a call costs the price of its path. `multiplied`: that price times the call's credit multipliers.
 */
export type X402Pricing = 'flat' | 'multiplied'

/**
 * USDC base units of one call. null: the gateway does not sell it. With `multiplied`, a call of n times the
 * base credits costs n times the base price, rounded up to the unit; a call of 0 credits costs the base
 * price.
 */
export function x402UnitsOf(route: Route, { credits }: Price, pricing: X402Pricing): bigint | null {
  const units = x402BaseUnitsOf(route)
  if (units === null || pricing === 'flat' || !route.multiplied || credits === 0) return units
  const base = BigInt(route.credits)
  return (units * BigInt(credits) + base - 1n) / base
}

/** USDC base units of the cheapest call of a route. null: the gateway does not sell it */
export function x402BaseUnitsOf({ x402 }: Route): bigint | null {
  if (x402 === null) return null
  const [whole, fraction = ''] = x402.split('.')
  return BigInt(whole + fraction.padEnd(USDC_DECIMALS, '0'))
}
