import type pg from 'pg'
import { copyRows } from '../copy-rows.ts'
import type { CopyValue } from '../copy-rows.ts'
import { FORMAT_VERSION } from './stored-transaction.ts'

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
  origin: Origin
  type: string
  coinIds: readonly string[]
  identified: boolean
  main: { coinId: string; symbol: string; count: string; valueUsd: string | null } | null
  fragment: string
  movements: readonly MovementToWrite[]
}

interface Scope {
  walletId: string
  networkId: string
}

/**
 * Writes wallet transactions and their movements with the operator's labels. Does not change existing keys.
 */
export async function writeWalletTransactions(
  client: pg.ClientBase,
  input: Scope & { fetchedAt: Date; transactions: readonly WalletTransactionToWrite[] },
): Promise<void> {
  const { walletId, networkId, fetchedAt, transactions } = input
  if (transactions.length > 0) await noteOlderForm(client, input)
  const labelOf = await readLabels(client, input)
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
    rows: transactions.map(({ origin, main, ...row }): CopyValue[] => [
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
    rows: transactions.flatMap(({ origin, movements }) =>
      movements.map((one): CopyValue[] => [
        walletId,
        networkId,
        origin.at,
        origin.blockNumber,
        origin.blockHash,
        origin.index,
        origin.hash,
        one.seq,
        labelOf(origin.hash, one.seq) ?? one.role,
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
}

/**
 * A worker of an older release may run beside newer ones. Marks its rows, so a newer worker derives them
 * again.
 */
async function noteOlderForm(client: pg.ClientBase, { walletId, networkId }: Scope): Promise<void> {
  await client.query(
    `update wallet_syncs set format_version = least(format_version, $3),
       normalised_version = least(normalised_version, $3)
     where wallet_id = $1 and network_id = $2 and greatest(format_version, normalised_version) > $3`,
    [walletId, networkId, FORMAT_VERSION],
  )
}

/**
 * Deletes the rows derived from the transactions of a range of blocks, but keeps openings. Returns the
 * instant of the first deleted movement (null: none) and the hashes of the deleted transactions.
 */
export async function deleteDerived(
  client: pg.ClientBase,
  input: Scope & { fromBlock: number; toBlock: number },
): Promise<{ from: Date | null; hashes: Set<string> }> {
  const values = [input.walletId, input.networkId, input.fromBlock, input.toBlock]
  const { rows } = await client.query<{ at: Date | null }>(
    `with gone as (
       delete from movements where wallet_id = $1 and network_id = $2 and block_number between $3 and $4
         and tx_hash not like 'balance:%' returning at
     ) select min(at) as at from gone`,
    values,
  )
  const deleted = await client.query<{ hash: string }>(
    `delete from wallet_transactions where wallet_id = $1 and network_id = $2 and block_number between $3 and $4
       and type <> 'balance' returning hash`,
    values,
  )
  return { from: rows[0]?.at ?? null, hashes: new Set(deleted.rows.map(({ hash }) => hash)) }
}

/** Time of the wallet's newest transaction below a block; null: none. */
export async function timeBefore(
  client: pg.ClientBase,
  input: { walletId: string; networkId: string; fromBlock: number },
): Promise<Date | null> {
  const { rows } = await client.query<{ at: Date | null }>(
    `select max(at) as at from wallet_transactions
     where wallet_id = $1 and network_id = $2 and block_number < $3 and type <> 'balance'`,
    [input.walletId, input.networkId, input.fromBlock],
  )
  return rows[0]?.at ?? null
}

/** The operator's labels of a wallet's movements, by transaction hash and `seq`. */
async function readLabels(
  client: pg.ClientBase,
  { walletId, networkId }: { walletId: string; networkId: string },
): Promise<(hash: string, seq: number) => string | undefined> {
  const { rows } = await client.query<{ tx_hash: string; seq: number; role: string }>(
    'select tx_hash, seq, role from movement_labels where wallet_id = $1 and network_id = $2',
    [walletId, networkId],
  )
  const roles = new Map(rows.map((row) => [`${row.tx_hash} ${row.seq}`, row.role]))
  return (hash, seq) => roles.get(`${hash} ${seq}`)
}
