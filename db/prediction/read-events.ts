import { type RawBuilder, sql } from 'kysely'
import type { ReadonlyDb } from '../schema.ts'
import { readSql } from '../read-sql.ts'
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

export const EVENT_SORTS = {
  volume24h: sql`m.volume_24h_usd`,
  volumeTotal: sql`m.volume_total_usd`,
  liquidity: sql`m.liquidity_usd`,
  endDate: sql`coalesce(m.end_at, '-infinity')`,
  createdAt: sql`m.created_at`,
}
export type EventSort = keyof typeof EVENT_SORTS

export interface ServedEvent {
  id: number
  slug: string
  venue: PredictionVenue
  title: string
  url: string
  description: string | null
  image_url: string | null
  category: string | null
  tags: { slug: string; label: string }[]
  status: PredictionStatus
  markets_count: number
  mutually_exclusive: boolean
  top_slug: string | null
  top_label: string | null
  top_price: string | null
  volume_24h_usd: string
  volume_total_usd: string
  liquidity_usd: string
  open_interest_usd: string
  start_at: Date | null
  end_at: Date | null
  created_at: Date
  updated_at: Date
}

const eventsOf = (ids: RawBuilder<unknown>) => sql<ServedEvent>`
  select m.id, m.slug, m.venue, m.title, m.url, m.description, m.image_url, m.category, m.status, m.markets_count,
    m.mutually_exclusive, top.slug as top_slug, coalesce(top.label, top.question) as top_label, o.price as top_price,
    m.volume_24h_usd, m.volume_total_usd, m.liquidity_usd, m.open_interest_usd, m.start_at, m.end_at, m.created_at, m.updated_at,
    (select coalesce(jsonb_agg(jsonb_build_object('slug', t.slug, 'label', t.label) order by t.slug), '[]')
      from prediction_tags t where t.slug = any(m.tags)) as tags
  from ${ids} join prediction_events m on m.id = page.id
  left join prediction_markets top on top.id = m.top_market_id
  left join lateral ${yesPriceOf(sql`top.id`)} as o on true
  order by page.place`

/** One page of events and how many there are on all pages. */
export async function readEventPage(
  db: ReadonlyDb,
  query: ItemFilter & { sortBy: EventSort; sortDir: 'asc' | 'desc'; limit: number; offset: number },
  kept: KeptLists,
): Promise<{ rows: ServedEvent[]; itemCount: number }> {
  const conditions = itemConditions(query)
  const table = 'prediction_events'
  const itemCount = await countItems(db, { kind: 'event', table, filter: query, conditions, kept })
  const ids = await readPage({
    table,
    conditions,
    sort: EVENT_SORTS[query.sortBy],
    itemCount,
    filter: query,
    kept,
    ...query,
  })
  return { rows: ids === null ? [] : await readSql(db, eventsOf(ids)), itemCount }
}

export async function readEvent(db: ReadonlyDb, slug: string): Promise<ServedEvent | undefined> {
  return (await readSql(db, eventsOf(pageOfSlug({ table: 'prediction_events', slug }))))[0]
}

/** Events by their ids, in that order. */
export async function readEventsById(db: ReadonlyDb, ids: readonly number[]): Promise<ServedEvent[]> {
  if (ids.length === 0) return []
  return readSql(db, eventsOf(pageOfIds(ids)))
}
