import { sql } from 'kysely'
import type { ReadonlyDb } from '../schema.ts'
import { readSql } from '../read-sql.ts'

export interface FearGreedDay {
  at: Date
  value: number
  fetchedAt: Date
}

/**
 * The index, oldest day first; `lastDays` null: all days. Reads the publisher with the newest day, or the
 * first by name on a tie, so that the default publisher is used again as soon as it is back.
 */
export async function readFearGreed(
  db: ReadonlyDb,
  { lastDays }: { lastDays: number | null },
): Promise<FearGreedDay[]> {
  return readSql(
    db,
    sql<FearGreedDay>`
    with chosen as (select source, at from fear_greed order by at desc, source limit 1)
    select day.at, day.value, day.fetched_at as "fetchedAt"
    from fear_greed day join chosen on chosen.source = day.source
    where ${lastDays}::integer is null or day.at > chosen.at - make_interval(days => ${lastDays}::integer)
    order by day.at`,
  )
}
