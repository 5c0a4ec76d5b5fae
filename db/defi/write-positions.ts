import type pg from 'pg'
import { copyRows } from '../copy-rows.ts'
import type { CopyValue } from '../copy-rows.ts'

interface PositionToWrite {
  protocolId: string
  id: string
  name: string
  poolAddress: string
  healthRate: string | null
  unlockAt: Date | null
  endAt: Date | null
  isProxy?: boolean
  assets: readonly {
    role: string
    token: string | null
    raw: bigint
    aprPercent?: string | null | undefined
  }[]
}

export interface DefiReadToWrite {
  walletId: string
  networkId: string
  block: { number: number; hash: string; at: Date }
  source: string
  fetchedAt: Date
  /** protocols that answered; their positions missing from `positions` are deleted */
  answered: readonly string[]
  /** positions of answering protocols that did not answer and stay */
  unknown: readonly { protocolId: string; id: string }[]
  failure: string | null
  positions: readonly PositionToWrite[]
}

const KEY = ['wallet_id', 'network_id', 'protocol_id']
const STAMP = ['block_number', 'block_hash', 'source', 'fetched_at']

/**
 * Replaces the stored positions of a wallet. Returns false and writes nothing when a later block is stored.
 * Needs an open transaction.
 */
export async function writeDefiRead(client: pg.ClientBase, read: DefiReadToWrite): Promise<boolean> {
  const { walletId, networkId, block, positions } = read
  if (!(await noteRead(client, read))) return false
  await client.query(
    `delete from defi_positions where wallet_id = $1 and network_id = $2 and protocol_id = any($3)
       and (protocol_id, id) not in (select * from unnest($4::text[], $5::text[]))`,
    [
      walletId,
      networkId,
      read.answered,
      read.unknown.map(({ protocolId }) => protocolId),
      read.unknown.map(({ id }) => id),
    ],
  )
  const stamp = [block.number, block.hash, read.source, read.fetchedAt]
  const values = ['name', 'pool_address', 'health_rate', 'unlock_at', 'end_at', 'is_proxy']
  await copyRows(client, {
    table: 'defi_positions',
    columns: [...KEY, 'id', ...values, ...STAMP],
    key: [...KEY, 'id'],
    rows: positions.map((one): CopyValue[] => [
      walletId,
      networkId,
      one.protocolId,
      one.id,
      one.name,
      one.poolAddress,
      one.healthRate,
      one.unlockAt,
      one.endAt,
      one.isProxy ?? false,
      ...stamp,
    ]),
  })
  await copyRows(client, {
    table: 'defi_assets',
    columns: [...KEY, 'position_id', 'seq', 'role', 'token_address', 'raw', 'apr_percent', ...STAMP],
    key: [...KEY, 'position_id', 'seq'],
    rows: positions.flatMap(({ protocolId, id, assets }) =>
      assets.map(({ role, token, raw, aprPercent = null }, seq): CopyValue[] => [
        walletId,
        networkId,
        protocolId,
        id,
        seq,
        role,
        token,
        raw,
        aprPercent,
        ...stamp,
      ]),
    ),
  })
  return true
}

/** Locks the wallet's row, so concurrent reads write one after the other. False: a later block is stored. */
async function noteRead(client: pg.ClientBase, read: DefiReadToWrite): Promise<boolean> {
  const { walletId, networkId, block, failure, source, fetchedAt } = read
  const { rowCount } = await client.query(
    `insert into defi_reads as stored
       (wallet_id, network_id, block_number, block_hash, block_at, complete_at, failure, source, fetched_at)
     values ($1, $2, $3, $4, $5, case when $6::text is null then $8::timestamptz end, $6, $7, $8)
     on conflict (wallet_id, network_id) do update set block_number = excluded.block_number,
       block_hash = excluded.block_hash, block_at = excluded.block_at, failure = excluded.failure, failed_at = null,
       complete_at = coalesce(excluded.complete_at, stored.complete_at), source = excluded.source,
       fetched_at = excluded.fetched_at
     where stored.block_number is null or excluded.block_number >= stored.block_number`,
    [walletId, networkId, block.number, block.hash, block.at, failure, source, fetchedAt],
  )
  return rowCount === 1
}
