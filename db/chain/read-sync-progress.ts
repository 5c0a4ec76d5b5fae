import { sql } from 'kysely'
import { readSql } from '../read-sql.ts'
import type { Db, ReadonlyDb } from '../schema.ts'

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
  db: Db | ReadonlyDb,
  { address, networkId, fromBlock }: { address: string; networkId: string; fromBlock: number },
): Promise<SyncProgress> {
  const [row] = await readSql(
    db,
    sql<Row>`
      select taken, head::float8 as head, cursor_block::float8 as cursor, normalised_block::float8 as normalised,
        synced_at, failed_at, failure, stored::float8 as rows
      from wallet_sync_state(${address}, ${networkId})`,
  )
  const { taken, head, cursor, normalised, rows: stored, synced_at, failed_at, failure } = row!
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
