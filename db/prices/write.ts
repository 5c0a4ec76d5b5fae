import { sql } from 'kysely'
import { appendRows, copyRows } from '../copy-rows.ts'
import { fiatCoinId } from '../values/coins.ts'
import { noteChanges, type PriceChange } from '../pnl/valuation/price-changes.ts'
import type { Db } from '../schema.ts'
import type { Transaction } from '../transact.ts'

export type Resolution = 'hour' | 'day'

/** The price in force at an instant: a full hour or a UTC midnight. */
export interface StoredPoint {
  coinId: string
  at: Date
  usd: string
  source: string
}

export interface HistoryRange {
  coinId: string
  from: Date
  to: Date
  /** Why the plans of the sources have nothing before `from`. */
  floor?: { reason: string; plan: string } | null
}

/** Price points of several coins, and the range of history that each coin then has. */
export interface PriceBatch {
  resolution: Resolution
  points: readonly StoredPoint[]
  histories: readonly HistoryRange[]
  fetchedAt: Date
}

const TABLES = { hour: 'price_hours', day: 'price_days' } as const
const COLUMNS = ['coin_id', 'at', 'usd', 'source', 'fetched_at']
const KEY = ['coin_id', 'at']

/**
 * Stores price points with the cursors of their histories. Overwrites stored points that have another price.
 * Each new or changed point marks the P&L of all holders of the coin dirty from its instant on. Returns the
 * number of new or changed points.
 */
export async function storePrices(transaction: Transaction, batch: PriceBatch): Promise<number> {
  const { db } = transaction
  const { points, histories, resolution } = batch
  let changed = 0
  if (points.length > 0) {
    const span = spanOf(points)
    await sql`select ensure_price_partitions(${span.from}, ${span.to})`.execute(db)
    const { inside, outside } = await splitByHistory(db, batch)
    const repaired = await repairPoints(db, { ...batch, points: inside })
    const appended = await appendPoints(transaction, { ...batch, points: outside })
    const changes = [...repaired.changes, ...outside.map(({ coinId, at }) => ({ coinId, from: at }))]
    changed = repaired.count + appended
    if (changed > 0) {
      await noteChanges({ db, changes })
      await renewQuotes(db, batch)
    }
  }
  for (const history of histories) await storeRange(db, { resolution, ...history })
  return changed
}

/** Widens a history. A floor counts until the history is known from before it. */
async function storeRange(
  db: Db,
  { resolution, coinId, from, to, floor = null }: HistoryRange & { resolution: Resolution },
): Promise<void> {
  const isOfFloor = sql`excluded.floor_plan is not null or excluded.from_at < stored.from_at`
  await sql`
    insert into price_histories as stored (coin_id, resolution, from_at, to_at, floor_reason, floor_plan)
    values (${coinId}, ${resolution}, ${from}, ${to}, ${floor?.reason ?? null}, ${floor?.plan ?? null})
    on conflict (coin_id, resolution) do update set
      from_at = least(stored.from_at, excluded.from_at), to_at = greatest(stored.to_at, excluded.to_at),
      floor_reason = case when ${isOfFloor} then excluded.floor_reason else stored.floor_reason end,
      floor_plan = case when ${isOfFloor} then excluded.floor_plan else stored.floor_plan end
  `.execute(db)
}

function spanOf(points: readonly StoredPoint[]): { from: Date; to: Date } {
  const span = { from: points[0]!.at, to: points[0]!.at }
  for (const { at } of points) {
    if (at < span.from) span.from = at
    if (at > span.to) span.to = at
  }
  return span
}

/**
 * Splits points into those inside the stored history of their coin and those outside, which are most likely
 * new.
 */
async function splitByHistory(
  db: Db,
  { points, resolution }: PriceBatch,
): Promise<{ inside: StoredPoint[]; outside: StoredPoint[] }> {
  const rows = await db
    .selectFrom('price_histories')
    .select(['coin_id', 'from_at', 'to_at'])
    .where('resolution', '=', resolution)
    .where('coin_id', 'in', [...new Set(points.map(({ coinId }) => coinId))])
    .execute()
  const histories = new Map(rows.map((row) => [row.coin_id, row]))
  const inside: StoredPoint[] = []
  const outside: StoredPoint[] = []
  for (const point of points) {
    const history = histories.get(point.coinId)
    const isInside = history && point.at >= history.from_at && point.at <= history.to_at
    if (isInside) inside.push(point)
    else outside.push(point)
  }
  return { inside, outside }
}

/**
 * Writes the points that are missing or have another price. Returns the first changed instant of each coin.
 */
async function repairPoints(
  db: Db,
  { resolution, points, fetchedAt }: PriceBatch,
): Promise<{ count: number; changes: PriceChange[] }> {
  if (points.length === 0) return { count: 0, changes: [] }
  const { rows } = await sql<{ coin_id: string; at: Date; count: number }>`
    with written as (
      insert into ${sql.table(TABLES[resolution])} as stored (coin_id, at, usd, source, fetched_at)
      select distinct on (coin_id, at) coin_id, at, usd, source, ${fetchedAt}::timestamptz
      from unnest(
        ${points.map(({ coinId }) => coinId)}::text[], ${points.map(({ at }) => at)}::timestamptz[],
        ${points.map(({ usd }) => usd)}::numeric[], ${points.map(({ source }) => source)}::text[]
      ) as point (coin_id, at, usd, source)
      order by coin_id, at
      on conflict (coin_id, at) do update set usd = excluded.usd, source = excluded.source, fetched_at = excluded.fetched_at
      where stored.usd <> excluded.usd
      returning stored.coin_id, stored.at
    ) select coin_id, min(at) as at, count(*)::int as count from written group by coin_id order by coin_id`.execute(
    db,
  )
  return {
    count: rows.reduce((sum, { count }) => sum + count, 0),
    changes: rows.map(({ coin_id, at }) => ({ coinId: coin_id, from: at })),
  }
}

async function appendPoints(
  { client }: Transaction,
  { resolution, points, fetchedAt }: PriceBatch,
): Promise<number> {
  if (points.length === 0) return 0
  return appendRows(client, {
    table: TABLES[resolution],
    columns: COLUMNS,
    key: KEY,
    update: ['usd'],
    stamp: ['source', 'fetched_at'],
    rows: () => points.map(({ coinId, at, usd, source }) => [coinId, at, usd, source, fetchedAt]),
  })
}

/**
 * Replaces quotes by stored prices that are an hour newer, because the newest quote is the last price in force
 * everywhere: the lists that quotes come from lose coins whose histories go on. Skips quotes that are being
 * written, which are newer.
 */
async function renewQuotes(db: Db, { points, fetchedAt }: PriceBatch): Promise<void> {
  const newest = new Map<string, StoredPoint>()
  for (const point of points)
    if (!newest.has(point.coinId) || point.at > newest.get(point.coinId)!.at) newest.set(point.coinId, point)
  const of = [...newest.values()]
  await sql`
    with old as (
      select coin_id, point.at, point.usd, point.source from coin_quotes as quote
      join unnest(
        ${of.map(({ coinId }) => coinId)}::text[], ${of.map(({ at }) => at)}::timestamptz[],
        ${of.map(({ usd }) => usd)}::numeric[], ${of.map(({ source }) => source)}::text[]
      ) as point (coin_id, at, usd, source) using (coin_id)
      where quote.at <= point.at - interval '1 hour' and quote.price_usd <> point.usd
      for no key update of quote skip locked
    )
    update coin_quotes as quote set price_usd = old.usd, at = old.at, source = old.source, fetched_at = ${fetchedAt}
    from old where quote.coin_id = old.coin_id`.execute(db)
}

/**
 * Adds the hourly points of `at` from the current quotes, for coins whose hourly history has no gap up to it.
 * Accepts quotes up to five minutes younger: sources stamp their samples some seconds late.
 */
export async function appendQuotedHour(
  transaction: Transaction,
  input: { at: Date; fetchedAt: Date },
): Promise<number> {
  const { rows } = await sql<{ coin_id: string; usd: string; source: string }>`
    select q.coin_id, q.price_usd as usd, q.source
    from coin_quotes q join price_histories h on h.coin_id = q.coin_id and h.resolution = 'hour'
    where not q.stale and h.to_at >= ${input.at}::timestamptz - interval '1 hour' and h.to_at < ${input.at}
      and q.at > ${input.at}::timestamptz - interval '1 hour' and q.at <= ${input.at}::timestamptz + interval '5 minutes'
    order by q.coin_id`.execute(transaction.db)
  return storePrices(transaction, {
    resolution: 'hour',
    ...pointsAt(input.at, rows),
    fetchedAt: input.fetchedAt,
  })
}

/** Adds the daily points of a UTC midnight from the hourly ones, for coins whose daily history has no gap. */
export async function appendDay(
  transaction: Transaction,
  input: { at: Date; fetchedAt: Date },
): Promise<number> {
  const { rows } = await sql<{ coin_id: string; usd: string; source: string }>`
    select p.coin_id, p.usd, p.source
    from price_hours p join price_histories h on h.coin_id = p.coin_id and h.resolution = 'day'
    where p.at = ${input.at} and h.to_at >= ${input.at}::timestamptz - interval '1 day' and h.to_at < ${input.at}
    order by p.coin_id`.execute(transaction.db)
  return storePrices(transaction, {
    resolution: 'day',
    ...pointsAt(input.at, rows),
    fetchedAt: input.fetchedAt,
  })
}

function pointsAt(at: Date, rows: readonly { coin_id: string; usd: string; source: string }[]) {
  return {
    points: rows.map(({ coin_id, usd, source }) => ({ coinId: coin_id, at, usd, source })),
    histories: rows.map(({ coin_id }) => ({ coinId: coin_id, from: at, to: at })),
  }
}

/** Stores reference rates and replaces revised ones. Returns the number of new or changed rows. */
export async function storeFiatRates(
  { client, db }: Transaction,
  input: {
    rates: readonly { currency: string; at: Date; perUsd: string }[]
    source: string
    fetchedAt: Date
  },
): Promise<number> {
  const { rates, source, fetchedAt } = input
  const changed = await copyRows(client, {
    table: 'fx_rates',
    columns: ['currency', 'at', 'per_usd', 'source', 'fetched_at'],
    key: ['currency', 'at'],
    update: ['per_usd'],
    stamp: ['source', 'fetched_at'],
    rows: rates.map(({ currency, at, perUsd }) => [currency, at, perUsd, source, fetchedAt]),
  })
  if (changed > 0) {
    const changes = rates.map(({ currency, at }) => ({ coinId: fiatCoinId(currency), from: at }))
    await noteChanges({ db, changes })
  }
  return changed
}
