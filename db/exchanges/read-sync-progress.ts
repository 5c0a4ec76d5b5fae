import { sql } from 'kysely'
import type { SyncProgress } from '../chain/read-sync-progress.ts'
import type { Db } from '../schema.ts'

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
  db: Db,
  { connectionId, since }: { connectionId: string; since: Date },
): Promise<SyncProgress> {
  const { rows } = await sql<Row>`
    select not exists (
        select from outbox where workflow_id = ${`exchange:${connectionId}`} and dispatched_at is null
      ) as taken, count(cursors.stream)::int as streams,
      (count(*) filter (where cursors.complete_at >= ${since}))::int as complete,
      coalesce(sum(cursors.rows), 0)::float8 as rows, known.covered_to, known.synced_at, known.failed_at, known.failure
    from exchange_connections as known left join exchange_cursors as cursors on cursors.connection_id = known.id
    where known.id = ${connectionId}
    group by known.id`.execute(db)
  const { taken, streams, complete, rows: stored, covered_to, synced_at, failed_at, failure } = rows[0]!
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
