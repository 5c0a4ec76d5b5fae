import { sql } from 'kysely'
import type { Db } from '../connect.ts'

export interface SourceHealth {
  source: string
  lastSuccessAt: Date | null
  lastFailureAt: Date | null
  lastFailure: string | null
  consecutiveFailures: number
  /** Theoretical arrival time of the next request: how far it is ahead says what is left of the burst. */
  nextRequestAt: Date | null
  /** Requests of the last 24 hours, by full hours, and those of them without a usable answer. */
  requests24h: number
  failures24h: number
  /** Requests since the start of the UTC day and of the calendar month. */
  requestsToday: number
  requestsThisMonth: number
  /** rows it sent that were refused */
  quarantined: number
}

export async function readSourceHealth(db: Db): Promise<SourceHealth[]> {
  const { rows } = await sql<SourceHealth>`
    select s.source, s.last_success_at as "lastSuccessAt", s.last_failure_at as "lastFailureAt",
      s.last_failure as "lastFailure", s.consecutive_failures as "consecutiveFailures",
      nullif(s.next_request_at, '-infinity') as "nextRequestAt",
      used.requests24h as "requests24h", used.failures24h as "failures24h",
      used.today as "requestsToday", used.this_month as "requestsThisMonth",
      (select count(*)::int from quarantine q where q.source = s.source) as quarantined
    from source_states s
    cross join lateral (
      select coalesce(sum(requests) filter (where hour > now() - interval '24 hours'), 0)::int as requests24h,
        coalesce(sum(failures) filter (where hour > now() - interval '24 hours'), 0)::int as failures24h,
        coalesce(sum(requests) filter (where hour >= date_trunc('day', now(), 'UTC')), 0)::int as today,
        coalesce(sum(requests) filter (where hour >= date_trunc('month', now(), 'UTC')), 0)::int as this_month
      from source_hours h where h.source = s.source and hour > now() - interval '32 days'
    ) used
    order by s.source`.execute(db)
  return rows
}

export interface QuarantineReason {
  source: string
  area: string
  reason: string
  rows: number
  newestAt: Date
}

/** Why rows were refused: the most frequent reasons of each source. */
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
