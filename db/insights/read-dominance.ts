import { sql } from 'kysely'
import type { ReadonlyDb } from '../schema.ts'
import { readSql } from '../read-sql.ts'

export interface DominancePoint {
  /** Unix seconds: parsing thousands of dates would take more time than the rest of the request. */
  timeS: number
  /** Percent of the market capitalisation. */
  btcDominance: string
}

/** The time of the newest sample of the market; null: there is none. */
export async function readNewestSampleAt(db: ReadonlyDb): Promise<Date | null> {
  const row = await db
    .selectFrom('market_totals')
    .select((select) => select.fn.max('at').as('at'))
    .executeTakeFirst()
  return row?.at ?? null
}

/**
 * Bitcoin's share of the market from `from` (null: the first sample) to `to`, oldest first. Returns the
 * newest sample of each step, counted back from `to`; steps without a sample have no point. Costs one index
 * look-up per step, however many samples there are.
 */
export async function readDominance(
  db: ReadonlyDb,
  { from, to, stepSeconds }: { from: Date | null; to: Date; stepSeconds: number },
): Promise<DominancePoint[]> {
  const step = sql`make_interval(secs => ${stepSeconds})`
  return readSql(
    db,
    sql<DominancePoint>`
    select floor(extract(epoch from point.at))::float8 as "timeS", point.btc_dominance as "btcDominance"
    from generate_series(
      ${to}::timestamptz, coalesce(${from}::timestamptz, (select min(at) from market_totals)), -${step}) as edge (at)
    cross join lateral (
      select at, btc_dominance from market_totals
      where at > edge.at - ${step} and at <= edge.at and at >= coalesce(${from}::timestamptz, '-infinity')
      order by at desc limit 1
    ) point
    order by point.at`,
  )
}
