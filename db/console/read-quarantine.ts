import { sql } from 'kysely'
import type { ReadonlyDb } from '../schema.ts'
import { readSql } from '../read-sql.ts'

/** Number of rows quarantined for one reason. */
export interface RefusalCount {
  source: string
  area: string
  /** null: hidden, because it could reveal data of a tenant. */
  reason: string | null
  rows: number
  newestAt: Date
}

/** Reads counts by reason, most frequent first. */
export function readQuarantineCounts(db: ReadonlyDb): Promise<RefusalCount[]> {
  return readSql(
    db,
    sql<RefusalCount>`
      select source, area, reason, rows, newest_at as "newestAt" from operations.quarantine_reasons
      order by rows desc, source, reason`,
  )
}

export interface QuarantinedItem {
  id: string
  source: string
  area: string
  reason: string
  fetchedAt: Date
  /** Activity that a retry runs again; null: the row cannot be retried on its own. */
  activity: string | null
  retryState: 'asked' | 'refused' | 'failed' | null
  retryAt: Date | null
  retryFailure: string | null
}

const columns = sql`id, source, area, reason, fetched_at as "fetchedAt", activity, retry_state as "retryState",
  retry_at as "retryAt", retry_failure as "retryFailure"`

/** Reads quarantined rows, newest first, of one source or for one reason if given. */
export function readQuarantinedItems(
  db: ReadonlyDb,
  filter: { source?: string; reason?: string; limit: number },
): Promise<QuarantinedItem[]> {
  const { source = null, reason = null, limit } = filter
  return readSql(
    db,
    sql<QuarantinedItem>`
      select ${columns} from operations.quarantine
      where (${source}::text is null or source = ${source}) and (${reason}::text is null or reason = ${reason})
      order by fetched_at desc, id desc limit ${limit}`,
  )
}

/** Reads one row with its payload as text of at most `characters` characters; undefined: it is gone. */
export async function readQuarantinedItem(
  db: ReadonlyDb,
  { id, characters }: { id: string; characters: number },
): Promise<(QuarantinedItem & { payload: string; isCut: boolean }) | undefined> {
  const [item] = await readSql(
    db,
    sql<QuarantinedItem & { payload: string; isCut: boolean }>`
      select ${columns}, left(shown.text, ${characters}) as payload, length(shown.text) > ${characters} as "isCut"
      from operations.quarantine, lateral (select jsonb_pretty(payload) as text) shown where id = ${id}::bigint`,
  )
  return item
}
