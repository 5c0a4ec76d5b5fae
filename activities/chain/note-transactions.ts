import type pg from 'pg'
import type { WalletTransactionToWrite } from '../../db/chain/write-wallet.ts'
import { noteWalletEvents, readWatch, takeReorged } from '../../db/events/note-events.ts'

/** A transaction that is found later than this after its block is marked as late. */
const LATE_MS = 60 * 60_000

/** Notes transactions that were not stored before, if their wallet is watched. */
export async function noteTransactions(
  client: pg.ClientBase,
  input: {
    walletId: string
    networkId: string
    transactions: readonly WalletTransactionToWrite[]
    now: Date
  },
): Promise<void> {
  const { walletId, networkId, transactions, now } = input
  if (transactions.length === 0) return
  const watch = await readWatch(client, input)
  if (!watch) return
  const hashes = transactions.map(({ origin }) => origin.hash)
  const reorged = await takeReorged(client, { walletId, networkId, hashes })
  const events = transactions.map(({ origin, identified, main, fragment }) => ({
    kind: 'wallet.transaction' as const,
    blockNumber: origin.blockNumber,
    txHash: origin.hash,
    payload: {
      first: true,
      again: reorged.has(origin.hash),
      status: origin.blockNumber <= watch.confirmedBlock ? ('confirmed' as const) : ('unconfirmed' as const),
      blockHash: origin.blockHash,
      late: now.getTime() - origin.at.getTime() > LATE_MS,
      identified,
      row: { main, fragment },
    },
  }))
  await noteWalletEvents(client, { walletId, networkId, events })
}
