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

/**
 * The newest day of the index in use, and a version that changes whenever the index changes; null: no days.
 */
export async function readFearGreedVersion(db: ReadonlyDb): Promise<{ at: Date; version: string } | null> {
  const [row] = await readSql(
    db,
    sql<{ at: Date; version: string }>`
    with chosen as (select source, at from fear_greed order by at desc, source limit 1)
    select max(day.at) as at, concat_ws('/', chosen.source, count(*), max(day.at), max(day.fetched_at)) as version
    from fear_greed day join chosen on chosen.source = day.source group by chosen.source`,
  )
  return row ?? null
}
