import { readWantedWallets, type SyncedWallet, type WantedWallet } from '../../db/chain/read-syncs.ts'
import type { ReadonlyDb } from '../../db/schema.ts'
import { parseWalletAddress } from '../../db/values/wallet-address.ts'
import { notReadYet, notSynced, unavailable, badRequest } from '../errors.ts'
import type { WalletRef } from '../networks.ts'
import type { RouteContext } from '../route.ts'
import { readActiveNetworks } from '../../db/chain/read-networks.ts'
import { type NetworkId, NETWORKS } from '../../db/values/networks.ts'

/** A wallet on a network with stored balances. Its history is complete if `syncedAt` is set. */
export interface KnownWallet extends WantedWallet {
  walletId: string
  /** Time of its last complete sync, or else of its balances. */
  asOf: Date
}

/** The wallets of a request. `all` means every network of `all` and of the address that has a source or was synced. */
export interface Selection {
  /** With stored balances, without duplicates of a wallet and network. */
  known: KnownWallet[]
  /** Those of them with a complete history. */
  synced: SyncedWallet[]
  /** The known wallets of each item, in the order of the items. */
  byItem: KnownWallet[][]
  /** Without a complete history. */
  missing: WantedWallet[]
  /** Names of the missing ones and of those whose figures are being computed, for the answer. */
  pending: string[]
}

type Context = Pick<RouteContext, 'db' | 'firstReads'>

/**
 * Selects the wallets of a read that needs no history. Of wallets that nobody asked for, it starts the sync
 * and waits for the balances. Throws 503 if there are none in time, and 400 for a network without a source.
 */
export async function readableWallets(context: Context, items: readonly WalletRef[]): Promise<Selection> {
  const before = await select(context.db, items)
  await refuseUnavailable(context.db, { items, selection: before })
  const { missing, known } = before
  const unread = missing.filter((one) => one.active && !isKnown(one) && !one.failedAt)
  const isFirst = await startUnasked(context, before)
  if (unread.length === 0 || !(isFirst || known.length === 0)) return orUnavailable(before)
  if (!context.firstReads) throw unavailable()
  await context.firstReads.wait(unread)
  return orUnavailable(await select(context.db, items))
}

/** Selects wallets and starts the sync of those that nobody asked for, without waiting. */
export async function startedWallets(context: Context, items: readonly WalletRef[]): Promise<Selection> {
  const selection = await select(context.db, items)
  await startUnasked(context, selection)
  return selection
}

/** Like `startedWallets`; throws 409 if no wallet has a complete history. */
export async function someSynced(context: Context, items: readonly WalletRef[]): Promise<Selection> {
  const selection = await startedWallets(context, items)
  if (selection.synced.length === 0) throw notSynced()
  return selection
}

/** Like `startedWallets`; throws 409 if an item has no wallet with a complete history. */
export async function allSynced(context: Context, items: readonly WalletRef[]): Promise<Selection> {
  const selection = await startedWallets(context, items)
  if (selection.byItem.some((wallets) => !wallets.some(isSynced))) throw notSynced()
  return selection
}

/**
 * Like `someSynced`, for answers that must be of one state. Throws 409 also while figures of a wallet are
 * being computed.
 */
export async function someComputed(context: Context, items: readonly WalletRef[]): Promise<Selection> {
  const selection = await someSynced(context, items)
  if (!selection.known.every((one) => !isSynced(one) || one.isComputed)) throw notSynced()
  return selection
}

/** For each item, whether it has no data because its first sync fails on our side. */
export function failedItems(items: readonly WalletRef[], { byItem, missing }: Selection): boolean[] {
  return items.map(
    ({ address, network }, index) =>
      byItem[index]!.length === 0 &&
      missing.some(
        (one) => one.failedAt && one.address === address && (network === 'all' || network === one.networkId),
      ),
  )
}

/** The name of a wallet on a network in `meta.pending`. */
export const nameOfPending = ({ address, networkId }: { address: string; networkId: string }): string =>
  `${networkId}:${address}`

async function select(db: ReadonlyDb, items: readonly WalletRef[]): Promise<Selection> {
  const rows = await readWantedWallets(
    db,
    items.map((item) => ({ ...item, kind: parseWalletAddress(item.address)!.kind })),
  )
  const unique = new Map<string, WantedWallet>()
  for (const row of rows) if (!unique.has(keyOfSync(row))) unique.set(keyOfSync(row), row)
  const known = new Map<string, KnownWallet>()
  for (const [key, one] of unique)
    if (isKnown(one)) known.set(key, { ...one, asOf: (one.syncedAt ?? one.balancesAt)! })
  const byPosition = Map.groupBy(rows, ({ position }) => position)
  const byItem = items.map((_item, index) =>
    (byPosition.get(index + 1) ?? []).flatMap((row) => known.get(keyOfSync(row)) ?? []),
  )
  const inOrder = [...new Set(byItem.flat())]
  const all = [...unique.values()]
  const missing = all.filter((one) => !isSynced(one))
  return {
    known: inOrder,
    synced: inOrder.filter(isSynced),
    byItem,
    missing,
    pending: all.filter((one) => !isSynced(one) || !one.isComputed).map(nameOfPending),
  }
}

/** Starts the sync of wallets that nobody asked for. false: there was none. */
async function startUnasked({ firstReads }: Context, selection: Selection): Promise<boolean> {
  const unasked = selection.missing.filter(({ active, walletId }) => active && walletId === null)
  if (unasked.length === 0) return false
  if (!firstReads) throw unavailable()
  await firstReads.start(unasked)
  return true
}

/** Throws as a PATCH would if no sync will ever reach the wallets: no named network has a source. */
export async function refuseUnavailable(
  db: ReadonlyDb,
  { items, selection }: { items: readonly WalletRef[]; selection: Selection },
): Promise<void> {
  const { known, missing } = selection
  if (known.length === 0 && !missing.some(({ active }) => active)) await syncsOf(db, items)
}

function orUnavailable(selection: Selection): Selection {
  if (selection.known.length === 0) throw notReadYet()
  return selection
}

export const isSynced = <One extends WantedWallet>(one: One): one is One & SyncedWallet =>
  one.syncedAt !== null

const isKnown = (one: WantedWallet): one is WantedWallet & { walletId: string } =>
  one.walletId !== null && (one.syncedAt ?? one.balancesAt) !== null

export interface WalletSync {
  address: string
  networkId: string
}

export const keyOfSync = ({ address, networkId }: WalletSync) => `${address}:${networkId}`

/**
 * Each wallet and network once; `all` means the active networks of `all` and of its address type. Throws 400 for a network
 * without a configured source.
 */
export async function syncsOf(db: ReadonlyDb, items: readonly WalletRef[]): Promise<WalletSync[]> {
  const active: readonly string[] = (await readActiveNetworks(db)).map(({ id }) => id)
  if (active.length === 0) throw unavailable()
  const networksOf = ({ address, network }: WalletRef): readonly string[] => {
    const kind = parseWalletAddress(address)?.kind
    if (network === 'all')
      return NETWORKS.flatMap((one) =>
        one.inAll && one.kind === kind && active.includes(one.id) ? [one.id] : [],
      )
    if (!active.includes(network)) throw badRequest(`Network not available: ${network satisfies NetworkId}`)
    return [network]
  }
  const syncs = items.flatMap((item) =>
    networksOf(item).map((networkId) => ({ address: item.address, networkId })),
  )
  if (syncs.length === 0) throw unavailable()
  return [...new Map(syncs.map((sync) => [keyOfSync(sync), sync])).values()]
}
