import { sql } from 'kysely'
import type { Db } from '../schema.ts'

export interface QuarantineFilter {
  id?: string | undefined
  source?: string | undefined
  reason?: string | undefined
}

/**
 * Deletes the quarantined rows that match the whole filter and returns their number. The filter must not be
 * empty.
 */
export async function dropQuarantined(
  db: Db,
  { filter, dryRun }: { filter: QuarantineFilter; dryRun: boolean },
): Promise<number> {
  const { id = null, source = null, reason = null } = filter
  const fitting = sql`from quarantine where (${id}::bigint is null or id = ${id}::bigint)
    and (${source}::text is null or source = ${source}) and (${reason}::text is null or reason = ${reason})`
  const { rows } = dryRun
    ? await sql<{ rows: number }>`select count(*)::int as rows ${fitting}`.execute(db)
    : await sql<{ rows: number }>`
        with dropped as (delete ${fitting} returning 1) select count(*)::int as rows from dropped`.execute(db)
  return rows[0]!.rows
}
