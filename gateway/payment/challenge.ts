import type { Requirement } from './requirement.ts'
import { NETWORK } from './token.ts'

export interface ChallengeOptions {
  requirement: Requirement
  /** Absolute URL of the resource. */
  url: string
  description: string
  /** `NO_PAYMENT`, the missing parameters, or the protocol's code for why the payment was refused. */
  error: string
  requestId: string
  path: string
}

export const NO_PAYMENT = 'Payment required'

/**
 * Builds one 402 for both protocol versions: version 2 clients read the header, version 1 clients the body.
 * The body is also a regular error body of the API.
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
