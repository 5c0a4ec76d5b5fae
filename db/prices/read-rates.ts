import { type RawBuilder, sql } from 'kysely'
import type { ReadonlyDb } from '../schema.ts'
import { readSql } from '../read-sql.ts'
import { readPricesAt } from './read-prices.ts'
import { decimal, divide, formatDecimal } from '../values/decimal.ts'

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
