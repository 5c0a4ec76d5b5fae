import type pg from 'pg'
import type { WalletTransactionToWrite } from '../../../db/chain/write-wallet.ts'
import { noteUnconfirmed, noteWalletEvents, readWatches } from '../../../db/events/note-events.ts'

/**
 * A transaction that is found later than this after its block is marked as late. Twice the longest pause
 * between two syncs, so only a break or a catch-up makes one late.
 */
const LATE_MS = 10 * 60_000

/** Notes transactions that were not stored before, of the wallets that are watched. */
export async function noteTransactions(
  client: pg.ClientBase,
  input: { networkId: string; transactions: readonly WalletTransactionToWrite[]; now: Date },
): Promise<void> {
  const { networkId, transactions, now } = input
  if (transactions.length === 0) return
  const walletIds = [...new Set(transactions.map(({ walletId }) => walletId))]
  const watches = await readWatches(client, { networkId, walletIds })
  const found = transactions.flatMap(({ walletId, origin, identified, main, fragment }) => {
    const watch = watches.get(walletId)
    if (!watch) return []
    const { hash, blockNumber, blockHash, at } = origin
    const isSettled = blockNumber <= watch.settledBlock
    const late = now.getTime() - at.getTime() > LATE_MS
    return [{ walletId, hash, blockNumber, blockHash, isSettled, late, identified, row: { main, fragment } }]
  })
  const unconfirmed = found.filter(({ isSettled }) => !isSettled)
  await noteUnconfirmed(client, { networkId, transactions: unconfirmed })
  const events = found.map(({ walletId, hash, blockNumber, isSettled, ...facts }) => ({
    walletId,
    kind: 'wallet.transaction' as const,
    blockNumber,
    txHash: hash,
    payload: { first: true, status: isSettled ? ('confirmed' as const) : ('unconfirmed' as const), ...facts },
  }))
  await noteWalletEvents(client, { networkId, events })
}
