import type { SyncedWallet } from '../../db/chain/read-syncs.ts'
import type { ReadonlyDb } from '../../db/schema.ts'
import type { BookSet } from '../../db/pnl/books.ts'
import { readBooks } from '../../db/pnl/books.ts'

/** The books of wallets, grouped by wallet: transfers between books of one wallet are own transfers. */
export async function walletSets(db: ReadonlyDb, wallets: readonly SyncedWallet[]): Promise<BookSet[]> {
  const books = await readBooks(db, wallets)
  return [...Map.groupBy(books, ({ walletId }) => walletId).values()].map((own) => ({ books: own }))
}
