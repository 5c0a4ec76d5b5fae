import { type RawBuilder, sql } from 'kysely'
import type { ReadonlyDb } from '../schema.ts'
import { readSql } from '../read-sql.ts'
import { PLAY_MONEY_VENUES } from '../values/prediction-venues.ts'
import {
  countItems,
  type ItemFilter,
  itemConditions,
  type KeptLists,
  pageOfIds,
  pageOfSlug,
  readPage,
} from './list-items.ts'
import type { PredictionStatus, PredictionVenue } from './tables.ts'
import { yesPriceOf } from './yes-price.ts'

export const MARKET_SORTS = {
  volume24h: sql`m.volume_24h_usd`,
  volumeTotal: sql`m.volume_total_usd`,
  liquidity: sql`m.liquidity_usd`,
  openInterest: sql`m.open_interest_usd`,
  endDate: sql`coalesce(m.end_at, '-infinity')`,
  createdAt: sql`m.created_at`,
  priceChange24h: sql`coalesce(m.price_change_24h, '-Infinity')`,
}
export type MarketSort = keyof typeof MARKET_SORTS

export interface MarketQuery extends ItemFilter {
  eventSlug?: string | undefined
  sortBy: MarketSort
  sortDir: 'asc' | 'desc'
  limit: number
  offset: number
}

export interface ServedMarket {
  id: number
  slug: string
  venue: PredictionVenue
  venue_market_id: string
  question: string
  label: string | null
  url: string
  description: string | null
  image_url: string | null
  category: string | null
  event_slug: string | null
  event_title: string | null
  tags: { slug: string; label: string }[]
  status: PredictionStatus
  outcomes: { position: number; name: string; price: string; change: string | null; payout: string | null }[]
  resolution_source: string | null
  last_trade_price: string | null
  best_bid: string | null
  best_ask: string | null
  price_change_1h: string | null
  price_change_24h: string | null
  price_change_7d: string | null
  /** null: the venue trades play money, or states no volume in USD, and the market's trades are not read yet */
  volume_24h_usd: string | null
  volume_7d_usd: string | null
  volume_total_usd: string | null
  notional_24h_usd: string | null
  notional_total_usd: string | null
  liquidity_usd: string
  open_interest_usd: string
  traders_count: number | null
  tick_size: string | null
  start_at: Date | null
  end_at: Date | null
  resolved_at: Date | null
  created_at: Date
  updated_at: Date
}

const known = (column: string) => sql`
  case when m.venue = any(${[...PLAY_MONEY_VENUES]}::text[]) or (m.notional_total_usd > 0 and s.loaded_to is null) then null
    else m.${sql.ref(column)} end as ${sql.ref(column)}`

const FIELDS = sql`m.id, m.slug, m.venue, m.venue_market_id, m.question, m.label, m.url, m.description, m.image_url, m.category,
  e.slug as event_slug, e.title as event_title, m.status, m.resolution_source, m.last_trade_price, m.best_bid, m.best_ask,
  m.price_change_1h, m.price_change_24h, m.price_change_7d, ${known('volume_24h_usd')},
  ${known('volume_7d_usd')}, ${known('volume_total_usd')}, m.notional_24h_usd, m.notional_total_usd,
  m.liquidity_usd, m.open_interest_usd, m.traders_count, m.tick_size, m.start_at, m.end_at, m.resolved_at, m.created_at, m.updated_at,
  (select coalesce(jsonb_agg(jsonb_build_object('slug', t.slug, 'label', t.label) order by t.slug), '[]')
    from prediction_tags t where t.slug = any(m.tags)) as tags,
  (select jsonb_agg(jsonb_build_object('position', o.position, 'name', o.name, 'price', o.price::text,
      'change', o.price_change_24h::text, 'payout', o.payout::text) order by o.position)
    from prediction_outcomes o where o.market_id = m.id) as outcomes`

const marketsOf = (ids: RawBuilder<unknown>) => sql<ServedMarket>`
  select ${FIELDS} from ${ids} join prediction_markets m on m.id = page.id
  left join prediction_events e on e.id = m.event_id
  left join prediction_trade_states s on s.market_id = m.id order by page.place`

/** One page of markets and how many there are on all pages. */
export async function readMarketPage(
  db: ReadonlyDb,
  query: MarketQuery,
  kept: KeptLists,
): Promise<{ rows: ServedMarket[]; itemCount: number }> {
  const conditions = itemConditions(query)
  if (query.eventSlug !== undefined)
    conditions.push(sql`m.event_id = (select id from prediction_events where slug = ${query.eventSlug})`)
  const table = 'prediction_markets'
  const itemCount = await countItems(db, { kind: 'market', table, filter: query, conditions, kept })
  const sort = MARKET_SORTS[query.sortBy]
  const ids = await readPage({ table, conditions, sort, itemCount, filter: query, kept, ...query })
  return { rows: ids === null ? [] : await readSql(db, marketsOf(ids)), itemCount }
}

export async function readMarket(db: ReadonlyDb, slug: string): Promise<ServedMarket | undefined> {
  return (await readSql(db, marketsOf(pageOfSlug({ table: 'prediction_markets', slug }))))[0]
}

/** Markets by their ids, in that order. */
export async function readMarketsById(db: ReadonlyDb, ids: readonly number[]): Promise<ServedMarket[]> {
  if (ids.length === 0) return []
  return readSql(db, marketsOf(pageOfIds(ids)))
}

/** The markets of an event, highest price of the first outcome first. */
export async function readEventMarkets(db: ReadonlyDb, eventId: number): Promise<ServedMarket[]> {
  const ids = sql`(
    select m.id, row_number() over (order by o.price desc, m.volume_total_usd desc, m.id) as place
    from prediction_markets m cross join lateral ${yesPriceOf(sql`m.id`)} as o where m.event_id = ${eventId}
  ) as page`
  return readSql(db, marketsOf(ids))
}
