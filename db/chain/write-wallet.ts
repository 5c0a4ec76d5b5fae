import type pg from 'pg'
import { copyRows } from '../copy-rows.ts'
import type { CopyValue } from '../copy-rows.ts'
import { FORMAT_VERSION } from './stored-transaction.ts'
import { noteSpam } from './wallet-spam.ts'

/** Origin of a derived row: a transaction in a block, or a balance read at a block. */
export interface Origin {
  at: Date
  blockNumber: number
  blockHash: string
  index: number
  hash: string
  source: string
}

export interface MovementToWrite {
  seq: number
  role: string
  coinId: string
  raw: bigint
  decimals: number
  counterparty: string | null
  price: { usd: string; at: Date; source: string } | null
}

export interface WalletTransactionToWrite {
  walletId: string
  origin: Origin
  type: string
  coinIds: readonly string[]
  identified: boolean
  main: { coinId: string; symbol: string; count: string; valueUsd: string | null } | null
  fragment: string
  movements: readonly MovementToWrite[]
}

/**
 * Writes transactions of wallets and their movements with the operator's labels. Does not change existing keys.
 */
export async function writeWalletTransactions(
  client: pg.ClientBase,
  input: { networkId: string; fetchedAt: Date; transactions: readonly WalletTransactionToWrite[] },
): Promise<void> {
  const { networkId, fetchedAt, transactions } = input
  if (transactions.length === 0) return
  const scope = { networkId, walletIds: [...new Set(transactions.map(({ walletId }) => walletId))] }
  await noteOlderForm(client, scope)
  const labelOf = await readLabels(client, scope)
  await copyRows(client, {
    table: 'wallet_transactions',
    columns: [
      'wallet_id',
      'network_id',
      'at',
      'block_number',
      'block_hash',
      'tx_index',
      'hash',
      'type',
      'coin_ids',
      'identified',
      'main_coin_id',
      'main_symbol',
      'main_count',
      'main_value_usd',
      'fragment',
      'source',
      'fetched_at',
    ],
    key: ['wallet_id', 'at', 'network_id', 'tx_index', 'hash'],
    rows: transactions.map(({ walletId, origin, main, ...row }): CopyValue[] => [
      walletId,
      networkId,
      origin.at,
      origin.blockNumber,
      origin.blockHash,
      origin.index,
      origin.hash,
      row.type,
      row.coinIds,
      row.identified,
      main?.coinId ?? null,
      main?.symbol ?? null,
      main?.count ?? null,
      main?.valueUsd ?? null,
      row.fragment,
      origin.source,
      fetchedAt,
    ]),
  })
  await copyRows(client, {
    table: 'movements',
    columns: [
      'wallet_id',
      'network_id',
      'at',
      'block_number',
      'block_hash',
      'tx_index',
      'tx_hash',
      'seq',
      'role',
      'coin_id',
      'raw',
      'decimals',
      'counterparty',
      'price_usd',
      'price_at',
      'price_source',
      'source',
      'fetched_at',
    ],
    key: ['wallet_id', 'network_id', 'at', 'tx_index', 'tx_hash', 'seq'],
    rows: transactions.flatMap(({ walletId, origin, movements }) =>
      movements.map((one): CopyValue[] => [
        walletId,
        networkId,
        origin.at,
        origin.blockNumber,
        origin.blockHash,
        origin.index,
        origin.hash,
        one.seq,
        labelOf(walletId, origin.hash, one.seq) ?? one.role,
        one.coinId,
        one.raw,
        one.decimals,
        one.counterparty,
        one.price?.usd ?? null,
        one.price?.at ?? null,
        one.price?.source ?? null,
        origin.source,
        fetchedAt,
      ]),
    ),
  })
  await noteSpam(client, { networkId, transactions })
}

/**
 * A worker of an older release may run beside newer ones. Marks its rows, so a newer worker derives them
 * again.
 */
async function noteOlderForm(client: pg.ClientBase, { walletIds, networkId }: Scope): Promise<void> {
  await client.query(
    `update wallet_syncs set format_version = least(format_version, $3),
       normalised_version = least(normalised_version, $3)
     where wallet_id = any($1) and network_id = $2 and greatest(format_version, normalised_version) > $3`,
    [walletIds, networkId, FORMAT_VERSION],
  )
}

/** Blocks of a wallet, both ends inclusive. */
export interface WalletBlocks {
  walletId: string
  fromBlock: number
  toBlock: number
}

/**
 * Deletes the rows derived from the transactions of ranges of blocks, but keeps openings. Returns the instants
 * of the first and the last deleted movement of each wallet that had some, and the hashes of the deleted
 * transactions.
 */
export async function deleteDerived(
  client: pg.ClientBase,
  { networkId, ranges }: { networkId: string; ranges: readonly WalletBlocks[] },
): Promise<{
  instants: Map<string, { from: Date; to: Date }>
  has: (walletId: string, hash: string) => boolean
}> {
  const values = [networkId, ...rangeColumns(ranges)]
  const range = `unnest($2::bigint[], $3::bigint[], $4::bigint[]) as range (wallet_id, from_block, to_block)`
  const { rows } = await client.query<{ wallet_id: string; from: Date; to: Date }>(
    `with gone as (
       delete from movements as row using ${range}
       where row.wallet_id = range.wallet_id and network_id = $1 and block_number between from_block and to_block
         and tx_hash not like 'balance:%' returning row.wallet_id, at
     ) select wallet_id, min(at) as from, max(at) as to from gone group by wallet_id`,
    values,
  )
  const deleted = await client.query<{ wallet_id: string; hash: string }>(
    `delete from wallet_transactions as row using ${range}
     where row.wallet_id = range.wallet_id and network_id = $1 and block_number between from_block and to_block
       and type <> 'balance' returning row.wallet_id, hash`,
    values,
  )
  const hashes = new Set(deleted.rows.map(({ wallet_id, hash }) => `${wallet_id} ${hash}`))
  return {
    instants: new Map(rows.map(({ wallet_id, from, to }) => [wallet_id, { from, to }])),
    has: (walletId, hash) => hashes.has(`${walletId} ${hash}`),
  }
}

/** Time of the newest transaction of each wallet below its block. A wallet without one is left out. */
export async function timesBefore(
  client: pg.ClientBase,
  { networkId, ranges }: { networkId: string; ranges: readonly WalletBlocks[] },
): Promise<Map<string, Date>> {
  const { rows } = await client.query<{ wallet_id: string; at: Date }>(
    `select range.wallet_id, newest.at
     from unnest($2::bigint[], $3::bigint[]) as range (wallet_id, from_block)
     cross join lateral (
       select at from wallet_transactions
       where wallet_id = range.wallet_id and network_id = $1 and block_number < from_block and type <> 'balance'
       order by at desc limit 1) as newest`,
    [networkId, ...rangeColumns(ranges).slice(0, 2)],
  )
  return new Map(rows.map(({ wallet_id, at }) => [wallet_id, at]))
}

function rangeColumns(ranges: readonly WalletBlocks[]): [string[], number[], number[]] {
  return [
    ranges.map(({ walletId }) => walletId),
    ranges.map(({ fromBlock }) => fromBlock),
    ranges.map(({ toBlock }) => toBlock),
  ]
}

interface Scope {
  walletIds: readonly string[]
  networkId: string
}

/** The operator's labels of the wallets' movements, by wallet, transaction hash and `seq`. */
async function readLabels(
  client: pg.ClientBase,
  { walletIds, networkId }: Scope,
): Promise<(walletId: string, hash: string, seq: number) => string | undefined> {
  const { rows } = await client.query<{ wallet_id: string; tx_hash: string; seq: number; role: string }>(
    `select wallet_id, tx_hash, seq, role from movement_labels where wallet_id = any($1) and network_id = $2`,
    [walletIds, networkId],
  )
  const roles = new Map(rows.map((row) => [`${row.wallet_id} ${row.tx_hash} ${row.seq}`, row.role]))
  return (walletId, hash, seq) => roles.get(`${walletId} ${hash} ${seq}`)
}
