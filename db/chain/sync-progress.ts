import type pg from 'pg'
import { FORMAT_VERSION } from './stored-transaction.ts'

/** A range that a source pages through backwards, and the page where it goes on. */
export interface Walk {
  headBlock: number
  settled: number
  lookBack: boolean
  next: string
}

// How far a sync is: rows are stored up to the cursor and derived up to the normalised block. The accounts of a
// wallet, such as the addresses of an extended key, are read apart, each up to a block of its own.

interface SyncKey {
  walletId: string
  networkId: string
}

/** Blocks whose history no source gives. */
export interface Gap {
  fromBlock: number
  toBlock: number
  reason: string
}

export interface Place {
  /** The last block whose rows are stored; -1: none yet. */
  cursor: number
  walk: Walk | null
  gap: Gap | null
  /** The follower matches the wallet from this block on; null: not yet. */
  coveredFrom: number | null
}

/** How far the history of a wallet is stored. */
export async function readPlace(pool: pg.Pool, { walletId, networkId }: SyncKey): Promise<Place> {
  const { rows } = await pool.query<{
    cursor_block: string
    walk: Walk | null
    gap_from: string | null
    gap_to: string | null
    gap_reason: string | null
    covered_from: string | null
  }>(
    `select cursor_block, walk, gap_from, gap_to, gap_reason, covered_from from wallet_syncs
     where wallet_id = $1 and network_id = $2`,
    [walletId, networkId],
  )
  const row = rows[0]
  if (!row) return { cursor: -1, walk: null, gap: null, coveredFrom: null }
  const { walk, gap_from: from, gap_to: to, gap_reason: reason } = row
  const gap = from === null ? null : { fromBlock: Number(from), toBlock: Number(to), reason: reason ?? '' }
  const coveredFrom = row.covered_from === null ? null : Number(row.covered_from)
  return { cursor: Number(row.cursor_block), walk, gap, coveredFrom }
}

/**
 * Moves the cursor of a wallet whose history reaches the coverage of the follower to the follower's own: the rows up
 * to there are stored. Needs the lock of the network. Returns whether it moved.
 */
export async function joinFollower(
  client: pg.ClientBase,
  { walletId, networkId }: SyncKey,
): Promise<boolean> {
  const { rowCount } = await client.query(
    `update wallet_syncs as sync set cursor_block = follow.cursor_block
     from network_follows as follow
     where sync.wallet_id = $1 and sync.network_id = $2 and follow.network_id = $2 and follow.mode <> 'off'
       and sync.walk is null and sync.cursor_block >= sync.covered_from - 1
       and sync.cursor_block < follow.cursor_block`,
    [walletId, networkId],
  )
  return rowCount !== 0
}

/**
 * Moves the cursor forward, and the normalised mark back if rows arrived late below it. Keeps the walk, and a
 * gap beside an earlier one. Returns false if another attempt or a rewind moved the cursor first.
 */
export async function moveCursor(
  client: pg.ClientBase,
  input: SyncKey & {
    from: number
    to: number
    headBlock: number
    normalisedAtMost: number
    walk: Walk | null
    gap: Gap | null
  },
): Promise<boolean> {
  const { walletId, networkId, from, to, headBlock, normalisedAtMost, walk, gap } = input
  const { rowCount } = await client.query(
    `update wallet_syncs set cursor_block = $3, head_block = $4,
       normalised_block = least(normalised_block, $5), walk = $7,
       gap_from = least(gap_from, $8::bigint), gap_to = greatest(gap_to, $9::bigint),
       gap_reason = coalesce($10, gap_reason)
     where wallet_id = $1 and network_id = $2 and cursor_block = $6`,
    [
      walletId,
      networkId,
      to,
      headBlock,
      normalisedAtMost,
      from,
      walk && JSON.stringify(walk),
      gap?.fromBlock,
      gap?.toBlock,
      gap?.reason.slice(0, 500),
    ],
  )
  return rowCount !== 0
}

/** Moves the cursor back to the start of the gap, which is read again. Returns the place. */
export async function reopenGap(pool: pg.Pool, { walletId, networkId }: SyncKey): Promise<Place> {
  await pool.query(
    `update wallet_syncs set cursor_block = least(cursor_block, gap_from - 1), walk = null,
       gap_from = null, gap_to = null, gap_reason = null
     where wallet_id = $1 and network_id = $2 and gap_from is not null`,
    [walletId, networkId],
  )
  return await readPlace(pool, { walletId, networkId })
}

/**
 * Locks and reads both marks; -1: none yet. `isOutdated`: rows have an older form and must be derived again.
 */
export async function lockMarks(
  client: pg.ClientBase,
  { walletId, networkId }: SyncKey,
): Promise<{ cursor: number; normalised: number; isOutdated: boolean }> {
  const { rows } = await client.query<{
    cursor_block: string
    normalised_block: string
    normalised_version: number
  }>(
    `select cursor_block, normalised_block, normalised_version from wallet_syncs
     where wallet_id = $1 and network_id = $2 for update`,
    [walletId, networkId],
  )
  return {
    cursor: Number(rows[0]?.cursor_block ?? -1),
    normalised: Number(rows[0]?.normalised_block ?? -1),
    isOutdated: (rows[0]?.normalised_version ?? FORMAT_VERSION) < FORMAT_VERSION,
  }
}

/** Records that rows up to the block have the form of this release; at the cursor, all rows have it. */
export async function moveNormalised(
  client: pg.ClientBase,
  { walletId, networkId, to }: SyncKey & { to: number },
): Promise<void> {
  await client.query(
    `update wallet_syncs set normalised_block = $3, normalised_version = $4,
       format_version = case when $3 >= cursor_block then $4 else format_version end
     where wallet_id = $1 and network_id = $2`,
    [walletId, networkId, to, FORMAT_VERSION],
  )
}

/** Has the rows of a wallet derived again from a block on: some came late. */
export async function normaliseFrom(
  pool: pg.Pool,
  { walletId, networkId, fromBlock }: SyncKey & { fromBlock: number },
): Promise<void> {
  await pool.query(
    `update wallet_syncs set normalised_block = least(normalised_block, $3 - 1)
     where wallet_id = $1 and network_id = $2`,
    [walletId, networkId, fromBlock],
  )
}

/** Wallets with transactions in an older form than this release writes. */
export async function outdatedSyncs(
  pool: pg.Pool,
): Promise<{ walletId: string; address: string; networkId: string }[]> {
  const { rows } = await pool.query<{ wallet_id: string; address: string; network_id: string }>(
    `select wallet_id, address, network_id from wallet_syncs join wallets on wallets.id = wallet_id
     where format_version < $1 and normalised_block >= 0 order by wallet_id, network_id`,
    [FORMAT_VERSION],
  )
  return rows.map((row) => ({ walletId: row.wallet_id, address: row.address, networkId: row.network_id }))
}

/** Whether an earlier sync reached its head. */
export async function wasSynced(client: pg.ClientBase, { walletId, networkId }: SyncKey): Promise<boolean> {
  const { rows } = await client.query<{ synced: boolean }>(
    'select synced_at is not null as synced from wallet_syncs where wallet_id = $1 and network_id = $2',
    [walletId, networkId],
  )
  return rows[0]?.synced ?? false
}

interface Account {
  account: string
  role: 'wallet' | 'address' | 'token'
  readBlock: number
  newest: string | null
  /** what the source told of it; null: not known. Absent: to be kept as it is */
  seen?: string | null
  /** block as of which it told that */
  seenBlock?: number | null
}

/** The accounts of a wallet whose history is read separately, and how far each is read. */
export async function readAccounts(client: pg.Pool | pg.ClientBase, key: SyncKey): Promise<Account[]> {
  const { rows } = await (client as pg.Pool).query<{
    account: string
    role: Account['role']
    read_block: string
    newest: string | null
    seen: string | null
    seen_block: string | null
  }>(
    `select account, role, read_block, newest, seen, seen_block from wallet_accounts
     where wallet_id = $1 and network_id = $2 order by account`,
    [key.walletId, key.networkId],
  )
  return rows.map(({ read_block, seen_block, ...row }) => ({
    ...row,
    readBlock: Number(read_block),
    seenBlock: seen_block === null ? null : Number(seen_block),
  }))
}

/** Stores accounts and their read positions. Returns the number of new ones. Needs an open transaction. */
export async function writeAccounts(
  client: pg.ClientBase,
  input: SyncKey & { source: string; fetchedAt: Date; accounts: readonly Account[] },
): Promise<number> {
  const { accounts } = input
  if (accounts.length === 0) return 0
  const { rows } = await client.query<{ is_new: boolean }>(
    `insert into wallet_accounts as known
       (wallet_id, network_id, account, role, read_block, newest, seen, seen_block, source, fetched_at)
     select $1, $2, account, role, read_block, newest, seen, seen_block, $3, $4
     from unnest($5::text[], $6::text[], $7::bigint[], $8::text[], $9::text[], $10::bigint[])
       as read (account, role, read_block, newest, seen, seen_block)
     order by account
     on conflict (wallet_id, network_id, account) do update set read_block = excluded.read_block,
       newest = excluded.newest, source = excluded.source, fetched_at = excluded.fetched_at,
       seen = case when $11 then excluded.seen else known.seen end,
       seen_block = case when $11 then excluded.seen_block else known.seen_block end
     returning xmax = 0 as is_new`,
    [
      input.walletId,
      input.networkId,
      input.source,
      input.fetchedAt,
      accounts.map((one) => one.account),
      accounts.map((one) => one.role),
      accounts.map((one) => one.readBlock),
      accounts.map((one) => one.newest),
      accounts.map((one) => one.seen),
      accounts.map((one) => one.seenBlock),
      // A source either tells something of each account or leaves that to checks.
      accounts.some((one) => one.seen !== undefined),
    ],
  )
  return rows.filter((row) => row.is_new).length
}

/**
 * Moves the accounts back with a rewind. What a source told of one that lost no rows holds as of the block too; of the
 * others it is forgotten. To call before the rows are deleted.
 */
export async function rewindAccounts(
  client: pg.ClientBase,
  { networkId, block }: { networkId: string; block: number },
): Promise<void> {
  await client.query(
    `with lost as (
       select from_address as account from transfers where network_id = $1 and block_number > $2
       union select to_address from transfers where network_id = $1 and block_number > $2
     )
     update wallet_accounts as known set read_block = $2,
       seen = case when lost.account is null then known.seen end,
       seen_block = case when lost.account is null then least(known.seen_block, $2) end
     from wallet_accounts as one left join lost using (account)
     where known.wallet_id = one.wallet_id and known.network_id = one.network_id and known.account = one.account
       and known.network_id = $1 and known.read_block > $2`,
    [networkId, block],
  )
}

/** All addresses of a wallet: its own, and those of its extended key or stake address. */
export async function ownAddresses(
  client: pg.Pool | pg.ClientBase,
  input: { networkId: string; address: string },
): Promise<string[]> {
  const { rows } = await (client as pg.Pool).query<{ account: string }>(
    `select account from wallet_accounts as known join wallets as wallet on wallet.id = known.wallet_id
     where wallet.address = $2 and known.network_id = $1 and known.role = 'address' order by account`,
    [input.networkId, input.address],
  )
  return [input.address, ...rows.map((row) => row.account)]
}
