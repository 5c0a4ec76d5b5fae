import type { Decimal } from '../../values/decimal.ts'
import { sql } from 'kysely'
import type { Db, ReadonlyDb } from '../../schema.ts'
import { decimal, multiply } from '../../values/decimal.ts'
import { isFiatCoin, UNIT_COINS } from '../../values/coins.ts'
import { startOfPeriod } from '../../values/periods.ts'
import { fiatPoints, firstFiatPrices, pricesInForce } from './prices-in-force.ts'
import { inUnits } from './money.ts'
import type { Money } from './money.ts'
import { readSql } from '../../read-sql.ts'

export interface PricePoint {
  coinId: string
  atMs: number
  usd: Decimal
  source?: string
}

export interface PriceBook {
  /** The latest price at or before the instant; null before the first. */
  at: (coinId: string, atMs: number) => Decimal | null
  /** The same price with the instant from which it is. */
  pointAt: (coinId: string, atMs: number) => PricePoint | null
  /** The first price of a coin; null when it has none. */
  first: (coinId: string) => PricePoint | null
}

/** Prices in memory, found by binary search. Of two points at one instant the later one in the input wins. */
export function createPriceBook(points: readonly PricePoint[]): PriceBook {
  const byCoin = Map.groupBy(points, (point) => point.coinId)
  for (const list of byCoin.values()) list.sort((a, b) => a.atMs - b.atMs)
  const pointAt = (coinId: string, atMs: number): PricePoint | null => {
    const list = byCoin.get(coinId) ?? []
    let low = 0
    let high = list.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if (list[middle]!.atMs <= atMs) low = middle + 1
      else high = middle
    }
    return list[low - 1] ?? null
  }
  return {
    pointAt,
    at: (coinId, atMs) => pointAt(coinId, atMs)?.usd ?? null,
    first: (coinId) => byCoin.get(coinId)?.[0] ?? null,
  }
}

/**
 * Loads all prices of some coins and currencies that are in force in [fromMs, toMs]: one range scan of each
 * table from the full hour on, and one probe for each coin without a price at that hour.
 */
export async function loadPriceBook(input: {
  db: Db | ReadonlyDb
  coinIds: readonly string[]
  fromMs: number
  toMs: number
}): Promise<PriceBook> {
  const { coinIds } = input
  const db = input.db as Db
  const fromMs = startOfPeriod('hourly', input.fromMs)
  const window = sql`coin_id = any(${[...coinIds]}::text[]) and at >= ${new Date(fromMs)} and at <= ${new Date(input.toMs)}`
  // One text per coin, because the driver parses rows ten times as slowly. Hours first: of two points at one
  // instant the price book keeps the later one in the input, the daily price.
  const { rows } = await sql<{ coin_id: string; points: string }>`
    select coin_id, string_agg(floor(extract(epoch from at) * 1000)::bigint || ' ' || usd, ',' order by preference) as points
    from (
      select coin_id, at, usd, 0 as preference from price_hours where ${window}
      union all select coin_id, at, usd, 1 from price_days where ${window}
    ) as point
    group by coin_id`.execute(db)
  const points = rows.flatMap((row) => row.points.split(',').map((text) => pointOf(row.coin_id, text)))
  const opened = new Set(points.filter(({ atMs }) => atMs === fromMs).map(({ coinId }) => coinId))
  const before = coinIds.filter((coinId) => !opened.has(coinId))
  const opening = await pricesInForce(
    db,
    before.map((coinId) => ({ coinId, atMs: fromMs })),
  )
  const fiats = coinIds.filter(isFiatCoin)
  const range = { from: new Date(fromMs), to: new Date(input.toMs) }
  const rates = fiats.length > 0 ? await fiatPoints(db, { coinIds: fiats, ...range }) : []
  return createPriceBook([
    ...rates,
    ...before.flatMap((coinId, index) => (opening[index] ? [{ coinId, ...opening[index] }] : [])),
    ...points,
  ])
}

function pointOf(coinId: string, text: string): PricePoint {
  const space = text.indexOf(' ')
  return { coinId, atMs: Number(text.slice(0, space)), usd: decimal(text.slice(space + 1)) }
}

export type Convert = (usd: Decimal, atMs: number) => Money

/** Converts at the prices of BTC and ETH in force at instants of [fromMs, toMs]; 0 without a price. */
export async function unitConverter(input: { db: Db; fromMs: number; toMs: number }): Promise<Convert> {
  const book = await loadPriceBook({ ...input, coinIds: Object.values(UNIT_COINS) })
  return (usd, atMs) => inUnits(usd, book.at(UNIT_COINS.btc, atMs), book.at(UNIT_COINS.eth, atMs))
}

/** The first stored price of each coin. Coins without a price are not in the result. */
export async function firstPrices(
  db: Db | ReadonlyDb,
  coinIds: readonly string[],
): Promise<Map<string, PricePoint>> {
  const fiats = coinIds.filter(isFiatCoin)
  const coins = coinIds.filter((coinId) => !isFiatCoin(coinId))
  const points = [
    ...(coins.length > 0 ? await firstCoinPrices(db, coins) : []),
    ...(fiats.length > 0 ? await firstFiatPrices(db, fiats) : []),
  ]
  return new Map(points.map((point) => [point.coinId, point]))
}

async function firstCoinPrices(db: Db | ReadonlyDb, coinIds: readonly string[]): Promise<PricePoint[]> {
  const { rows } = await sql<{ coin_id: string; at: Date; usd: string }>`
    select coin.id as coin_id, price.at, price.usd
    from unnest(${coinIds}::text[]) as coin (id)
    cross join lateral (
      select at, usd from (
        (select at, usd, 0 as preference from price_days where coin_id = coin.id order by at limit 1)
        union all
        (select at, usd, 1 from price_hours where coin_id = coin.id order by at limit 1)
      ) as candidates order by at, preference limit 1
    ) as price`.execute(db as Db)
  return rows.map((row) => ({ coinId: row.coin_id, atMs: row.at.getTime(), usd: decimal(row.usd) }))
}

/** Converts an amount at an instant to the currency. */
export type InCurrency = (money: Money, atMs: number) => Decimal

/**
 * Returns a converter for amounts of [fromMs, toMs] to USD, BTC, ETH or a fiat currency. A fiat amount uses
 * the rate in force at its own instant, carried forward over days without one; before the first rate, the
 * first one. Null: the currency has no rate.
 */
export async function currencyRates(input: {
  db: ReadonlyDb
  currency: string
  fromMs: number
  toMs: number
}): Promise<InCurrency | null> {
  const { currency } = input
  if (currency === 'USD') return (money) => money.usd
  if (currency === 'BTC') return (money) => money.btc
  if (currency === 'ETH') return (money) => money.eth
  const rateAt = await fiatRates(input)
  return rateAt && ((money, atMs) => multiply(money.usd, rateAt(atMs).usd))
}

/** Returns the rates of a fiat currency. Their `usd` is the price of one USD in it. Null: it has no rate. */
export async function fiatRates(input: {
  db: ReadonlyDb
  currency: string
  fromMs: number
  toMs: number
}): Promise<((atMs: number) => PricePoint) | null> {
  const { currency } = input
  const rows = await readSql(
    input.db,
    sql<{ at: Date; per_usd: string; source: string }>`
      select at, per_usd, source from fx_rates
      where currency = ${currency}
        and at <= greatest(${new Date(input.toMs)}, (select min(at) from fx_rates where currency = ${currency}))
        and at >= coalesce(
          (select max(at) from fx_rates where currency = ${currency} and at <= ${new Date(input.fromMs)}),
          (select min(at) from fx_rates where currency = ${currency}))`,
  )
  const book = createPriceBook(
    rows.map(({ at, per_usd, source }) => ({
      coinId: currency,
      atMs: at.getTime(),
      usd: decimal(per_usd),
      source,
    })),
  )
  const first = book.first(currency)
  return first && ((atMs) => book.pointAt(currency, atMs) ?? first)
}
