import { sql } from 'kysely'
import type { ReadonlyDb } from '../connect.ts'
import { readSql } from '../read-sql.ts'

export interface DominancePoint {
  /** Unix seconds: thousands of dates cost more to read than all the rest. */
  timeS: number
  /** Percent of the market's capitalisation. */
  btcDominance: string
}

/** When the market was sampled first and last; null: never. Filling the past moves the first one. */
export async function readSampleSpan(db: ReadonlyDb): Promise<{ first: Date; newest: Date } | null> {
  const [row] = await readSql(
    db,
    sql<{ first: Date | null; newest: Date }>`select min(at) as first, max(at) as newest from market_totals`,
  )
  return row?.first ? { first: row.first, newest: row.newest } : null
}

/**
 * Bitcoin's share of the market from an instant (null: the first sample) to another, oldest first: of each step, counted
 * back from `to`, the newest sample. Steps without a sample have no point. One index look-up per step, however many
 * samples there are.
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
