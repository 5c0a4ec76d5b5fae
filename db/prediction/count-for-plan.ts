import { sql } from 'kysely'
import type { Db } from '../schema.ts'
import type { PredictionVenue } from './tables.ts'

export interface VenueCounts {
  venue: PredictionVenue
  /** events with a market that trades */
  openEvents: number
  /** events with a market that has ended and is not settled */
  closedEvents: number
  openMarkets: number
  /** How often a market had new fills when a run looked, in the last 24 hours. */
  newFills: number
}

/** Counts what decides how many requests a venue takes, with runs each `runSeconds`. */
export async function countForPlan(db: Db, { runSeconds }: { runSeconds: number }): Promise<VenueCounts[]> {
  const { rows } = await sql<VenueCounts>`
    select venue, count(distinct event_id) filter (where status = 'open')::int as "openEvents",
      count(distinct event_id) filter (where status = 'closed')::int as "closedEvents",
      count(*) filter (where status = 'open')::int as "openMarkets",
      coalesce(sum(runs), 0)::int as "newFills"
    from prediction_markets m
    left join (
      select market_id, count(distinct floor(extract(epoch from at) / ${runSeconds}::int)) as runs
      from prediction_trades where at > now() - interval '1 day' group by 1) t on t.market_id = m.id
    group by venue`.execute(db)
  return rows
}
