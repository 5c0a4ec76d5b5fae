import type { ReadonlyDb } from '../../db/connect.ts'
import { readFailedSyncs, readSyncedWallets, type SyncedWallet } from '../../db/chain/read-syncs.ts'
import { notSynced } from '../errors.ts'
import type { WalletRef } from '../networks.ts'

/** What a selection of wallets stands for. `all` means the networks that the wallet was synced on. */
export interface Selection {
  /** Each wallet and network once. */
  synced: SyncedWallet[]
  /** What each item stands for, in the order of the items; nothing where it was never synced. */
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

/** The same, where at least one item has to be synced; throws 409. */
export async function someSynced(db: ReadonlyDb, items: readonly WalletRef[]): Promise<Selection> {
  const selection = await selectWallets(db, items)
  if (selection.synced.length === 0) throw notSynced()
  return selection
}

/** The same, where every item has to be synced; throws 409. */
export async function allSynced(db: ReadonlyDb, items: readonly WalletRef[]): Promise<Selection> {
  const selection = await selectWallets(db, items)
  if (selection.byItem.some((wallets) => wallets.length === 0)) throw notSynced()
  return selection
}

/** For each item, whether it shows nothing because its sync, which was asked for, fails on our side. */
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
