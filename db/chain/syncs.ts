import type pg from 'pg'
import { noteConfirmed, noteWalletEvents, readWatches } from '../events/note-events.ts'
import { transact } from '../transact.ts'
import { wakeMark } from './marks.ts'

interface SyncKey {
  address: string
  networkId: string
}

/** Creates the wallet and its sync if missing, and records the head that this sync must reach. */
export async function startSync(
  pool: pg.Pool,
  input: SyncKey & { headBlock: number },
): Promise<{ walletId: string; synced: boolean }> {
  const walletId = await openWallet(pool, input.address)
  const sync = await pool.query<{ synced: boolean }>(
    `insert into wallet_syncs (wallet_id, network_id, head_block) values ($1, $2, $3)
     on conflict (wallet_id, network_id) do update set head_block = excluded.head_block
     returning synced_at is not null as synced`,
    [walletId, input.networkId, input.headBlock],
  )
  return { walletId, synced: sync.rows[0]!.synced }
}

/**
 * Marks a sync as done if its rows reach the head that it started with. Uses the database's clock, because
 * the time is compared with request times, which also come from the database.
 */
export async function completeSync(
  pool: pg.Pool,
  input: { walletId: string; networkId: string },
): Promise<boolean> {
  return transact(pool, async ({ client }) => {
    const { rows } = await client.query<{ before: Date | null; settled: string }>(
      `update wallet_syncs set synced_at = clock_timestamp(), failed_at = null, failure = null
       where wallet_id = $1 and network_id = $2 and cursor_block >= head_block and normalised_block >= head_block
       returning old.synced_at as before, settled_block(network_id, head_block) as settled`,
      [input.walletId, input.networkId],
    )
    if (!rows[0]) return false
    const { before, settled } = rows[0]
    await wakeMark(client, input)
    await noteConfirmed(client, { ...input, settledBlock: Number(settled) })
    await noteSynced(client, { ...input, before })
    return true
  })
}

/** A sync that nobody asked for is no news, unless it is the first one. */
async function noteSynced(
  client: pg.ClientBase,
  input: { walletId: string; networkId: string; before: Date | null },
): Promise<void> {
  const { walletId, networkId, before } = input
  const watches = await readWatches(client, { networkId, walletIds: [walletId] })
  if (watches.size === 0) return
  const { rows } = await client.query<{ transactions: string }>(
    `select coalesce((
       select rows from wallet_transaction_counts where wallet_id = $1 and series = $2
     ), 0) as transactions
     where $3::timestamptz is null or exists (
       select from outbox join wallets on wallets.id = $1
       where workflow_id = 'sync:' || wallets.address || ':' || $2 and outbox.created_at > $3
     )`,
    [walletId, networkId, before],
  )
  const events = rows.map(({ transactions }) => ({
    walletId,
    kind: 'wallet.synced' as const,
    blockNumber: null,
    txHash: null,
    payload: { transactions: Number(transactions) },
  }))
  await noteWalletEvents(client, { networkId, events })
}

/**
 * Records that first balances are stored, in the transaction that writes them. false: the wallet is synced,
 * so it has better ones.
 */
export async function keepFirstBalances(
  client: pg.ClientBase,
  input: { walletId: string; networkId: string },
): Promise<boolean> {
  const { rowCount } = await client.query(
    `update wallet_syncs set balances_at = clock_timestamp()
     where wallet_id = $1 and network_id = $2 and synced_at is null`,
    [input.walletId, input.networkId],
  )
  return rowCount === 1
}

export async function failSync(pool: pg.Pool, input: SyncKey & { failure: string }): Promise<void> {
  await pool.query(
    `insert into wallet_syncs (wallet_id, network_id, failed_at, failure) values ($1, $2, clock_timestamp(), $3)
     on conflict (wallet_id, network_id) do update set failed_at = excluded.failed_at, failure = excluded.failure`,
    [await openWallet(pool, input.address), input.networkId, input.failure],
  )
}

/** Returns the id of a wallet; creates it if missing. */
async function openWallet(pool: pg.Pool, address: string): Promise<string> {
  await pool.query('insert into wallets (address) values ($1) on conflict do nothing', [address])
  // A separate statement, so it sees the wallet that another network's sync inserted meanwhile.
  const { rows } = await pool.query<{ id: string }>('select id from wallets where address = $1', [address])
  return rows[0]!.id
}

/**
 * Wallets whose data or failure is too old, oldest first. Those in portfolios come before those that were only
 * read, of which one key can name any number. A failed sync waits as long as a successful one. A followed wallet
 * is as old as its follower, except for what only a sync does: gaps in the history of `gapNetworks`, rows to derive
 * again, and those of a version before `formatVersion`.
 */
export async function dueSyncs(
  pool: pg.Pool,
  input: { olderThanSeconds: number; limit: number; formatVersion: number; gapNetworks: readonly string[] },
): Promise<{ address: string; networkId: string }[]> {
  const { rows } = await pool.query<{ address: string; network_id: string }>(
    `select wallet.address, sync.network_id from wallet_syncs as sync
     join wallet_coverage as coverage using (wallet_id, network_id)
     join wallets as wallet on wallet.id = sync.wallet_id
     join networks as network on network.id = sync.network_id and network.active
     cross join lateral (
       select greatest(case when sync.gap_from is not null and sync.network_id = any($4)
           or sync.normalised_block < sync.cursor_block or sync.format_version < $3 then sync.synced_at else coverage.synced_at end,
         sync.failed_at, '-infinity') as at
     ) as current
     where current.at < clock_timestamp() - $1 * interval '1 second'
       and (sync.paused_until is null or sync.paused_until <= now())
     order by exists (
         select from portfolios where address = wallet.address and network_id = sync.network_id
       ) desc, current.at
     limit $2`,
    [input.olderThanSeconds, input.limit, input.formatVersion, input.gapNetworks],
  )
  return rows.map((row) => ({ address: row.address, networkId: row.network_id }))
}

/** Networks with a wallet whose history has a gap. */
export async function networksWithGaps(pool: pg.Pool): Promise<string[]> {
  const { rows } = await pool.query<{ network_id: string }>(
    'select distinct network_id from wallet_syncs where gap_from is not null',
  )
  return rows.map(({ network_id }) => network_id)
}
