import type { Requirement } from './requirement.ts'
import { NETWORK } from './token.ts'

export interface ChallengeOptions {
  requirement: Requirement
  /** Absolute. */
  url: string
  description: string
  /** Why what was paid did not do, as a code of the protocol. */
  error: string
  requestId: string
  path: string
}

export const NO_PAYMENT = 'Payment required'

/**
 * The 402 of both protocol versions at once: clients of version 2 take the header, those of version 1 read the body,
 * which is an error body of the contract as well.
 */
export function challengeOf(options: ChallengeOptions): { header: string; body: string } {
  const { requirement, url, description, error, requestId, path } = options
  const mimeType = 'application/json'
  const v2 = { x402Version: 2, error, resource: { url, description, mimeType }, accepts: [requirement] }
  const { amount, network: _, ...shared } = requirement
  const v1 = {
    ...shared,
    network: NETWORK.v1,
    maxAmountRequired: amount,
    resource: url,
    description,
    mimeType,
  }
  return {
    header: Buffer.from(JSON.stringify(v2)).toString('base64'),
    body: JSON.stringify({
      x402Version: 1,
      error,
      accepts: [v1],
      statusCode: 402,
      message: NO_PAYMENT,
      requestId,
      path,
    }),
  }
}
