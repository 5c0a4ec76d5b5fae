import type { Hex } from 'viem'
import type { TransferAuthorization } from '../../gateway/payment/transfer-digest.ts'

/** The domain of the public token, repeated here so that a mistake in ours shows. */
const DOMAIN = {
  name: 'USD Coin',
  version: '2',
  chainId: 8_453,
  verifyingContract: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
} as const

const uint = (name: string) => ({ name, type: 'uint256' as const })

/** The EIP-712 message of a transfer that wallets sign. */
export function typedTransfer(
  transfer: TransferAuthorization,
  domain: Partial<Record<keyof typeof DOMAIN, unknown>> = {},
) {
  return {
    domain: { ...DOMAIN, ...domain } as typeof DOMAIN,
    types: {
      TransferWithAuthorization: [
        { name: 'from', type: 'address' as const },
        { name: 'to', type: 'address' as const },
        uint('value'),
        uint('validAfter'),
        uint('validBefore'),
        { name: 'nonce', type: 'bytes32' as const },
      ],
    },
    primaryType: 'TransferWithAuthorization' as const,
    message: {
      ...transfer,
      from: transfer.from as Hex,
      to: transfer.to as Hex,
      nonce: transfer.nonce as Hex,
    },
  }
}
