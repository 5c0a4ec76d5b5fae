import type { Db, ReadonlyDb } from '../schema.ts'
import { prepared, readSql, readText } from '../read-sql.ts'
import { type RawBuilder, sql } from 'kysely'
import { decimal, divide, formatDecimal } from '../values/decimal.ts'
import type pg from 'pg'

/**
 * Returns SQL that selects the stored price in force at an instant: the later of the hourly and the daily
 * point, or the daily one if both have the same instant. `coinId` and `at` are SQL expressions. `columns`
 * lists columns that both price tables have, including `at`.
 */
export const priceInForce = (input: { coinId: string; at: string; columns: string }): string => {
  const { coinId, at, columns } = input
  const newest = (table: string, preference: number) =>
    `(select ${columns}, ${preference} as preference from ${table}
      where coin_id = ${coinId} and at <= ${at} order by at desc limit 1)`
  return `select ${columns} from (
    ${newest('price_days', 0)} union all ${newest('price_hours', 1)}
  ) as candidates order by at desc, preference limit 1`
}

/**
 * The prices of coins ($1) in force at instants ($2), one row each in the same order, null where there is
 * none. Prepared, because planning over all partitions of two tables takes longer than a few index probes.
 */
export const PRICES_IN_FORCE = prepared(
  'prices_in_force',
  `select price.usd, price.at, price.source
   from unnest($1::text[], $2::timestamptz[]) with ordinality as cell (coin_id, at, position)
   left join lateral (
     ${priceInForce({ coinId: 'cell.coin_id', at: 'cell.at', columns: 'usd, at, source' })}
   ) as price on true
   order by cell.position`,
)

export interface PriceAt {
  usd: string
  at: Date
  source: string
}

/**
 * The stored price in force at each instant, in the order of `cells`; null before the first price. If an
 * hourly and a daily point have the same instant, the daily one is used, as everywhere in P&L.
 */
export async function pricesAt(
  client: pg.ClientBase,
  cells: readonly { coinId: string; atMs: number }[],
): Promise<(PriceAt | null)[]> {
  if (cells.length === 0) return []
  const { rows } = await client.query<{ usd: string | null; at: Date; source: string }>(PRICES_IN_FORCE, [
    cells.map((cell) => cell.coinId),
    cells.map((cell) => new Date(cell.atMs)),
  ])
  return rows.map(({ usd, at, source }) => (usd === null ? null : { usd, at, source }))
}

/**
 * The USD price of a coin in force at each instant, in the order of `instants`: the last hourly point, daily
 * point or quote at or before it. Null where the coin had no price yet.
 */
export async function readPricesAt(
  db: Db | ReadonlyDb,
  options: { coinId: string; instants: readonly Date[] },
): Promise<(string | null)[]> {
  const { coinId, instants } = options
  const rows = await readSql(
    db,
    sql<{ usd: string | null }>`
    select (
      select usd from (
        (select at, usd from price_hours where coin_id = ${coinId} and at <= point.at order by at desc limit 1)
        union all
        (select at, usd from price_days where coin_id = ${coinId} and at <= point.at order by at desc limit 1)
        union all
        select at, price_usd from coin_quotes where coin_id = ${coinId} and at <= point.at
      ) candidates order by at desc limit 1
    ) as usd
    from unnest(${[...instants]}::timestamptz[]) with ordinality as point (at, position)
    order by point.position`,
  )
  return rows.map((row) => row.usd)
}

export interface PricePoint {
  /** Unix milliseconds. */
  atMs: number
  usd: string
}

/**
 * Price series of coins: $1 the ids, $2 the inclusive start, $3 the inclusive end. All points of a coin are
 * one text: parsing one row per point would cost the API more time than the database needs to read them.
 */
const seriesIn = (table: 'price_hours' | 'price_days') =>
  prepared(
    `series-in-${table}`,
    `select coin.id as "coinId", series.points
    -- "offset 0" hides the number of coins from the planner, which would otherwise plan every statement again.
    from (select $1::text[] as ids offset 0) as asked
    cross join unnest(asked.ids) as coin (id)
    cross join lateral (
      select string_agg((date_part('epoch', at) * 1000)::bigint || ' ' || usd, ',' order by at) as points
      from (
        (select at, usd from ${table} where coin_id = coin.id and at < $2::timestamptz order by at desc limit 1)
        union all
        select at, usd from ${table} where coin_id = coin.id and at >= $2::timestamptz and at <= $3::timestamptz
      ) as point
    ) as series
    where series.points is not null`,
  )

const SERIES = { hour: seriesIn('price_hours'), day: seriesIn('price_days') }

/**
 * Price points by coin id from `from` (null: all) to `to`, oldest first, preceded by the last point before
 * `from` if there is one. Coins without points are left out.
 */
export async function readPriceSeries(
  db: ReadonlyDb,
  options: { coinIds: readonly string[]; resolution: 'hour' | 'day'; from: Date | null; to: Date },
): Promise<Map<string, PricePoint[]>> {
  const { coinIds, resolution, from, to } = options
  const rows = await readText<{ coinId: string; points: string }>(db, {
    text: SERIES[resolution],
    values: [[...new Set(coinIds)], from ?? '-infinity', to],
  })
  return new Map(rows.map(({ coinId, points }) => [coinId, points.split(',').map(pointOf)]))
}

function pointOf(text: string): PricePoint {
  const space = text.indexOf(' ')
  return { atMs: Number(text.slice(0, space)), usd: text.slice(space + 1) }
}

/** Coins that are also accepted as currencies. */
const COIN_CURRENCIES: Readonly<Record<string, string>> = { BTC: 'bitcoin', ETH: 'ethereum' }

export interface Rate {
  /** Upper-case code. */
  currency: string
  /** Units of the currency per USD. */
  perUsd: string
  /** Start of validity: the rate is carried forward over days without one. */
  asOf: Date
  fetchedAt: Date
}

/**
 * A currency counts as discontinued when its newest rate is this much older than the newest rate of all.
 * Banks pause for some days; a few publish once a month.
 */
const LONGEST_PAUSE = sql`interval '40 days'`
const current = (at: RawBuilder<Date>) => sql`${at} > (select max(at) from fx_rates) - ${LONGEST_PAUSE}`

/** The newest rate of each current fiat currency except USD, sorted by code. */
export async function readFiatRates(db: ReadonlyDb): Promise<Rate[]> {
  // One index probe per currency; `distinct on` would read the whole history.
  const rows = await readSql(
    db,
    sql<{ currency: string; per_usd: string; at: Date; fetched_at: Date }>`
    with recursive codes (currency) as (
      select min(currency) from fx_rates
      union all
      select (select min(currency) from fx_rates where currency > codes.currency)
      from codes where codes.currency is not null
    )
    select codes.currency, newest.per_usd, newest.at, newest.fetched_at
    from codes cross join lateral (
      select per_usd, at, fetched_at from fx_rates where fx_rates.currency = codes.currency order by at desc limit 1
    ) newest
    where codes.currency <> 'USD' and ${current(sql`newest.at`)}
    order by codes.currency`,
  )
  return rows.map((row) => ({
    currency: row.currency,
    perUsd: row.per_usd,
    asOf: row.at,
    fetchedAt: row.fetched_at,
  }))
}

/** The newest rates of BTC and ETH as currencies. */
export async function readCoinRates(db: ReadonlyDb): Promise<Rate[]> {
  const quotes = await db
    .selectFrom('coin_quotes')
    .select(['coin_id', 'price_usd', 'at', 'fetched_at'])
    .where('coin_id', 'in', Object.values(COIN_CURRENCIES))
    .where('price_usd', '>', '0')
    .execute()
  return Object.entries(COIN_CURRENCIES).flatMap(([currency, coinId]) => {
    const quote = quotes.find((row) => row.coin_id === coinId)
    return quote
      ? [{ currency, perUsd: perUsdOfPrice(quote.price_usd), asOf: quote.at, fetchedAt: quote.fetched_at }]
      : []
  })
}

/**
 * The rate of a currency in force at each instant, in the order of `instants`: the last rate at or before it,
 * or the first known rate for earlier instants. Null when the currency has no rate or is discontinued.
 */
export async function readRatesAt(
  db: ReadonlyDb,
  options: { currency: string; instants: readonly Date[] },
): Promise<string[] | null> {
  const { currency, instants } = options
  if (currency === 'USD') return instants.map(() => '1')
  const coinId = Object.hasOwn(COIN_CURRENCIES, currency) ? COIN_CURRENCIES[currency] : undefined
  if (coinId !== undefined) {
    const prices = await readPricesAt(db, { coinId, instants })
    const first = prices.find((price) => price !== null) ?? (await readFirstPrice(db, coinId))
    return first === null ? null : prices.map((price) => perUsdOfPrice(price ?? first))
  }
  const rows = await readSql(
    db,
    sql<{ per_usd: string }>`
    select coalesce(
      (select per_usd from fx_rates where currency = ${currency} and at <= point.at order by at desc limit 1),
      (select per_usd from fx_rates where currency = ${currency} order by at limit 1)
    ) as per_usd
    from unnest(${[...instants]}::timestamptz[]) with ordinality as point (at, position)
    where exists (select from fx_rates where currency = ${currency} and ${current(sql`at`)})
    order by point.position`,
  )
  return rows.length === instants.length ? rows.map((row) => row.per_usd) : null
}

async function readFirstPrice(db: ReadonlyDb, coinId: string): Promise<string | null> {
  const row = await db
    .selectFrom('price_days')
    .select('usd')
    .where('coin_id', '=', coinId)
    .orderBy('at')
    .limit(1)
    .executeTakeFirst()
  return row?.usd ?? null
}

function perUsdOfPrice(priceUsd: string): string {
  return formatDecimal(divide(decimal('1'), decimal(priceUsd), 40))
}
