import type { SignedPayment } from './read-payment.ts'
import { MAX_TIMEOUT_S, type Requirement } from './requirement.ts'
import { NETWORK } from './token.ts'

/** How far the clock of a payer may be ahead. */
const SKEW_S = 300n

/**
 * Why a payment is not the one that was asked for, as a code of the protocol; null: it is. All of it is signed or
 * ours, so that nothing the payer merely says is believed.
 */
export function checkPayment(options: {
  payment: SignedPayment
  requirement: Requirement
  /** Of this request. */
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
 * Why the time of a payment cannot be; null: it can. One that is over may have its stored answer: the claim refuses it
 * when it has none.
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
