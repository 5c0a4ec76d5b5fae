import type { SignedPayment } from './read-payment.ts'
import { MAX_TIMEOUT_S, type Requirement } from './requirement.ts'
import { NETWORK } from './token.ts'

/** Seconds by which a payer's clock may be ahead. */
const SKEW_S = 300n

/**
 * Returns the protocol's code for why a payment does not match the requirement; null: it matches. Only signed
 * values and our own requirement count, never unsigned claims of the payer.
 */
export function checkPayment(options: {
  payment: SignedPayment
  requirement: Requirement
  /** URL of this request. */
  url: string
}): string | null {
  const { payment, requirement, url } = options
  const { version, transfer, accepted, network, resourceUrl } = payment
  if (network !== (version === 1 ? NETWORK.v1 : NETWORK.v2)) return 'invalid_network'
  if (transfer.to !== requirement.payTo.toLowerCase()) return 'invalid_exact_evm_payload_recipient_mismatch'
  if (transfer.value !== BigInt(requirement.amount))
    return 'invalid_exact_evm_payload_authorization_value_mismatch'
  if (accepted && !isSame(accepted, requirement)) return 'invalid_payment_requirements'
  if (resourceUrl !== null && resourceUrl !== url) return 'invalid_payload'
  return null
}

function isSame(accepted: NonNullable<SignedPayment['accepted']>, requirement: Requirement): boolean {
  const { amount, asset, payTo } = requirement
  return (
    accepted.amount === amount &&
    accepted.asset.toLowerCase() === asset.toLowerCase() &&
    accepted.payTo.toLowerCase() === payTo.toLowerCase()
  )
}

/**
 * Returns why the time window of a payment is not acceptable; null: it is. An expired payment passes because
 * it may have a stored answer; without one the claim refuses it.
 */
export function checkWindow(
  { validAfter, validBefore }: SignedPayment['transfer'],
  now: Date,
): string | null {
  const nowS = BigInt(Math.floor(now.getTime() / 1_000))
  if (validAfter > nowS) return 'invalid_exact_evm_payload_authorization_valid_after'
  if (validBefore > nowS + BigInt(MAX_TIMEOUT_S) + SKEW_S)
    return 'invalid_exact_evm_payload_authorization_valid_before'
  return null
}
