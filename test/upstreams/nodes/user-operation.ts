import { encodeAbiParameters, encodeEventTopics } from 'viem'
import { entryPoint07Abi, entryPoint07Address } from 'viem/account-abstraction'
import type { LogSpec } from './chain.ts'

export const ENTRY_POINT = entryPoint07Address.toLowerCase()

/** The log of an operation of a smart account (ERC-4337). */
export function userOperation(of: { sender: string; paymaster: string; gasCost: bigint }): LogSpec {
  const [sender, paymaster] = [of.sender, of.paymaster] as [`0x${string}`, `0x${string}`]
  return {
    address: ENTRY_POINT,
    topics: encodeEventTopics({
      abi: entryPoint07Abi,
      eventName: 'UserOperationEvent',
      args: { userOpHash: `0x${'7'.repeat(64)}`, sender, paymaster },
    }) as string[],
    data: encodeAbiParameters(
      [{ type: 'uint256' }, { type: 'bool' }, { type: 'uint256' }, { type: 'uint256' }],
      [3n, true, of.gasCost, 90_000n],
    ),
  }
}
