import { sql } from 'kysely'
import type { SyncProgress } from '../chain/read-sync-progress.ts'
import { readSql } from '../read-sql.ts'
import type { Db, ReadonlyDb } from '../schema.ts'

interface Row {
  taken: boolean
  streams: number
  complete: number
  rows: number
  covered_to: Date | null
  synced_at: Date | null
  failed_at: Date | null
  failure: string | null
}

/**
 * Sync progress of an exchange account. `share` counts the streams that were read to their end since `since`.
 */
export async function readExchangeProgress(
  db: Db | ReadonlyDb,
  { connectionId, since }: { connectionId: string; since: Date },
): Promise<SyncProgress> {
  const [row] = await readSql(
    db,
    sql<Row>`
      select taken, streams, complete, stored::float8 as rows, covered_to, synced_at, failed_at, failure
      from exchange_sync_state(${connectionId}::uuid, ${since})`,
  )
  const { taken, streams, complete, rows: stored, covered_to, synced_at, failed_at, failure } = row!
  const share = streams === 0 ? null : (0.9 * complete) / streams
  return {
    taken,
    stage: !taken || complete === 0 ? 'waiting' : complete < streams ? 'reading' : 'computing',
    share,
    rows: stored,
    cursor: covered_to?.toISOString() ?? null,
    syncedAt: synced_at,
    failedAt: failed_at,
    failure,
  }
}
