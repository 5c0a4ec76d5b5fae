import { sql } from 'kysely'
import { copyRows, type CopyValue } from '../copy-rows.ts'
import { decideMarketAlerts } from '../events/decide-alerts.ts'
import type { Transaction } from '../transact.ts'
import {
  type Column,
  EVENT_COLUMNS,
  MARKET_COLUMNS,
  SOMETIMES,
  STATED_COLUMNS,
  type StoredEvent,
  type StoredMarket,
} from './market-columns.ts'
import type { PredictionVenue } from './tables.ts'

interface Stamp {
  venue: PredictionVenue
  source: string
  fetchedAt: Date
}

/**
 * Stores new and changed events and markets; call it with the rows of one response. A market that resolves
 * marks its holders dirty. Decides the alerts on these markets. Returns the number of new or changed markets.
 */
export async function storeMarkets(
  transaction: Transaction,
  input: Stamp & { events: readonly StoredEvent[]; markets: readonly StoredMarket[] },
): Promise<number> {
  const { events, markets, venue, source, fetchedAt } = input
  await storeTags(transaction, input)
  await copyRows(transaction.client, {
    table: 'prediction_events',
    columns: [
      'venue',
      'venue_event_id',
      'slug',
      'status',
      ...names(EVENT_COLUMNS),
      'created_at',
      'updated_at',
      'source',
      'fetched_at',
    ],
    key: ['venue', 'venue_event_id'],
    update: names(EVENT_COLUMNS),
    stamp: ['updated_at', 'source', 'fetched_at'],
    rows: events.map((row) => {
      const inside = markets.filter(({ venueEventId }) => venueEventId === row.venueEventId)
      // Kalshi dates markets only, not events.
      const event = {
        ...row,
        startAt: row.startAt ?? extreme(timesOf(inside, 'startAt'), Math.min),
        endAt: row.endAt ?? extreme(timesOf(inside, 'endAt'), Math.max),
      }
      const times = [row, ...inside].flatMap(({ createdAt, startAt }) => createdAt ?? startAt ?? [])
      const changes = [row, ...inside].flatMap(({ updatedAt }) => updatedAt ?? [])
      const createdAt = extreme(times, Math.min) ?? fetchedAt
      const updatedAt = extreme(changes, Math.max) ?? createdAt
      const status = inside.some((market) => market.status === 'open') ? 'open' : 'closed'
      return [
        venue,
        row.venueEventId,
        row.slug,
        status,
        ...values(EVENT_COLUMNS, event),
        createdAt,
        updatedAt,
        source,
        fetchedAt,
      ]
    }),
  })
  const eventIds = await idsOf(transaction, {
    venue,
    table: 'prediction_events',
    key: 'venue_event_id',
    values: markets.map((row) => row.venueEventId ?? ''),
  })
  const columns = [...MARKET_COLUMNS, ...STATED_COLUMNS[venue]]
  const changed = await copyRows(transaction.client, {
    table: 'prediction_markets',
    columns: [
      'venue',
      'venue_market_id',
      'slug',
      'event_id',
      ...names(columns),
      'created_at',
      'updated_at',
      'source',
      'fetched_at',
    ],
    key: ['venue', 'venue_market_id'],
    update: names(columns),
    stamp: ['updated_at', 'source', 'fetched_at'],
    rows: markets.map((row) => {
      const createdAt = row.createdAt ?? row.startAt ?? row.updatedAt ?? fetchedAt
      const eventId = eventIds.get(row.venueEventId ?? '') ?? null
      return [
        venue,
        row.venueMarketId,
        row.slug,
        eventId,
        ...values(columns, row),
        createdAt,
        row.updatedAt ?? createdAt,
        source,
        fetchedAt,
      ]
    }),
  })
  const ids = await idsOf(transaction, {
    venue,
    table: 'prediction_markets',
    key: 'venue_market_id',
    values: markets.map((row) => row.venueMarketId),
  })
  await storeSometimes(transaction, { markets, ids, eventIds })
  await storeOutcomes(transaction, { markets, ids, source, fetchedAt })
  await decideMarketAlerts(transaction.client, [...ids.values()])
  return changed
}

const names = <T>(columns: readonly Column<T>[]): string[] => columns.map(([name]) => name)
const values = <T>(columns: readonly Column<T>[], row: T): CopyValue[] =>
  columns.map(([, value]) => value(row))

const timesOf = (markets: readonly StoredMarket[], name: 'startAt' | 'endAt'): Date[] =>
  markets.flatMap((market) => market[name] ?? [])

function extreme(times: readonly Date[], choose: (...ms: number[]) => number): Date | null {
  return times.length === 0 ? null : new Date(choose(...times.map((time) => time.getTime())))
}

async function storeTags(
  { client }: Transaction,
  input: Stamp & { events: readonly StoredEvent[]; markets: readonly StoredMarket[] },
): Promise<void> {
  const tags = new Map(
    [...input.events, ...input.markets].flatMap((row) =>
      row.tags.map(({ slug, label }) => [slug, label] as const),
    ),
  )
  await copyRows(client, {
    table: 'prediction_tags',
    columns: ['slug', 'label', 'source', 'fetched_at'],
    key: ['slug'],
    rows: [...tags].map(([slug, label]) => [slug, label, input.source, input.fetchedAt]),
  })
}

async function idsOf(
  { client }: Transaction,
  {
    venue,
    table,
    key,
    values: wanted,
  }: { venue: string; table: string; key: string; values: readonly string[] },
): Promise<Map<string, number>> {
  const { rows } = await client.query<{ key: string; id: number }>(
    `select ${key} as key, id from ${table} where venue = $1 and ${key} = any($2::text[])`,
    [venue, [...new Set(wanted)]],
  )
  return new Map(rows.map((row) => [row.key, row.id]))
}

async function storeSometimes(
  { db }: Transaction,
  {
    markets,
    ids,
    eventIds,
  }: { markets: readonly StoredMarket[]; ids: Map<string, number>; eventIds: Map<string, number> },
): Promise<void> {
  const rows = markets.map((row) => {
    const [category, tags, volume7d, openInterest] = values(SOMETIMES, row)
    return {
      id: ids.get(row.venueMarketId),
      event: eventIds.get(row.venueEventId ?? ''),
      category,
      tags,
      volume7d,
      openInterest,
    }
  })
  // A venue counts the two windows at different moments; the longer one contains the shorter.
  const week = sql`greatest(coalesce(sent.volume_7d, stored.volume_7d_usd), stored.volume_24h_usd)`
  await sql`
    update prediction_markets as stored set
      event_id = coalesce(sent.event, stored.event_id),
      category = coalesce(sent.category, stored.category),
      tags = case when cardinality(sent.tags) > 0 then sent.tags else stored.tags end,
      volume_7d_usd = ${week},
      open_interest_usd = coalesce(sent.open_interest, stored.open_interest_usd)
    from (
      select (r ->> 'id')::int as id, (r ->> 'event')::int as event, r ->> 'category' as category,
        array(select jsonb_array_elements_text(r -> 'tags')) as tags,
        (r ->> 'volume7d')::numeric as volume_7d, (r ->> 'openInterest')::numeric as open_interest
      from jsonb_array_elements(${JSON.stringify(rows)}::jsonb) as r
    ) as sent
    where sent.id = stored.id and (
      stored.event_id is distinct from coalesce(sent.event, stored.event_id)
      or stored.category is distinct from coalesce(sent.category, stored.category)
      or (cardinality(sent.tags) > 0 and stored.tags <> sent.tags)
      or stored.volume_7d_usd <> ${week} or stored.open_interest_usd <> sent.open_interest)`.execute(db)
}

async function storeOutcomes(
  { db, client }: Transaction,
  input: { markets: readonly StoredMarket[]; ids: Map<string, number>; source: string; fetchedAt: Date },
): Promise<void> {
  const { markets, ids, source, fetchedAt } = input
  const before = sql<{ market_id: number }>`
    select distinct market_id from prediction_outcomes where market_id = any(${[...ids.values()]}::int[]) and payout is null`
  const unresolved = (await before.execute(db)).rows.map(({ market_id }) => market_id)
  await copyRows(client, {
    table: 'prediction_outcomes',
    columns: ['market_id', 'position', 'venue_outcome_id', 'name', 'price', 'payout', 'source', 'fetched_at'],
    key: ['market_id', 'position'],
    update: ['venue_outcome_id', 'name', 'price', 'payout'],
    stamp: ['source', 'fetched_at'],
    rows: markets.flatMap((row) =>
      row.outcomes.map(({ venueOutcomeId, name, price, payout }, position) => [
        ids.get(row.venueMarketId)!,
        position,
        venueOutcomeId,
        name,
        price,
        payout,
        source,
        fetchedAt,
      ]),
    ),
  })
  // Wait for traders that are being computed without the payout: their fills are stored, but not their
  // positions yet.
  const resolved = sql`
    select market_id from prediction_outcomes where market_id = any(${unresolved}::int[]) and payout is not null`
  await sql`
    select from prediction_traders
    where id in (select trader_id from prediction_trades where market_id in (${resolved}))
    order by address for no key update`.execute(db)
  await sql`
    update prediction_traders set dirty = true
    where not dirty and id in (
      select trader_id from prediction_positions where market_id in (${resolved}) and status = 'open')`.execute(
    db,
  )
}
