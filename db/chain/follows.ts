import type pg from 'pg'
import { noteConfirmed } from '../events/note-events.ts'

// The state of a network's head follower: `network_follows`.

/** A block that rows are complete up to. */
export interface BlockMark {
  number: number
  hash: string
}

/** How a follower reads its network. */
export interface FollowMethod {
  /** blocks: each of them; ranges: those of a range that its logs and balances show to concern a wallet */
  mode: 'blocks' | 'ranges'
  /** raw: whole blocks of Bitcoin */
  method: 'receipts' | 'logs' | 'ranges' | 'raw'
  /** time between two reads; null: each block is read when it comes */
  tickMs: number | null
  /** why no better method is used; null: there is none */
  reason: string | null
  /** host of the node; null: there is one source */
  node: string | null
}

interface Attempt {
  networkId: string
  /** what `beginFollow` returned */
  epoch: string
}

export interface Follow {
  mode: string
  epoch: string
  cursor: BlockMark | null
  /** -1: none yet */
  confirmed: number
}

interface FollowRow {
  mode: string
  epoch: string
  cursor_block: string | null
  cursor_hash: string | null
  confirmed_block: string | null
}

const COLUMNS = 'mode, epoch, cursor_block, cursor_hash, confirmed_block'

function followOf(row: FollowRow): Follow {
  const { mode, epoch, cursor_block, cursor_hash, confirmed_block } = row
  const cursor =
    cursor_block === null || cursor_hash === null ? null : { number: Number(cursor_block), hash: cursor_hash }
  return { mode, epoch, cursor, confirmed: Number(confirmed_block ?? -1) }
}

/** Begins an attempt to follow a network. Attempts that began before cannot commit any more. */
export async function beginFollow(pool: pg.Pool, networkId: string): Promise<Follow> {
  const { rows } = await pool.query<FollowRow>(
    `insert into network_follows as known (network_id, epoch, mode) values ($1, 1, 'blocks')
     on conflict (network_id) do update
       set epoch = known.epoch + 1, mode = case known.mode when 'off' then 'blocks' else known.mode end, reason = null
     returning ${COLUMNS}`,
    [networkId],
  )
  return followOf(rows[0]!)
}

export async function readFollow(client: pg.Pool | pg.ClientBase, networkId: string): Promise<Follow | null> {
  const { rows } = await (client as pg.Pool).query<FollowRow>(
    `select ${COLUMNS} from network_follows where network_id = $1`,
    [networkId],
  )
  return rows[0] ? followOf(rows[0]) : null
}

/** Locks the state until the transaction ends. null: an attempt that began later has taken over. */
export async function lockFollow(client: pg.ClientBase, attempt: Attempt): Promise<Follow | null> {
  const { rows } = await client.query<FollowRow>(
    `select ${COLUMNS} from network_follows where network_id = $1 and epoch = $2 for update`,
    [attempt.networkId, attempt.epoch],
  )
  return rows[0] ? followOf(rows[0]) : null
}

/** Needs the lock of `lockFollow`. */
export async function moveFollow(
  client: pg.ClientBase,
  input: {
    networkId: string
    cursor: BlockMark
    cursorAt: Date
    headBlock: number
    method: FollowMethod
  },
): Promise<void> {
  const { networkId, cursor, cursorAt, headBlock, method } = input
  await client.query(
    `update network_follows set cursor_block = $2, cursor_hash = $3, cursor_at = $4, head_block = $5,
       mode = $6, method = $7, tick_ms = $8, method_reason = $9, node = $10, advanced_at = clock_timestamp(), reason = null
     where network_id = $1`,
    [
      networkId,
      cursor.number,
      cursor.hash,
      cursorAt,
      headBlock,
      method.mode,
      method.method,
      method.tickMs,
      method.reason,
      method.node,
    ],
  )
}

/** Records that the cursor is the head. false: a later attempt has taken over. */
export async function noteAtHead(pool: pg.Pool, attempt: Attempt): Promise<boolean> {
  const { rowCount } = await pool.query(
    `update network_follows set head_block = cursor_block, advanced_at = clock_timestamp(), reason = null
     where network_id = $1 and epoch = $2`,
    [attempt.networkId, attempt.epoch],
  )
  return rowCount === 1
}

/** Records why the follower does not advance. false: a later attempt has taken over. */
export async function noteTrouble(pool: pg.Pool, input: Attempt & { reason: string }): Promise<boolean> {
  const { rowCount } = await pool.query(
    'update network_follows set reason = $3 where network_id = $1 and epoch = $2',
    [input.networkId, input.epoch, input.reason],
  )
  return rowCount === 1
}

/**
 * Records that there is nothing to follow: the next attempt begins at the head. false: a later attempt has taken over.
 */
export async function noteIdle(pool: pg.Pool, attempt: Attempt): Promise<boolean> {
  const { rowCount } = await pool.query(
    `update network_follows set cursor_block = null, cursor_hash = null, cursor_at = null, reason = 'no wallet is on it'
     where network_id = $1 and epoch = $2`,
    [attempt.networkId, attempt.epoch],
  )
  return rowCount === 1
}

/** Those of the networks that have wallets. */
export async function networksWithWallets(pool: pg.Pool, networkIds: readonly string[]): Promise<string[]> {
  const { rows } = await pool.query<{ id: string }>(
    `select id from unnest($1::text[]) as asked (id)
     where exists (select from wallet_syncs where network_id = id and covered_from is null)
       or exists (select from wallet_syncs where network_id = id)`,
    [networkIds],
  )
  return rows.map(({ id }) => id)
}

/**
 * Records that the network is not followed, with a new epoch, so that no attempt commits any more. An attempt
 * that a later one has taken over from ends nothing.
 */
export async function endFollow(
  pool: pg.Pool,
  input: { networkId: string; epoch: string | null; reason: string },
): Promise<void> {
  await pool.query(
    `update network_follows set mode = 'off', method = null, tick_ms = null, method_reason = null, node = null,
       reason = $3, epoch = epoch + 1
     where network_id = $1 and ($2::bigint is null or epoch = $2)`,
    [input.networkId, input.epoch, input.reason],
  )
}

/**
 * Has the follower begin anew at a block: no wallet is covered, and blocks below are settled. false: a later
 * attempt has taken over.
 */
export async function restartFollow(
  client: pg.ClientBase,
  { networkId, epoch, from }: Attempt & { from: number },
): Promise<boolean> {
  const { rowCount } = await client.query(
    `update network_follows set cursor_block = null, cursor_hash = null, cursor_at = null,
       confirmed_block = $3 - 1
     where network_id = $1 and epoch = $2`,
    [networkId, epoch, from],
  )
  if (rowCount === 0) return false
  await client.query(
    'update wallet_syncs set covered_from = null where network_id = $1 and covered_from is not null',
    [networkId],
  )
  return true
}

/** The EVM networks among those that have blocks, with the number of their wallets. */
export async function countFollowed(
  pool: pg.Pool,
  networkIds: readonly string[],
): Promise<{ networkId: string; blockMs: number; wallets: number }[]> {
  const { rows } = await pool.query<{ id: string; block_ms: number; wallets: string }>(
    `select id, block_ms, (select count(*) from wallet_syncs where network_id = networks.id) as wallets
     from networks where id = any($1) and kind = 'evm' and block_ms is not null order by position`,
    [networkIds],
  )
  return rows.map((row) => ({ networkId: row.id, blockMs: row.block_ms, wallets: Number(row.wallets) }))
}

/** Whether each block of a range is stored. */
export async function hasEveryBlock(
  pool: pg.Pool,
  input: { networkId: string; above: number; through: number },
): Promise<boolean> {
  const { rows } = await pool.query<{ stored: string }>(
    'select count(*) as stored from blocks where network_id = $1 and number > $2 and number <= $3',
    [input.networkId, input.above, input.through],
  )
  return Number(rows[0]!.stored) === input.through - input.above
}

/** Blocks with stored transactions in a range, oldest first. */
export async function blocksToConfirm(
  pool: pg.Pool,
  input: { networkId: string; above: number; through: number },
): Promise<BlockMark[]> {
  const { rows } = await pool.query<{ number: string; hash: string }>(
    `select number, hash from blocks as block where network_id = $1 and number > $2 and number <= $3
       and exists (select from transactions where network_id = $1 and block_number = block.number)
     order by number`,
    [input.networkId, input.above, input.through],
  )
  return rows.map((row) => ({ number: Number(row.number), hash: row.hash }))
}

/**
 * Moves the mark forward, tells of the transactions that it confirms, and drops the blocks without rows that it
 * passes: they reveal no reorg any more. The last of them stays, because a reorg of all later ones ends there.
 */
export async function confirmThrough(
  client: pg.ClientBase,
  input: Attempt & { above: number; block: number },
): Promise<void> {
  const { rowCount } = await client.query(
    `update network_follows set confirmed_block = $4
     where network_id = $1 and epoch = $2 and coalesce(confirmed_block, -1) = $3`,
    [input.networkId, input.epoch, input.above, input.block],
  )
  if (rowCount === 0) return
  await noteConfirmed(client, { networkId: input.networkId, walletId: null, settledBlock: input.block })
  await client.query(
    `delete from blocks as block where network_id = $1
       and number >= coalesce((select max(number) from blocks where network_id = $1 and number <= $2), $2)
       and number < (select max(number) from blocks where network_id = $1 and number <= $3)
       and not exists (select from transactions where network_id = $1 and block_number = block.number)`,
    [input.networkId, input.above, input.block],
  )
}

/** The block of the cursor of a network that is followed; null: it is not, or has none yet. */
export async function readCursor(
  pool: pg.Pool,
  networkId: string,
): Promise<{ number: number; hash: string; parentHash: null; atMs: number } | null> {
  const { rows } = await pool.query<{ cursor_block: string; cursor_hash: string; cursor_at: Date }>(
    `select cursor_block, cursor_hash, cursor_at from network_follows
     where network_id = $1 and mode <> 'off' and cursor_hash is not null and cursor_at is not null`,
    [networkId],
  )
  if (!rows[0]) return null
  const { cursor_block, cursor_hash, cursor_at } = rows[0]
  return { number: Number(cursor_block), hash: cursor_hash, parentHash: null, atMs: cursor_at.getTime() }
}

/** Whether a block that was the cursor is still of the stored branch. Needs the lock of the network. */
export async function isStored(
  client: pg.ClientBase,
  { networkId, block }: { networkId: string; block: BlockMark },
): Promise<boolean> {
  const { rowCount } = await client.query(
    `select from network_follows where network_id = $1 and (confirmed_block >= $2 or exists (
       select from blocks where network_id = $1 and number = $2 and hash = $3))`,
    [networkId, block.number, block.hash],
  )
  return rowCount === 1
}
