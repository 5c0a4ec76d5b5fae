import { createHash } from 'node:crypto'
import type pg from 'pg'
import { lockNetwork } from '../../db/chain/branches.ts'
import { FORMAT_VERSION } from '../../db/chain/stored-transaction.ts'
import type { Dataset } from '../dataset.ts'
import { DATASETS } from '../datasets.ts'
import { fieldsOf } from '../fields.ts'

/** A table whose old rows may leave it. */
export interface ColdTable {
  /** Exports all of its columns unchanged, so that a file can give them back. */
  dataset: Dataset
  /** Columns of its primary key. */
  key: readonly string[]
  /** Days for which the service itself reads its rows. */
  leastDays: number
  /** SQL condition of rows that nothing changes. Those that may be stored again while they are away are `kept`. */
  movable: string
  /**
   * For what still looks for rows that are away: a table of what finds them, with the columns of its key, and SQL of its
   * columns for a row `back`.
   */
  kept?: { table: string; key: readonly string[]; columns: Readonly<Record<string, string>> }
  /** Keeps out who writes or looks for rows of the temporary table of this name until the transaction ends. */
  lock?: (client: pg.ClientBase, rows: string) => Promise<void>
}

const datasetOf = (name: string): Dataset => DATASETS.find((one) => one.name === name)!

/**
 * SQL query of the block up to which each wallet is derived in the form of this release. What follows a network derives
 * its touched wallets and moves no mark of the others.
 */
const DERIVED = `select sync.network_id, sync.wallet_id, sync.head_block, case
    when normalised_version <> ${FORMAT_VERSION} then -1
    when mode <> 'off' and synced_at is not null and least(sync.cursor_block, normalised_block) >= covered_from - 1
      then coalesce(touched.from_block - 1, follow.cursor_block)
    else normalised_block end as derived
  from wallet_syncs as sync left join network_follows as follow using (network_id)
  left join touched_wallets as touched on touched.network_id = sync.network_id and touched.wallet_id = sync.wallet_id`

/** SQL query of one object: for each network the block up to which its blocks are final and all its wallets derived. */
const FINAL_AND_DERIVED = `select jsonb_object_agg(network_id, least(derived, settled_block(network_id, head)))
  from (
    select network_id, max(head_block) as head, min(derived) as derived from (${DERIVED}) as one group by network_id
  ) as synced`

/** A wallet that is not derived far enough for the old transactions of its network to move. */
export interface HoldingBack {
  network: string
  address: string
  /** last block up to which it is derived; -1: not at all in the form of this release */
  derivedTo: number
  /** months that stay, some maybe in part */
  months: number
}

/** The wallet of each network that keeps transactions of before an instant where they are: the least derived one. */
export async function holdingBack(pool: pg.Pool, before: Date): Promise<HoldingBack[]> {
  const { rows } = await pool.query<HoldingBack>(
    `with least as (
       select distinct on (network_id) network_id, wallet_id, derived from (${DERIVED}) as one
       order by network_id, derived, wallet_id
     ), staying as (
       select network_id, count(distinct date_trunc('month', at, 'UTC'))::int as months
       from transactions join least using (network_id)
       where at < date_trunc('month', $1::timestamptz, 'UTC') and block_number > derived group by network_id
     )
     select network_id as network, address, derived::float8 as "derivedTo", months
     from staying join least using (network_id) join wallets on wallets.id = wallet_id order by network_id`,
    [before],
  )
  return rows
}

/** Approvals are no transfers to those who ask since when a wallet has had any. */
const NOT_FOUND_BY_TRANSFER = `not exists (select from transfers where transfers.network_id = back.network_id
  and tx_hash = back.hash and transfers.from_address = back.from_address and kind <> 'approval')`

export const COLD_TABLES: readonly ColdTable[] = [
  {
    dataset: datasetOf('ticker_exchange_volumes'),
    key: ['exchange_id', 'source', 'at'],
    // Sums of seven days (`deriveFromVolumes`), and a month to spare.
    leastDays: 38,
    // The past of the others is still to be read, and may have the same points.
    movable: 'exchange_id in (select id from ticker_exchanges where charted_at is not null)',
  },
  {
    dataset: datasetOf('transactions'),
    key: ['network_id', 'hash'],
    // No sync looks back as far.
    leastDays: 38,
    movable: `block_number <= ((${FINAL_AND_DERIVED}) ->> network_id)::bigint`,
    kept: {
      table: 'cold_transactions',
      key: ['network_id', 'digest'],
      columns: {
        network_id: 'back.network_id',
        digest: 'md5(back.hash)::uuid',
        block_number: 'back.block_number',
        at: 'back.at',
        from_address: `case when ${NOT_FOUND_BY_TRANSFER} then back.from_address end`,
        hash: `case when ${NOT_FOUND_BY_TRANSFER} then back.hash end`,
      },
    },
    lock: lockNetworks,
  },
]

/** Locks the networks of the rows, which whoever stores or derives transactions locks as well. */
async function lockNetworks(client: pg.ClientBase, rows: string): Promise<void> {
  const found = await client.query<{ id: string }>(`select distinct network_id as id from ${rows} order by 1`)
  for (const { id } of found.rows) await lockNetwork(client, { networkId: id, mode: 'rewind' })
}

/** The columns of the table by their names in the dataset. Throws if one is not a column of the table as it is. */
export function storedColumns({ name, columns }: Dataset): { name: string; stored: string }[] {
  return Object.entries(columns).map(([column, { sql = column, type }]) => {
    if (!/^[a-z_0-9]+$/.test(sql) || type === 'texts')
      throw new Error(`${name}: ${column} cannot be read back`)
    return { name: column, stored: sql }
  })
}

/** Digest of what a file of the dataset contains. */
export const coldDefinition = (dataset: Dataset): string =>
  createHash('sha256')
    .update(JSON.stringify(fieldsOf(dataset).map(({ name, type }) => [name, type])))
    .digest('hex')
    .slice(0, 16)
