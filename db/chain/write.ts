import type pg from 'pg'
import { noteRewind } from './branches.ts'
import { appendRows, copyRows } from '../copy-rows.ts'
import type { CopyValue } from '../copy-rows.ts'
import { noteReorged } from '../events/note-events.ts'
import { findCold } from './cold-transactions.ts'
import { rewindAccounts } from './sync-progress.ts'

/** Rows as the adapters return them: numbers and bigints are not text yet, times are in milliseconds. */
export interface RawRange {
  blocks: readonly { number: number; hash: string; parentHash: string | null; atMs: number }[]
  transactions: readonly {
    hash: string
    blockNumber: number
    blockHash: string
    atMs: number
    index: number
    from: string
    to: string | null
    value: bigint
    fee: bigint
    success: boolean
    selector: string | null
  }[]
  transfers: readonly {
    txHash: string
    kind: string
    position: number
    item: number
    token: string | null
    tokenId: bigint | null
    from: string
    to: string
    raw: bigint
    fanOut: number
    blockNumber: number
    blockHash: string
    atMs: number
  }[]
}

interface RangeToWrite {
  networkId: string
  source: string
  fetchedAt: Date
  range: RawRange
}

/**
 * Inserts missing rows by natural key. Returns the number of inserted transactions and transfers. Transactions whose
 * rows are in files of the exports are not missing. Needs an open transaction with the lock of the network.
 */
export async function writeRange(client: pg.ClientBase, input: RangeToWrite): Promise<number> {
  const { networkId, range } = input
  const origin = [input.source, input.fetchedAt] as const
  await copyRows(client, {
    table: 'blocks',
    columns: ['network_id', 'number', 'hash', 'parent_hash', 'at', 'source', 'fetched_at'],
    key: ['network_id', 'number'],
    rows: range.blocks.map((block) => [
      networkId,
      block.number,
      block.hash,
      block.parentHash,
      new Date(block.atMs),
      ...origin,
    ]),
  })
  if (range.transactions.length + range.transfers.length === 0) return 0
  const cold = await findCold(client, { networkId, hashes: range.transactions.map(({ hash }) => hash) })
  const isAway = new Set(cold.flatMap(({ hashes }) => hashes))
  const transactions = await appendRows(client, {
    table: 'transactions',
    columns: [
      'network_id',
      'hash',
      'block_number',
      'block_hash',
      'at',
      'tx_index',
      'from_address',
      'to_address',
      'value',
      'fee',
      'success',
      'selector',
      'source',
      'fetched_at',
    ],
    key: ['network_id', 'hash'],
    rows: () => transactionRows(input, { origin, isAway }),
  })
  const transfers = await appendRows(client, {
    table: 'transfers',
    columns: [
      'network_id',
      'tx_hash',
      'kind',
      'position',
      'item',
      'token_address',
      'token_id',
      'from_address',
      'to_address',
      'raw',
      'fan_out',
      'block_number',
      'block_hash',
      'at',
      'source',
      'fetched_at',
    ],
    key: ['network_id', 'tx_hash', 'kind', 'position', 'item'],
    rows: () => transferRows(input, origin),
  })
  return transactions + transfers
}

function* transactionRows(
  { networkId, range }: RangeToWrite,
  { origin, isAway }: { origin: readonly [string, Date]; isAway: ReadonlySet<string> },
): Generator<CopyValue[]> {
  for (const row of range.transactions) {
    if (isAway.has(row.hash)) continue
    yield [
      networkId,
      row.hash,
      row.blockNumber,
      row.blockHash,
      new Date(row.atMs),
      row.index,
      row.from,
      row.to,
      row.value,
      row.fee,
      row.success,
      row.selector,
      ...origin,
    ]
  }
}

function* transferRows(
  { networkId, range }: RangeToWrite,
  origin: readonly [string, Date],
): Generator<CopyValue[]> {
  for (const row of range.transfers)
    yield [
      networkId,
      row.txHash,
      row.kind,
      row.position,
      row.item,
      row.token,
      row.tokenId,
      row.from,
      row.to,
      row.raw,
      row.fanOut,
      row.blockNumber,
      row.blockHash,
      new Date(row.atMs),
      ...origin,
    ]
}

/** Stored hashes of the given blocks of a network, by number. */
export async function storedHashes(
  client: pg.Pool | pg.ClientBase,
  input: { networkId: string; numbers: readonly number[] },
): Promise<Map<number, string>> {
  const { rows } = await (client as pg.Pool).query<{ number: string; hash: string }>(
    'select number, hash from blocks where network_id = $1 and number = any($2::bigint[])',
    [input.networkId, input.numbers],
  )
  return new Map(rows.map((row) => [Number(row.number), row.hash]))
}

/** The newest stored blocks of a network, newest first; `below` null: from the newest of all. */
export async function newestBlocks(
  client: pg.Pool | pg.ClientBase,
  input: { networkId: string; below: number | null; limit: number },
): Promise<{ number: number; hash: string }[]> {
  const { rows } = await (client as pg.Pool).query<{ number: string; hash: string }>(
    `select number, hash from blocks where network_id = $1 and ($2::bigint is null or number < $2)
     order by number desc limit $3`,
    [input.networkId, input.below, input.limit],
  )
  return rows.map((row) => ({ number: Number(row.number), hash: row.hash }))
}

/**
 * Deletes all rows of a network above `block`, raw and derived, moves the cursors and the follower back, and
 * marks P&L dirty from the first instant that changes. Needs an open transaction with the rewind lock.
 */
export async function rewindNetwork(
  client: pg.ClientBase,
  input: { networkId: string; block: number },
): Promise<void> {
  const values = [input.networkId, input.block]
  // Locked before the P&L states, in the same order as a recompute does.
  await client.query(
    `update wallet_syncs set cursor_block = least(cursor_block, $2), normalised_block = least(normalised_block, $2)
     where network_id = $1 and greatest(cursor_block, normalised_block) > $2`,
    values,
  )
  // Pages that were read may have been of the replaced branch.
  await client.query(
    `update wallet_syncs set walk = null where network_id = $1 and (walk->>'settled')::bigint > $2`,
    values,
  )
  await client.query(
    `insert into pl_states (book_id, dirty_from, legs_changed)
     select book.id, min(at), true from movements join books as book using (wallet_id, network_id)
     where network_id = $1 and block_number > $2 group by 1
     on conflict (book_id) do update set dirty_from = least(pl_states.dirty_from, excluded.dirty_from),
       legs_changed = true`,
    values,
  )
  await noteRewind(client, input)
  await rewindFollow(client, input)
  await noteReorged(client, input)
  await rewindAccounts(client, input)
  for (const table of ['movements', 'wallet_transactions', 'transfers', 'transactions'])
    await client.query(`delete from ${table} where network_id = $1 and block_number > $2`, values)
  await client.query('delete from blocks where network_id = $1 and number > $2', values)
}

/**
 * Moves the follower back with a rewind, to the last block that it stored there, in its transaction, and marks the wallets that lose rows: their
 * balances are read anew even if the other branch does not touch them. To call before the rows are deleted.
 */
async function rewindFollow(
  client: pg.ClientBase,
  { networkId, block }: { networkId: string; block: number },
): Promise<void> {
  const values = [networkId, block]
  const { rowCount } = await client.query(
    `update network_follows as follow set (cursor_block, cursor_at, cursor_hash) = (
       select coalesce(max(number), $2), max(at), max(hash) from (
         select number, at, hash from blocks where network_id = $1 and number <= $2 and number >= coalesce((
           select max(number) from blocks where network_id = $1 and number <= follow.confirmed_block), 0)
         order by number desc limit 1
       ) as common)
     where network_id = $1 and cursor_block > $2`,
    values,
  )
  if (rowCount === 0) return
  // A wallet that was taken up on the old branch is in the set, so the other branch is matched for it.
  await client.query(
    'update wallet_syncs set covered_from = $2 + 1 where network_id = $1 and covered_from > $2 + 1',
    values,
  )
  await client.query(
    `update touched_wallets set from_block = least(from_block, $2), through_block = $2
     where network_id = $1 and through_block > $2`,
    values,
  )
  await client.query(
    `with lost as (
       select from_address as address from transfers where network_id = $1 and block_number > $2
       union select to_address from transfers where network_id = $1 and block_number > $2
       union select from_address from transactions where network_id = $1 and block_number > $2
     ), losing as (
       select id as wallet_id from wallets where address in (select address from lost)
       union select wallet_id from wallet_accounts
       where network_id = $1 and role = 'address' and account in (select address from lost)
     ) insert into touched_wallets as known (network_id, wallet_id, from_block, through_block, reason)
     select network_id, wallet_id, $2, $2, 'reorg' from wallet_syncs join losing using (wallet_id)
     where network_id = $1 order by wallet_id
     on conflict (network_id, wallet_id) do update
       set from_block = least(known.from_block, excluded.from_block), through_block = excluded.through_block,
         reason = 'reorg', next_at = nullif(known.next_at, 'infinity'), marked_at = clock_timestamp()`,
    values,
  )
}

/** The block up to which a follower has confirmed blocks, which are never undone; -1: none. */
export async function confirmedBlock(client: pg.ClientBase, networkId: string): Promise<number> {
  const { rows } = await client.query<{ confirmed_block: string | null }>(
    'select confirmed_block from network_follows where network_id = $1',
    [networkId],
  )
  return Number(rows[0]?.confirmed_block ?? -1)
}
