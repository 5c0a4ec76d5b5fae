import { sql } from 'kysely'
import type { ReadonlyDb } from '../schema.ts'
import { readSql } from '../read-sql.ts'
import type { PredictionVenue } from './tables.ts'

export const POSITION_SORTS = {
  value: sql`p.shares * o.price`,
  pnl: sql`p.realized_usd + case when p.status = 'open' then p.shares * o.price - p.cost_usd else 0 end`,
  date: sql`p.opened_at`,
}
export type PositionSort = keyof typeof POSITION_SORTS

export interface ServedPosition {
  market_id: number
  market_slug: string
  question: string
  event_slug: string | null
  venue: PredictionVenue
  outcome: number
  outcome_name: string
  shares: string
  cost_usd: string
  bought_shares: string
  bought_usd: string
  realized_usd: string
  price: string
  status: 'open' | 'won' | 'lost' | 'sold'
  opened_at: Date
  closed_at: Date | null
  end_at: Date | null
}

/** One page of a trader's positions and how many there are on all pages. */
export async function readPositionPage(
  db: ReadonlyDb,
  input: {
    traderId: number
    status: 'open' | 'closed' | 'all'
    sortBy: PositionSort
    limit: number
    offset: number
  },
): Promise<{ rows: ServedPosition[]; itemCount: number }> {
  const { traderId, status, sortBy, limit, offset } = input
  const state =
    status === 'all' ? sql`true` : status === 'open' ? sql`p.status = 'open'` : sql`p.status <> 'open'`
  const [counts, rows] = await Promise.all([
    readSql<{ n: number }>(
      db,
      sql`select count(*)::int as n from prediction_positions p where p.trader_id = ${traderId} and ${state}`,
    ),
    readSql<ServedPosition>(
      db,
      sql`select p.market_id, m.slug as market_slug, m.question, e.slug as event_slug, m.venue, p.outcome, o.name as outcome_name,
          p.shares, p.cost_usd, p.bought_shares, p.bought_usd, p.realized_usd, o.price, p.status, p.opened_at, p.closed_at, m.end_at
        from prediction_positions p join prediction_markets m on m.id = p.market_id
        join prediction_outcomes o on o.market_id = p.market_id and o.position = p.outcome
        left join prediction_events e on e.id = m.event_id
        where p.trader_id = ${traderId} and ${state}
        order by ${POSITION_SORTS[sortBy]} desc, p.market_id, p.outcome limit ${limit} offset ${offset}`,
    ),
  ])
  return { rows, itemCount: counts[0]!.n }
}

export interface TraderDayRow {
  day: Date
  cash_usd: string
  open_value_usd: string
  volume_usd: string
}

/**
 * A trader's days over all categories, oldest first. Starts one day before the window, for its open value.
 */
export async function readTraderDays(
  db: ReadonlyDb,
  { traderId, from }: { traderId: number; from: Date | null },
): Promise<TraderDayRow[]> {
  return readSql<TraderDayRow>(
    db,
    sql`select day, sum(cash_usd) as cash_usd, sum(open_value_usd) as open_value_usd, sum(volume_usd) as volume_usd
      from prediction_trader_days
      where trader_id = ${traderId} and (${from}::timestamptz is null or day >= ${from}::timestamptz - interval '1 day')
      group by day order by day`,
  )
}

export interface TraderHourRow {
  at: Date
  cash_usd: string
  volume_usd: string
  open_value_usd: string
}

/**
 * A trader's latest hours, dated at their ends, which are full hours: the cash of the hour and the value of
 * the shares held at its end. Covers open positions and those that were closed in the window.
 */
export async function readTraderHours(
  db: ReadonlyDb,
  { traderId, from, to }: { traderId: number; from: Date; to: Date },
): Promise<TraderHourRow[]> {
  return readSql<TraderHourRow>(
    db,
    sql`with hours as (
        select generate_series(date_trunc('hour', ${from}::timestamptz), ${to}::timestamptz, interval '1 hour') as at
      ), moves as (
        select date_trunc('hour', at) + interval '1 hour' as at, market_id, outcome,
          sum(case side when 'buy' then size else -size end) as shares,
          sum(case side when 'buy' then -value_usd else value_usd end) as cash, sum(value_usd) as volume
        from prediction_trades where trader_id = ${traderId} and at >= ${from} and at < ${to} group by 1, 2, 3
      ), held as (
        select h.at, p.market_id, p.outcome,
          p.shares - coalesce((select sum(shares) from moves m where m.market_id = p.market_id and m.outcome = p.outcome and m.at > h.at), 0) as shares
        from hours h cross join prediction_positions p where p.trader_id = ${traderId} and (p.status = 'open' or p.closed_at >= ${from})
      )
      select h.at, coalesce((select sum(cash) from moves where moves.at = h.at), 0) as cash_usd,
        coalesce((select sum(volume) from moves where moves.at = h.at), 0) as volume_usd,
        coalesce((
          select sum(greatest(held.shares, 0) * coalesce(case when held.outcome = 0 then price.price else 1 - price.price end, o.price))
          from held join prediction_outcomes o on o.market_id = held.market_id and o.position = held.outcome
          left join lateral (
            select price from prediction_prices q
            where q.market_id = held.market_id and q.outcome = 0 and q.minutes = 60 and q.at <= h.at order by q.at desc limit 1
          ) as price on true
          where held.at = h.at
        ), 0) as open_value_usd
      from hours h order by h.at`,
  )
}
