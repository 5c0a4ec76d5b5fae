import { readSyncedWallets, type SyncedWallet } from '../../db/chain/read-syncs.ts'
import type { ReadonlyDb } from '../../db/schema.ts'
import type { Portfolio } from '../../db/portfolios/read-portfolios.ts'

/** The synced wallets of portfolios, each on its network. */
export async function syncedWalletsOf(
  db: ReadonlyDb,
  portfolios: readonly Portfolio[],
): Promise<SyncedWallet[]> {
  const wallets = portfolios.filter((portfolio) => portfolio.kind === 'wallet')
  if (wallets.length === 0) return []
  const keyOf = (at: { address: string; networkId: string }) => `${at.networkId}:${at.address}`
  const wanted = new Set(wallets.map(keyOf))
  const synced = await readSyncedWallets(db, [...new Set(wallets.map(({ address }) => address))])
  return synced.filter((wallet) => wanted.has(keyOf(wallet)))
}
