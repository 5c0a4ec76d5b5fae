import type { SyncedWallet } from '../../db/chain/read-syncs.ts'
import type { ReadonlyDb } from '../../db/connect.ts'
import type { BookSet } from '../../db/pnl/book-sets.ts'
import { readBooks } from '../../db/pnl/books.ts'

/** The books of wallets, wallet by wallet: transfers between those of one wallet are own ones. */
export async function walletSets(db: ReadonlyDb, wallets: readonly SyncedWallet[]): Promise<BookSet[]> {
  const books = await readBooks(db, wallets)
  return [...Map.groupBy(books, ({ walletId }) => walletId).values()].map((own) => ({ books: own }))
}
