import type { Balance } from '../../db/metering/meter.ts'
import { type ApiError, creditsSpent, insufficientCredits } from '../errors.ts'
import type { Admitted } from './admission.ts'

/** The account's rate limit, as in draft-ietf-httpapi-ratelimit-headers-11. */
export function rateHeaders(admitted: Admitted): Record<string, string> {
  const resetS = admitted.passes ? admitted.fullInS : retryAfterS(admitted)
  return {
    'ratelimit-policy': `"rps";q=${admitted.requestsPerSecond};w=1`,
    ratelimit: `"rps";r=${admitted.requestsLeft};t=${resetS}`,
  }
}

/** At least 1: Retry-After counts whole seconds. */
export const retryAfterS = ({ nextInMs }: Admitted): number => Math.max(1, Math.ceil(nextInMs / 1_000))

export function creditHeaders(cost: number, balance: Balance): Record<string, string> {
  return {
    'x-credits-cost': String(cost),
    'x-credits-remaining': String(balance.available),
    'x-credits-reset': String(balance.periodEndsInS),
  }
}

/**
 * 429 for a request that costs more than the credits left in the period. Without Retry-After: clients that obey
 * it would sleep until the next period, while a top-up or a cheaper call helps at once. `x-credits-reset` has
 * the time.
 */
export const creditsRefusal = ({ cost, balance }: { cost: number; balance: Balance }): ApiError =>
  // A price above the credits of a whole period is never "reached".
  balance.available <= 0 && cost <= balance.granted ? creditsSpent() : insufficientCredits()
