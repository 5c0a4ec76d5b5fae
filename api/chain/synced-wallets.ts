import type { ReadonlyDb } from '../../db/schema.ts'
import { readFailedSyncs, readSyncedWallets, type SyncedWallet } from '../../db/chain/read-syncs.ts'
import { notSynced } from '../errors.ts'
import type { WalletRef } from '../networks.ts'

/** The synced wallets of a request. `all` means the networks on which the wallet was synced. */
export interface Selection {
  /** Without duplicates of a wallet and network. */
  synced: SyncedWallet[]
  /** The synced wallets of each item, in the order of the items; empty if it was never synced. */
  byItem: SyncedWallet[][]
}

export async function selectWallets(db: ReadonlyDb, items: readonly WalletRef[]): Promise<Selection> {
  const known = await readSyncedWallets(db, [...new Set(items.map(({ address }) => address))])
  const ofAddress = Map.groupBy(known, ({ address }) => address)
  const byItem = items.map(({ address, network }) =>
    (ofAddress.get(address) ?? []).filter(({ networkId }) => network === 'all' || network === networkId),
  )
  return { synced: [...new Set(byItem.flat())], byItem }
}

/** Like `selectWallets`; throws 409 if no item was synced. */
export async function someSynced(db: ReadonlyDb, items: readonly WalletRef[]): Promise<Selection> {
  const selection = await selectWallets(db, items)
  if (selection.synced.length === 0) throw notSynced()
  return selection
}

/** Like `selectWallets`; throws 409 if any item was never synced. */
export async function allSynced(db: ReadonlyDb, items: readonly WalletRef[]): Promise<Selection> {
  const selection = await selectWallets(db, items)
  if (selection.byItem.some((wallets) => wallets.length === 0)) throw notSynced()
  return selection
}

/** For each item, whether it has no data because its requested sync fails on our side. */
export async function failedItems(
  db: ReadonlyDb,
  items: readonly WalletRef[],
  { byItem }: Selection,
): Promise<boolean[]> {
  const empty = items.filter((_item, index) => byItem[index]!.length === 0)
  const failed =
    empty.length === 0
      ? []
      : await readFailedSyncs(
          db,
          empty.map(({ address }) => address),
        )
  return items.map(
    ({ address, network }) =>
      empty.some((item) => item.address === address && item.network === network) &&
      failed.some((sync) => sync.address === address && (network === 'all' || network === sync.networkId)),
  )
}
