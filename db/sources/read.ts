import { sql } from 'kysely'
import type { Db } from '../schema.ts'

export interface SourceHealth {
  source: string
  lastSuccessAt: Date | null
  lastFailureAt: Date | null
  lastFailure: string | null
  consecutiveFailures: number
  /**
   * Theoretical arrival time of the next request. Its distance from now shows how much of the burst is used.
   */
  nextRequestAt: Date | null
  /** Requests of the last 24 hours, in full hours, and those without a usable answer. */
  requests24h: number
  failures24h: number
  /** Requests since the start of the UTC day and of the calendar month. */
  requestsToday: number
  requestsThisMonth: number
  /** Units of its allowance that were spent since then, by those that share it too. */
  spentToday: number
  spentThisMonth: number
  /** Of the last 24 hours, current hour last. */
  requestsByHour: number[]
  failuresByHour: number[]
  /** Number of its rows in quarantine. */
  quarantined: number
  /** How old the newest data of its last answer with times was; null: its answers state no times. */
  dataAgeSeconds: number | null
}

export async function readSourceHealth(db: Db): Promise<SourceHealth[]> {
  const { rows } = await sql<SourceHealth>`
    select source, ${healthColumns} from operations.source_health order by source`.execute(db)
  return rows
}

/** Columns of SourceHealth, under the names of the console's views. */
export const healthColumns = sql`
  last_success_at as "lastSuccessAt", last_failure_at as "lastFailureAt", last_failure as "lastFailure",
  consecutive_failures as "consecutiveFailures", next_request_at as "nextRequestAt", requests_24h as "requests24h",
  failures_24h as "failures24h", requests_today as "requestsToday", requests_this_month as "requestsThisMonth",
  requests_by_hour as "requestsByHour", spent_today as "spentToday",
  spent_this_month as "spentThisMonth", failures_by_hour as "failuresByHour", quarantined,
  data_age_s as "dataAgeSeconds"`

export interface QuarantineReason {
  source: string
  area: string
  reason: string
  rows: number
  newestAt: Date
}

/** Reads the most frequent quarantine reasons of each source. */
export async function readQuarantineReasons(
  db: Db,
  { perSource }: { perSource: number },
): Promise<QuarantineReason[]> {
  const { rows } = await sql<QuarantineReason>`
    select source, area, reason, rows, newest_at as "newestAt"
    from (
      select source, area, reason, count(*)::int as rows, max(fetched_at) as newest_at,
        row_number() over (partition by source order by count(*) desc, max(fetched_at) desc) as place
      from quarantine group by source, area, reason
    ) reasons
    where place <= ${perSource} order by source, place`.execute(db)
  return rows
}
