import { sql } from 'kysely'
import type { Db } from '../schema.ts'
import type { PredictionVenue } from './tables.ts'

/** What an adapter needs to know about a market, and how far its data is loaded. */
export interface KnownMarket {
  id: number
  venue: PredictionVenue
  venueMarketId: string
  conditionId: string | null
  outcomeIds: string[]
  /** of its event */
  series: string | null
  status: string
  /** as the venue states it; a change means new fills */
  statedVolume: string
  createdAt: Date
  endAt: Date | null
  resolvedAt: Date | null
  loadedTo: Date | null
  walkCursor: string | null
  walkTo: Date | null
  pricesAt: Date | null
}

/** Trading that the venue states, whether its trades are read or not: contracts at Kalshi, USD at Polymarket. */
const STATED_VOLUME = sql`coalesce(m.notional_total_usd, m.volume_total_usd)`
const STATED_VOLUME_24H = sql`coalesce(m.notional_24h_usd, m.volume_24h_usd)`

export async function readMarkets(db: Db, ids: readonly number[]): Promise<KnownMarket[]> {
  const { rows } = await sql<KnownMarket>`
    select m.id, m.venue, m.venue_market_id as "venueMarketId", m.condition_id as "conditionId",
      array(select venue_outcome_id from prediction_outcomes o where o.market_id = m.id order by position) as "outcomeIds",
      split_part(coalesce(e.venue_event_id, m.venue_market_id), '-', 1) as series, m.status,
      ${STATED_VOLUME} as "statedVolume", m.created_at as "createdAt", m.end_at as "endAt", m.resolved_at as "resolvedAt",
      s.loaded_to as "loadedTo", s.walk_cursor as "walkCursor", s.walk_to as "walkTo", s.prices_at as "pricesAt"
    from prediction_markets m
    left join prediction_events e on e.id = m.event_id
    left join prediction_trade_states s on s.market_id = m.id
    where m.id = any(${ids}::int[]) order by m.id`.execute(db)
  return rows
}

/** A market of which the venue refused this part is asked for again a day later. */
const notRefused = (part: 'trades' | 'details', now: Date) => sql`not exists (
  select 1 from prediction_failures f
  where f.market_id = m.id and f.part = ${part} and f.failed_at > ${now}::timestamptz - interval '1 day')`

/** Markets whose volume shows that fills are unread, the busiest first. */
export async function readMarketsWithNewTrades(
  db: Db,
  { venues, now, limit }: { venues: readonly string[]; now: Date; limit: number },
): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select m.id from prediction_markets m left join prediction_trade_states s on s.market_id = m.id
    where m.venue = any(${venues}::text[]) and ${STATED_VOLUME} > 0
      and (s.volume_usd is distinct from ${STATED_VOLUME} or s.walk_cursor is not null)
      and ${notRefused('trades', now)}
    order by ${STATED_VOLUME_24H} desc, ${STATED_VOLUME} desc, m.id limit ${limit}`.execute(db)
  return rows.map(({ id }) => id)
}

/** Markets with outdated or missing order book, holders and prices; missing first, then the busiest. */
export async function readMarketsWithOldDetail(
  db: Db,
  { venues, now, before, limit }: { venues: readonly string[]; now: Date; before: Date; limit: number },
): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select m.id from prediction_markets m left join prediction_trade_states s on s.market_id = m.id
    where m.venue = any(${venues}::text[])
      and (s.detail_at is null or (s.detail_at < ${before} and (m.status = 'open' or s.detail_volume_usd is distinct from ${STATED_VOLUME})))
      and ${notRefused('details', now)}
    order by (s.detail_at is null) desc, ${STATED_VOLUME_24H} desc, m.id limit ${limit}`.execute(db)
  return rows.map(({ id }) => id)
}

/** How much more often an overdue market is checked. Others still have their turn, however many are overdue. */
const OVERDUE_WEIGHT = 10

/** Open markets to request by id, as lists do not say why one is gone: overdue and longest unread first. */
export async function readMarketsToCheck(
  db: Db,
  { venue, now, before, limit }: { venue: PredictionVenue; now: Date; before: Date; limit: number },
): Promise<{ id: number; venueMarketId: string; conditionId: string | null }[]> {
  const { rows } = await sql<{ id: number; venueMarketId: string; conditionId: string | null }>`
    select id, venue_market_id as "venueMarketId", condition_id as "conditionId" from prediction_markets
    where venue = ${venue} and status in ('open', 'closed') and fetched_at < ${before}
    order by (${now} - fetched_at) * case when end_at < ${now} then ${OVERDUE_WEIGHT} else 1 end desc, id
    limit ${limit}`.execute(db)
  return rows
}

export async function touchMarkets(db: Db, { ids, at }: { ids: readonly number[]; at: Date }): Promise<void> {
  await sql`update prediction_markets set fetched_at = ${at} where id = any(${ids}::int[])`.execute(db)
}

export async function readCursor(db: Db, name: string): Promise<{ cursor: string | null; at: Date } | null> {
  const row = await db
    .selectFrom('prediction_cursors')
    .select(['cursor', 'at'])
    .where('name', '=', name)
    .executeTakeFirst()
  return row ?? null
}

export async function writeCursor(
  db: Db,
  { name, cursor, at }: { name: string; cursor: string | null; at: Date },
): Promise<void> {
  await sql`
    insert into prediction_cursors (name, cursor, at) values (${name}, ${cursor}, ${at})
    on conflict (name) do update set cursor = excluded.cursor, at = excluded.at`.execute(db)
}
