import { sql } from 'kysely'
import type { Db } from '../connect.ts'

/** How far a sync is, of a wallet on a network or of an account at an exchange. */
export interface SyncProgress {
  /** A worker has taken what was asked for last. */
  taken: boolean
  stage: 'waiting' | 'reading' | 'deriving' | 'computing'
  /** 0 to 1; null: nobody knows how much there is. */
  share: number | null
  /** Transactions that are stored. */
  rows: number
  /** Until where it is read: a block, or an instant. Null: not begun. */
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

/** Of the share, what reading and deriving are: the P&L comes at the end. */
const [READING, DERIVING] = [0.5, 0.4]

/** `fromBlock`: where it was when it was asked for. */
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
