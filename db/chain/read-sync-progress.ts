import { sql } from 'kysely'
import type { Db } from '../schema.ts'

/** Progress of the sync of a wallet on a network or of an exchange account. */
export interface SyncProgress {
  /** Whether a worker has started the last requested sync. */
  taken: boolean
  stage: 'waiting' | 'reading' | 'deriving' | 'computing'
  /** 0 to 1; null: the total is unknown. */
  share: number | null
  /** Number of stored transactions. */
  rows: number
  /** Position up to which history is read: a block or an instant. Null: not started. */
  cursor: string | null
  syncedAt: Date | null
  failedAt: Date | null
  failure: string | null
}

interface Row {
  taken: boolean
  head: number | null
  cursor: number
  normalised: number
  rows: number
  synced_at: Date | null
  failed_at: Date | null
  failure: string | null
}

/** Parts of the share for reading and deriving; the rest is the P&L. */
const [READING, DERIVING] = [0.5, 0.4]

/** `fromBlock`: the cursor when the sync was requested. */
export async function readWalletProgress(
  db: Db,
  { address, networkId, fromBlock }: { address: string; networkId: string; fromBlock: number },
): Promise<SyncProgress> {
  const { rows } = await sql<Row>`
    select not exists (
        select from outbox where workflow_id = ${`sync:${address}:${networkId}`} and dispatched_at is null
      ) as taken, sync.head_block::float8 as head, coalesce(sync.cursor_block, 0)::float8 as cursor,
      coalesce(sync.normalised_block, 0)::float8 as normalised, sync.synced_at, sync.failed_at, sync.failure,
      (select count(*) from wallet_transactions
        where wallet_id = wallet.id and network_id = ${networkId})::float8 as rows
    from (select 1) as one left join wallets as wallet on wallet.address = ${address}
    left join wallet_syncs as sync on sync.wallet_id = wallet.id and sync.network_id = ${networkId}`.execute(
    db,
  )
  const { taken, head, cursor, normalised, rows: stored, synced_at, failed_at, failure } = rows[0]!
  const part = (at: number) =>
    head === null || head <= fromBlock ? 1 : Math.min(1, Math.max(0, (at - fromBlock) / (head - fromBlock)))
  const isRead = head !== null && cursor >= head
  const isDerived = isRead && normalised >= head
  return {
    taken,
    stage: !taken || head === null ? 'waiting' : !isRead ? 'reading' : !isDerived ? 'deriving' : 'computing',
    share: head === null ? null : READING * part(cursor) + DERIVING * part(normalised),
    rows: stored,
    cursor: cursor === 0 ? null : String(cursor),
    syncedAt: synced_at,
    failedAt: failed_at,
    failure,
  }
}
