import type { AddressSet } from './address-set.ts'
import { lastBits } from './address-set.ts'
import type { FollowedBlock } from './block-data.ts'

export interface BlockMatch {
  /** Addresses that the set may know, in lower case. The commit drops those of no wallet. */
  addresses: ReadonlySet<string>
  /** Indexes of the transactions that name one of them, ascending. */
  transactions: readonly number[]
  /** All candidates of the block, for wallets that are added later: two numbers of `lastBits` each. */
  candidates: Uint32Array
}

const ZEROS = `0x${'0'.repeat(24)}`

/** Matches the candidates of a block against the set. */
export function matchBlock(set: AddressSet, block: FollowedBlock): BlockMatch {
  const addresses = new Set<string>()
  const transactions = new Set<number>()
  const candidates: number[] = []
  visit(block, (text, transaction) => {
    const [high, low] = lastBits(text)
    candidates.push(high, low)
    if (!set.mayHaveBits(high, low)) return
    addresses.add(`0x${text.slice(-40).toLowerCase()}`)
    if (transaction !== null) transactions.add(transaction)
  })
  return { addresses, transactions: [...transactions], candidates: Uint32Array.from(candidates) }
}

/** Whether one of a block's candidates may be in the set. */
export function mayMatch(set: AddressSet, candidates: Uint32Array): boolean {
  for (let at = 0; at < candidates.length; at += 2)
    if (set.mayHaveBits(candidates[at]!, candidates[at + 1]!)) return true
  return false
}

/**
 * What a block names that may be a wallet: sender, receiver and created contract of each transaction; of each
 * log the contract and the topics that are addresses; receivers of withdrawals, which have no transaction.
 */
function visit(
  { header, transactions }: FollowedBlock,
  see: (text: string, transaction: number | null) => void,
): void {
  transactions.forEach(({ from, to, contractAddress, logs }, index) => {
    see(from, index)
    if (to) see(to, index)
    if (contractAddress) see(contractAddress, index)
    for (const { address, topics } of logs) {
      see(address, index)
      for (let i = 1; i < topics.length; i++) if (topics[i]!.startsWith(ZEROS)) see(topics[i]!, index)
    }
  })
  for (const { address } of header.withdrawals ?? []) see(address, null)
}
