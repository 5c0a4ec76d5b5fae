import { sql } from 'kysely'
import type { Db } from '../connect.ts'

export interface SourceHealth {
  source: string
  last_success_at: Date | null
  /** since the last success */
  lag_seconds: number | null
  last_failure: string | null
  consecutive_failures: number
  /** rows it sent that were refused */
  quarantined: number
}

export async function readSourceHealth(db: Db): Promise<SourceHealth[]> {
  const { rows } = await sql<SourceHealth>`
    select s.source, s.last_success_at, extract(epoch from now() - s.last_success_at)::int as lag_seconds,
      s.last_failure, s.consecutive_failures,
      (select count(*)::int from quarantine q where q.source = s.source) as quarantined
    from source_states s order by s.source`.execute(db)
  return rows
}
