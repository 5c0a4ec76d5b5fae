import { recover } from 'tiny-secp256k1'
import { keccak256 } from 'viem/utils'
import { type TransferAuthorization, transferDigest } from './transfer-digest.ts'

const EOA_BYTES = 65
/** The highest s of a low-s signature: half of the curve's order. */
const HIGHEST_S = Buffer.from('7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0', 'hex')
/** Suffix of signatures of undeployed contracts (ERC-6492). */
const UNDEPLOYED = '6492'.repeat(16)

/**
 * Returns why a signature is not the payer's; null: it is, or the payer is a contract and the facilitator
 * asks it. Of an account's two signatures only the one with low s and v 27 or 28 is valid, as in the token
 * contract. `isContract` is called only if no account can have made the signature.
 */
export async function checkSignature(
  transfer: TransferAuthorization,
  signature: string,
  isContract: (address: string) => Promise<boolean>,
): Promise<string | null> {
  // Checking such a signature would call a factory that the payer chose.
  if (signature.endsWith(UNDEPLOYED)) return 'eip6492_factory_not_allowed'
  const isRight = isSignedBy(transfer, Buffer.from(signature.slice(2), 'hex'))
  return isRight || (await isContract(transfer.from)) ? null : 'invalid_exact_evm_payload_signature'
}

function isSignedBy(transfer: TransferAuthorization, bytes: Buffer): boolean {
  const v = bytes[EOA_BYTES - 1]
  if (bytes.length !== EOA_BYTES || (v !== 27 && v !== 28)) return false
  if (bytes.compare(HIGHEST_S, 0, 32, 32, 64) > 0) return false
  try {
    const publicKey = recover(transferDigest(transfer), bytes.subarray(0, 64), v === 27 ? 0 : 1, false)
    return publicKey !== null && keccak256(publicKey.subarray(1)).slice(-40) === transfer.from.slice(2)
  } catch {
    // r or s is out of range.
    return false
  }
}
