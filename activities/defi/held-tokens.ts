import { parseAbi } from 'viem'
import { MULTICALL3 } from '../../db/values/networks/network.ts'
import type { BlockReader } from './block-reader.ts'
import { contractAt } from './contract-at.ts'

/** A token that an account holds at the reader's block. */
export interface HeldToken {
  /** contract, lower case */
  token: `0x${string}`
  /** base units, above zero */
  raw: bigint
}

const TOKEN_ABI = parseAbi(['function balanceOf(address owner) view returns (uint256)'])

/**
 * The amounts of `tokens` that the account holds, read once and only if a protocol asks. Shares of vaults and pools are
 * found so: they come to a wallet as tokens.
 */
export function heldTokens(input: {
  reader: BlockReader
  account: string
  tokens: readonly string[]
}): () => Promise<HeldToken[]> {
  let held: Promise<HeldToken[]> | undefined
  return () => (held ??= readHeld(input))
}

async function readHeld(input: {
  reader: BlockReader
  account: string
  tokens: readonly string[]
}): Promise<HeldToken[]> {
  const { reader } = input
  // Something is asked in any case: a chain that does not answer is no wallet without tokens.
  const tokens = input.tokens.length > 0 ? input.tokens : [MULTICALL3]
  const account = input.account as `0x${string}`
  const amounts = await reader.tryRead(
    tokens.map((token) => contractAt(TOKEN_ABI, token)('balanceOf', [account])),
  )
  return tokens.flatMap((token, i) => {
    const raw = amounts[i] ?? 0n
    return raw > 0n ? { token: token as `0x${string}`, raw } : []
  })
}
