import { expect } from 'vitest'
import type { ChainRange } from '../../activities/chain/chain-data.ts'
import type { WalletAccount, WalletSource } from '../../activities/chain/wallet-source.ts'
import { historyRequest } from './history-request.ts'

/**
 * Reads all parts of a wallet's history up to the head, as the steps of a sync do. Expects each to say from which block
 * on it has rows.
 */
export async function fullHistory(
  source: WalletSource,
  address: string,
): Promise<ChainRange & { accounts: Map<string, WalletAccount>; parts: number }> {
  const { block, finalized } = await source.head()
  const range: ChainRange = { blocks: [], transactions: [], transfers: [] }
  const accounts = new Map<string, WalletAccount>()
  let [next, parts]: [string | null, number] = [null, 0]
  do {
    const asked = { address, cursor: -1, headBlock: block.number, settled: finalized, next }
    const part = await source.readHistory(historyRequest({ ...asked, accounts: [...accounts.values()] }))
    // What is below is not derived again.
    const lowest = Math.min(...part.range.transactions.map(({ blockNumber }) => blockNumber))
    expect(part.fromBlock).toBeLessThanOrEqual(lowest)
    range.blocks.push(...part.range.blocks)
    range.transactions.push(...part.range.transactions)
    range.transfers.push(...part.range.transfers)
    for (const one of part.accounts) accounts.set(one.account, one)
    next = part.next
    parts++
  } while (next !== null)
  return { ...range, accounts, parts }
}
