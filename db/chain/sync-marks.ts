import type pg from 'pg'
import { FORMAT_VERSION } from './stored-transaction.ts'

// How far a sync has come: up to the cursor rows are stored, up to the normalised block they are derived.

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
 * Moves the cursor on, and the other mark back to a block below which rows came late. False: the cursor is not where it was
 * read, another attempt or a rewind was faster.
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

/** Both marks, locked; -1: nothing yet. Outdated: what is derived has an older form, and has to be derived again. */
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

/** What is derived up to the block has the form of this release; at the cursor, everything has. */
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

/** Wallets with transactions of an older form than that of this release. */
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

/** Whether a sync has reached its head before. */
export async function wasSynced(client: pg.ClientBase, { walletId, networkId }: SyncKey): Promise<boolean> {
  const { rows } = await client.query<{ synced: boolean }>(
    'select synced_at is not null as synced from wallet_syncs where wallet_id = $1 and network_id = $2',
    [walletId, networkId],
  )
  return rows[0]?.synced ?? false
}
