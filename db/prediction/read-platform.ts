import { sql } from 'kysely'
import type { ReadonlyDb } from '../schema.ts'
import { readSql } from '../read-sql.ts'
import type { PredictionVenueSums } from './tables.ts'

export type VenueStats = Omit<PredictionVenueSums, 'source' | 'fetched_at'>

/** Totals of each venue as of the last refresh. */
export async function readVenueStats(db: ReadonlyDb): Promise<VenueStats[]> {
  return readSql<VenueStats>(
    db,
    sql`select venue, volume_24h_usd, volume_7d_usd, volume_total_usd, open_interest_usd, liquidity_usd, open_markets, open_events,
      active_traders_24h, trades_24h from prediction_venues order by venue`,
  )
}

export interface PeriodRow {
  start_at: Date
  volume_usd: string
  trades: number
  active_traders: number
}

/** Sums by period over one venue or all. Venues share no accounts, so their active traders add up. */
export async function readVolume(
  db: ReadonlyDb,
  input: { venue?: string | undefined; interval: 'daily' | 'weekly' | 'monthly'; from: Date | null },
): Promise<PeriodRow[]> {
  const { venue, interval, from } = input
  return readSql<PeriodRow>(
    db,
    sql`select start_at, sum(volume_usd) as volume_usd, sum(trades)::int as trades, sum(active_traders)::int as active_traders
      from prediction_venue_periods
      where interval = ${interval} and category = '' and (${venue ?? null}::text is null or venue = ${venue ?? null})
        and (${from}::timestamptz is null or start_at >= ${from})
      group by start_at order by start_at`,
  )
}

export interface CategoryRow {
  category: string
  volume_usd: string
  markets: number
  open_interest_usd: string
}

/** Volume by category of the days since an instant, largest first, with the currently open markets. */
export async function readCategories(
  db: ReadonlyDb,
  { venue, from }: { venue?: string | undefined; from: Date | null },
): Promise<CategoryRow[]> {
  const ofVenue = sql`(${venue ?? null}::text is null or venue = ${venue ?? null})`
  return readSql<CategoryRow>(
    db,
    sql`with traded as (
        select category, sum(volume_usd) as volume from prediction_venue_periods
        where interval = 'daily' and category <> '' and ${ofVenue} and (${from}::timestamptz is null or start_at >= ${from}) group by 1
      ), listed as (
        select category, sum(items)::int as markets, sum(open_interest_usd) as interest from prediction_counts
        where kind = 'market' and status = 'open' and category <> '' and venue <> '' and ${ofVenue} group by 1
      )
      select category, coalesce(volume, 0) as volume_usd, coalesce(markets, 0) as markets, coalesce(interest, 0) as open_interest_usd
      from traded full join listed using (category) order by 2 desc, 1`,
  )
}

export const TAG_SORTS = {
  marketsCount: sql`markets_count desc`,
  volume24h: sql`volume_24h_usd desc`,
  label: sql`lower(label)`,
}

export async function readTagPage(
  db: ReadonlyDb,
  { sortBy, limit, offset }: { sortBy: keyof typeof TAG_SORTS; limit: number; offset: number },
): Promise<{
  rows: { slug: string; label: string; markets_count: number; events_count: number; volume_24h_usd: string }[]
  itemCount: number
}> {
  const [counts, rows] = await Promise.all([
    readSql<{ n: number }>(
      db,
      sql`select count(*)::int as n from prediction_tags where markets_count + events_count > 0`,
    ),
    readSql<{
      slug: string
      label: string
      markets_count: number
      events_count: number
      volume_24h_usd: string
    }>(
      db,
      sql`select slug, label, markets_count, events_count, volume_24h_usd from prediction_tags
        where markets_count + events_count > 0 order by ${TAG_SORTS[sortBy]}, slug limit ${limit} offset ${offset}`,
    ),
  ])
  return { rows, itemCount: counts[0]!.n }
}
