import type { Balance } from '../../db/metering/meter.ts'
import { type ApiError, creditsSpent, insufficientCredits } from '../errors.ts'
import type { Admitted } from './admission.ts'

/** Spreads clients that wait for the same new period. */
const MAX_JITTER_S = 60

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

/** 429 for a request that costs more than the credits left in the period. */
export function creditsRefusal(options: { cost: number; balance: Balance; random: () => number }): ApiError {
  const { cost, balance, random } = options
  // The price exceeds the credits of a whole period, so waiting never helps.
  if (cost > balance.granted) return insufficientCredits({})
  const retryAfter = {
    'retry-after': String(balance.periodEndsInS + Math.floor(random() * (MAX_JITTER_S + 1))),
  }
  return balance.available <= 0 ? creditsSpent(retryAfter) : insufficientCredits(retryAfter)
}
