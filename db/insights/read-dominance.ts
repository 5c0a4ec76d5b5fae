import { sql } from 'kysely'
import type { ReadonlyDb } from '../connect.ts'
import { readSql } from '../read-sql.ts'

export interface DominancePoint {
  at: Date
  /** Percent of the market's capitalisation. */
  btcDominance: string
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
    select point.at, point.btc_dominance as "btcDominance"
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
