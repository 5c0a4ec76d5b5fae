import { randomBytes } from 'node:crypto'
import type { Address, Hex } from 'viem'
import type { PrivateKeyAccount } from 'viem/accounts'
import { USDC } from './facilitator.ts'

export interface Authorization {
  from: Address
  to: Address
  value: string
  validAfter: string
  validBefore: string
  nonce: Hex
}

export const DOMAIN = { name: 'USD Coin', version: '2', chainId: 8453, verifyingContract: USDC } as const

const transfer = [
  { name: 'from', type: 'address' },
  { name: 'to', type: 'address' },
  { name: 'value', type: 'uint256' },
  { name: 'validAfter', type: 'uint256' },
  { name: 'validBefore', type: 'uint256' },
  { name: 'nonce', type: 'bytes32' },
] as const
export const TYPES = {
  TransferWithAuthorization: transfer,
  ReceiveWithAuthorization: transfer,
  CancelAuthorization: [
    { name: 'authorizer', type: 'address' },
    { name: 'nonce', type: 'bytes32' },
  ],
} as const

/** Signs a transfer authorization of the payer, valid for the next minute by default. */
export async function signPayment(
  payer: PrivateKeyAccount,
  given: Pick<Authorization, 'to' | 'value'> & Partial<Authorization>,
  primaryType: 'TransferWithAuthorization' | 'ReceiveWithAuthorization' = 'TransferWithAuthorization',
): Promise<{ authorization: Authorization; signature: Hex }> {
  const authorization = {
    from: payer.address,
    validAfter: '0',
    nonce: `0x${randomBytes(32).toString('hex')}` as Hex,
    validBefore: String(Math.floor(Date.now() / 1_000) + 60),
    ...given,
  }
  const message = {
    ...authorization,
    value: BigInt(authorization.value),
    validAfter: BigInt(authorization.validAfter),
    validBefore: BigInt(authorization.validBefore),
  }
  const signature = await payer.signTypedData({ domain: DOMAIN, types: TYPES, primaryType, message })
  return { authorization, signature }
}
