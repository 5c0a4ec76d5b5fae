import { sql } from 'kysely'
import type { ReadonlyDb } from '../schema.ts'
import { readSql } from '../read-sql.ts'

/** A wallet on a network that was synced at least once. */
export interface SyncedWallet {
  address: string
  walletId: string
  networkId: string
  blockchain: string
  /** Time of the last complete sync. */
  syncedAt: Date
}

/** The synced networks of wallets, in display order of the networks. */
export async function readSyncedWallets(
  db: ReadonlyDb,
  addresses: readonly string[],
): Promise<SyncedWallet[]> {
  return readSql(
    db,
    sql<SyncedWallet>`
      select wallet.address, wallet.id as "walletId", sync.network_id as "networkId", network.blockchain,
        sync.synced_at as "syncedAt"
      from wallets as wallet join wallet_syncs as sync on sync.wallet_id = wallet.id
      join networks as network on network.id = sync.network_id
      where wallet.address = any(${[...addresses]}::text[]) and sync.synced_at is not null
      order by wallet.address, network.position`,
  )
}

/** Wallets and networks whose sync failed and never succeeded. */
export async function readFailedSyncs(
  db: ReadonlyDb,
  addresses: readonly string[],
): Promise<{ address: string; networkId: string }[]> {
  return readSql(
    db,
    sql<{ address: string; networkId: string }>`
      select wallet.address, sync.network_id as "networkId"
      from wallets as wallet join wallet_syncs as sync on sync.wallet_id = wallet.id
      where wallet.address = any(${[...addresses]}::text[])
        and sync.synced_at is null and sync.failed_at is not null`,
  )
}

export interface SyncState {
  address: string
  networkId: string
  /** Null: never synced. */
  syncedAt: Date | null
  /** Whether a sync was requested since then. */
  requested: boolean
}

/** Every sync of the wallets that was ever requested or started. */
export async function readSyncStates(db: ReadonlyDb, addresses: readonly string[]): Promise<SyncState[]> {
  return readSql(
    db,
    sql<SyncState>`
      select asked.address, network.id as "networkId", sync.synced_at as "syncedAt",
        coalesce(request.at > coalesce(sync.synced_at, '-infinity'), false) as requested
      from unnest(${[...addresses]}::text[]) as asked (address)
      cross join networks as network
      left join wallets as wallet on wallet.address = asked.address
      left join wallet_syncs as sync on sync.wallet_id = wallet.id and sync.network_id = network.id
      left join lateral (
        select max(requested_at) as at from sync_requests
        where workflow_id = 'sync:' || asked.address || ':' || network.id
      ) as request on true
      where sync.wallet_id is not null or request.at is not null`,
  )
}
