import type { Hex } from 'viem'
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import type { Secrets } from './secrets.ts'

/** The wallet of `sluice pay`. It has USDC on the sandbox chain and nothing anywhere else. */
export function testPayer({ payerKey }: Pick<Secrets, 'payerKey'>): PrivateKeyAccount {
  return privateKeyToAccount(payerKey as Hex)
}
