import { sql } from 'kysely'
import type { ReadonlyDb } from '../schema.ts'
import { prepared, readSql, readText } from '../read-sql.ts'

/** A wallet on a network that was synced at least once. */
export interface SyncedWallet {
  address: string
  walletId: string
  networkId: string
  blockchain: string
  /** Everything up to this time is served. */
  syncedAt: Date
}

/** $1 addresses. Prepared, because planning takes longer than reading. */
const SYNCED_WALLETS = prepared(
  'synced_wallets',
  `select wallet.address, wallet.id as "walletId", sync.network_id as "networkId", network.blockchain,
    sync.synced_at as "syncedAt"
  -- "offset 0" hides the number of items from the planner, which would otherwise plan every statement again.
  from (select $1::text[] as addresses offset 0) as asked
  join wallets as wallet on wallet.address = any(asked.addresses)
  join wallet_coverage as sync on sync.wallet_id = wallet.id
  join networks as network on network.id = sync.network_id
  where sync.synced_at is not null
  order by wallet.address, network.position`,
)

/** The synced networks of wallets, in display order of the networks. */
export const readSyncedWallets = (db: ReadonlyDb, addresses: readonly string[]): Promise<SyncedWallet[]> =>
  readText(db, { text: SYNCED_WALLETS, values: [addresses] })

/** A wallet on a network that a request names. */
export interface WantedWallet {
  address: string
  networkId: string
  blockchain: string
  /** Whether the network has a source. */
  active: boolean
  /** Null: no sync of it has begun. */
  walletId: string | null
  /** Everything up to this time is served; null: its history is not complete. */
  syncedAt: Date | null
  /** Time of the balances that are served until then; null: none. */
  balancesAt: Date | null
  failedAt: Date | null
  /** Whether its figures contain all stored transactions; true before there are figures. */
  isComputed: boolean
}

/** $1 addresses, $2 networks, $3 kinds of the networks, of each item. Prepared: planning takes longer than reading. */
const WANTED_WALLETS = prepared(
  'wanted_wallets',
  `select item.position::integer, item.address, network.id as "networkId", network.blockchain, network.active,
    sync.wallet_id as "walletId", coverage.synced_at as "syncedAt", sync.balances_at as "balancesAt",
    sync.failed_at as "failedAt",
    not exists (select from uncomputed_figures where book_id = book.id) as "isComputed"
  -- "offset 0": see above.
  from (select $1::text[] as addresses, $2::text[] as networks, $3::text[] as kinds offset 0) as asked
  cross join unnest(asked.addresses, asked.networks, asked.kinds)
    with ordinality as item (address, network, kind, position)
  join networks as network on network.id = item.network or item.network = 'all' and network.in_all and network.kind = item.kind
  left join wallets as wallet on wallet.address = item.address
  left join wallet_syncs as sync on sync.wallet_id = wallet.id and sync.network_id = network.id
  left join wallet_coverage as coverage
    on coverage.wallet_id = sync.wallet_id and coverage.network_id = sync.network_id
  left join books as book on book.wallet_id = sync.wallet_id and book.network_id = sync.network_id
  where item.network <> 'all' or network.active or sync.synced_at is not null
  order by item.address, network.position`,
)

/**
 * The wallets that the items of a request name, each with its position in the list: on one network, or with
 * `all` on every network of `all` and its kind that has a source or was synced. In display order of the networks.
 */
export async function readWantedWallets(
  db: ReadonlyDb,
  items: readonly { address: string; network: string; kind: string }[],
): Promise<(WantedWallet & { position: number })[]> {
  return readText(db, {
    text: WANTED_WALLETS,
    values: [
      items.map(({ address }) => address),
      items.map(({ network }) => network),
      items.map(({ kind }) => kind),
    ],
  })
}

/** A network on which transactions of a wallet are missing. */
export interface HistoryGap {
  networkId: string
  /** Time of the last block that is missing; null: unknown. */
  until: Date | null
}

/** Gaps in the history of a wallet, in display order of the networks. */
export async function readHistoryGaps(
  db: ReadonlyDb,
  { address, networkIds }: { address: string; networkIds: readonly string[] },
): Promise<HistoryGap[]> {
  return readSql(
    db,
    sql<HistoryGap>`
      select sync.network_id as "networkId", block.at as until
      from wallets as wallet join wallet_syncs as sync on sync.wallet_id = wallet.id
      join networks as network on network.id = sync.network_id
      left join blocks as block on block.network_id = sync.network_id and block.number = sync.gap_to
      where wallet.address = ${address} and sync.network_id = any(${[...networkIds]}::text[])
        and sync.gap_to is not null
      order by network.position`,
  )
}

export interface SyncState {
  address: string
  networkId: string
  /** Everything up to this time is served; null: never synced. */
  syncedAt: Date | null
  /** Whether a sync was requested since then. */
  requested: boolean
  /** Whether everything that its source or follower has seen is served. */
  isCurrent: boolean
  /** Whether whatever happens reaches it without a sync. */
  isFollowed: boolean
  /** Why a wallet that a follower covers is not current. */
  message: string | null
  /** When its balances were last compared with the chain; null: never. */
  verifiedAt: Date | null
}

/** The state of the wallets on every network where a sync was ever requested or started. */
export async function readSyncStates(db: ReadonlyDb, addresses: readonly string[]): Promise<SyncState[]> {
  return readSql(
    db,
    sql<SyncState>`
      select asked.address, network.id as "networkId", sync.synced_at as "syncedAt",
        coalesce(request.at > coalesce(sync.synced_at, '-infinity'), false) as requested,
        coalesce(sync.state = 'synced', false) as "isCurrent", coalesce(sync.followed, false) as "isFollowed",
        sync.message, sync.verified_at as "verifiedAt"
      from unnest(${[...addresses]}::text[]) as asked (address)
      cross join networks as network
      left join wallets as wallet on wallet.address = asked.address
      left join wallet_coverage as sync on sync.wallet_id = wallet.id and sync.network_id = network.id
      left join lateral (
        select max(requested_at) as at from sync_requests
        where workflow_id = 'sync:' || asked.address || ':' || network.id
      ) as request on true
      where (network.in_all or network.active or sync.wallet_id is not null)
        and (sync.wallet_id is not null or request.at is not null)`,
  )
}
