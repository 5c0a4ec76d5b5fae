import { sql } from 'kysely'
import type { ReadonlyDb } from '../connect.ts'
import { inUnits, type Money } from '../pnl/money.ts'
import { pricesInForce } from '../pnl/prices-in-force.ts'
import { unitPrices } from '../pnl/values-in-detail.ts'
import { readRatesAt } from '../prices/read-rates.ts'
import { readSql } from '../read-sql.ts'
import { add, decimal, type Decimal, divide, multiply, sign, ZERO } from '../values/decimal.ts'
import { DAY_MS, HOUR_MS } from '../values/periods.ts'

export interface ValuePoint {
  atMs: number
  value: Money
}

/** Instant of the first settled transaction; null: none. */
export async function readFirstAt(db: ReadonlyDb, connectionId: string): Promise<Date | null> {
  const rows = await readSql(
    db,
    sql<{ at: Date }>`
      select at from exchange_transactions where connection_id = ${connectionId} and status = 'ok'
      order by at limit 1`,
  )
  return rows[0]?.at ?? null
}

/**
 * Value of the account at instants (in order), in USD, BTC and ETH, each at the prices of its own instant. Balances are
 * walked back from those the venue states now, so that what is missing from the history shifts nothing that is known.
 * An asset that would be below zero then counts as none.
 */
export async function readExchangeValues(
  db: ReadonlyDb,
  input: { connectionId: string; instantsMs: readonly number[] },
): Promise<ValuePoint[]> {
  const { connectionId, instantsMs } = input
  const instants = instantsMs.map((atMs) => new Date(atMs))
  const holdings = await readHoldings(db, { connectionId, instants })
  const usd = instantsMs.map(() => ZERO)
  const coins = holdings.filter(({ coinId }) => coinId !== null)
  const priceOf = await coinPrices(
    db,
    coins.map(({ coinId, index }) => ({ coinId: coinId!, atMs: instantsMs[index]! })),
  )
  for (const { coinId, index, quantity } of coins) {
    const price = priceOf(coinId!, instantsMs[index]!)
    if (price) usd[index] = add(usd[index]!, multiply(quantity, price))
  }
  const money = holdings.filter(({ currency }) => currency !== null)
  for (const [currency, amounts] of Map.groupBy(money, (one) => one.currency!)) {
    const rates = await readRatesAt(db, { currency, instants })
    if (!rates) continue
    for (const { index, quantity } of amounts)
      usd[index] = add(usd[index]!, divide(quantity, decimal(rates[index]!)))
  }
  const units = await unitPrices(db, instantsMs)
  return instantsMs.map((atMs, index) => ({ atMs, value: inUnits(usd[index]!, ...units[index]!) }))
}

/** What was held of a known asset at an instant, by its index. */
interface Holding {
  coinId: string | null
  currency: string | null
  index: number
  quantity: Decimal
}

interface AssetRow {
  asset: string
  coinId: string | null
  currency: string | null
  /** Balance at the first instant. */
  opening: string
}

async function readHoldings(
  db: ReadonlyDb,
  { connectionId, instants }: { connectionId: string; instants: readonly Date[] },
): Promise<Holding[]> {
  const first = instants[0]!
  const assets = await readSql(
    db,
    sql<AssetRow>`
      with held as (
        select asset from exchange_balances where connection_id = ${connectionId}
        union select distinct asset from exchange_legs where connection_id = ${connectionId}
      )
      select held.asset, a.coin_id as "coinId", a.currency,
        coalesce(b.amount, 0) - coalesce(newest.total, 0) + coalesce(past.total, 0) as opening
      from held
      join exchange_connections c on c.id = ${connectionId}
      join exchange_assets a on a.venue = c.venue and a.asset = held.asset
      left join exchange_balances b on b.connection_id = c.id and b.asset = held.asset
      left join lateral (
        select total from exchange_legs where connection_id = ${connectionId} and asset = held.asset
        order by at desc, kind desc, key desc, role desc limit 1
      ) as newest on true
      left join lateral (
        select total from exchange_legs
        where connection_id = ${connectionId} and asset = held.asset and at <= ${first}
        order by at desc, kind desc, key desc, role desc limit 1
      ) as past on true
      where coalesce(a.coin_id, a.currency) is not null`,
  )
  // A leg counts from the first instant that is not before it.
  const changes = await readSql(
    db,
    sql<{ asset: string; index: number; delta: string }>`
      select asset, width_bucket(at - interval '1 microsecond', ${[...instants]}::timestamptz[]) as index,
        sum(delta) as delta
      from exchange_legs
      where connection_id = ${connectionId} and at > ${first} and at <= ${instants.at(-1)!}
      group by 1, 2`,
  )
  const deltas = new Map(changes.map(({ asset, index, delta }) => [`${asset} ${index}`, decimal(delta)]))
  return assets.flatMap(({ asset, coinId, currency, opening }) => {
    let quantity = decimal(opening)
    return instants.flatMap((_, index): Holding[] => {
      const delta = deltas.get(`${asset} ${index}`)
      if (delta) quantity = add(quantity, delta)
      return sign(quantity) > 0 ? [{ coinId, currency, index, quantity }] : []
    })
  })
}

/**
 * Prices at instants. Those of midnights are one range of daily points, others the hourly point of their hour; only
 * where that is missing an earlier one is looked for, which asks every partition.
 */
async function coinPrices(
  db: ReadonlyDb,
  cells: Cells,
): Promise<(coinId: string, atMs: number) => Decimal | null> {
  const found = new Map<string, Decimal>()
  const keyOf = (coinId: string, atMs: number) => `${coinId} ${atMs}`
  const midnights = cells.filter(({ atMs }) => atMs % DAY_MS === 0)
  for (const { coinId, at, usd } of await dailyPrices(db, midnights))
    found.set(keyOf(coinId, at.getTime()), decimal(usd))
  const others = cells.filter(({ atMs }) => atMs % DAY_MS !== 0)
  const hourly = await hourlyPrices(db, others)
  others.forEach(({ coinId, atMs }, index) => {
    const usd = hourly[index]
    if (usd != null) found.set(keyOf(coinId, atMs), decimal(usd))
  })
  const missing = cells.filter(({ coinId, atMs }) => !found.has(keyOf(coinId, atMs)))
  const prices = await pricesInForce(db, missing)
  missing.forEach(({ coinId, atMs }, index) => {
    const price = prices[index]
    if (price) found.set(keyOf(coinId, atMs), price.usd)
  })
  return (coinId, atMs) => found.get(keyOf(coinId, atMs)) ?? null
}

type Cells = readonly { coinId: string; atMs: number }[]

/** Daily points of the coins, from the first to the last of the instants. */
async function dailyPrices(
  db: ReadonlyDb,
  cells: Cells,
): Promise<{ coinId: string; at: Date; usd: string }[]> {
  if (cells.length === 0) return []
  const times = cells.map(({ atMs }) => atMs)
  return readSql(
    db,
    sql<{ coinId: string; at: Date; usd: string }>`
      select coin_id as "coinId", at, usd from price_days
      where coin_id = any(${[...new Set(cells.map(({ coinId }) => coinId))]}::text[])
        and at between ${new Date(Math.min(...times))} and ${new Date(Math.max(...times))}`,
  )
}

/** For each instant the point of the full hour before it, the daily one at midnight; null where there is none. */
async function hourlyPrices(db: ReadonlyDb, cells: Cells): Promise<(string | null)[]> {
  if (cells.length === 0) return []
  const hours = cells.map(({ atMs }) => new Date(Math.floor(atMs / HOUR_MS) * HOUR_MS))
  const rows = await readSql(
    db,
    sql<{ usd: string | null }>`
      select coalesce(
        (select usd from price_days where coin_id = cell.coin_id and at = cell.hour),
        (select usd from price_hours where coin_id = cell.coin_id and at = cell.hour)) as usd
      from unnest(${cells.map(({ coinId }) => coinId)}::text[], ${hours}::timestamptz[])
        with ordinality as cell (coin_id, hour, position)
      order by cell.position`,
  )
  return rows.map(({ usd }) => usd)
}
