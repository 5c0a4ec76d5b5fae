import type pg from 'pg'

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

/** Both marks, locked; -1: nothing yet. */
export async function lockMarks(
  client: pg.ClientBase,
  { walletId, networkId }: SyncKey,
): Promise<{ cursor: number; normalised: number }> {
  const { rows } = await client.query<{ cursor_block: string; normalised_block: string }>(
    `select cursor_block, normalised_block from wallet_syncs where wallet_id = $1 and network_id = $2 for update`,
    [walletId, networkId],
  )
  return {
    cursor: Number(rows[0]?.cursor_block ?? -1),
    normalised: Number(rows[0]?.normalised_block ?? -1),
  }
}

export async function moveNormalised(
  client: pg.ClientBase,
  { walletId, networkId, to }: SyncKey & { to: number },
): Promise<void> {
  await client.query(
    'update wallet_syncs set normalised_block = $3 where wallet_id = $1 and network_id = $2',
    [walletId, networkId, to],
  )
}

/** Whether a sync has reached its head before. */
export async function wasSynced(client: pg.ClientBase, { walletId, networkId }: SyncKey): Promise<boolean> {
  const { rows } = await client.query<{ synced: boolean }>(
    'select synced_at is not null as synced from wallet_syncs where wallet_id = $1 and network_id = $2',
    [walletId, networkId],
  )
  return rows[0]?.synced ?? false
}
