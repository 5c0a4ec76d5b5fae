import type pg from 'pg'
import { FORMAT_VERSION } from './stored-transaction.ts'

// Marks of a sync: rows are stored up to the cursor and derived up to the normalised block.

interface SyncKey {
  walletId: string
  networkId: string
}

/** The last block whose rows are stored; -1: none yet. */
export async function readCursor(pool: pg.Pool, { walletId, networkId }: SyncKey): Promise<number> {
  const { rows } = await pool.query<{ cursor_block: string }>(
    'select cursor_block from wallet_syncs where wallet_id = $1 and network_id = $2',
    [walletId, networkId],
  )
  return Number(rows[0]?.cursor_block ?? -1)
}

/**
 * Moves the cursor forward, and the normalised mark back if rows arrived late below it. Returns false if
 * another attempt or a rewind moved the cursor first.
 */
export async function moveCursor(
  client: pg.ClientBase,
  input: SyncKey & { from: number; to: number; headBlock: number; normalisedAtMost: number },
): Promise<boolean> {
  const { rowCount } = await client.query(
    `update wallet_syncs set cursor_block = $3, head_block = $4,
       normalised_block = least(normalised_block, $5)
     where wallet_id = $1 and network_id = $2 and cursor_block = $6`,
    [input.walletId, input.networkId, input.to, input.headBlock, input.normalisedAtMost, input.from],
  )
  return rowCount !== 0
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
