import { type RawBuilder, sql } from 'kysely'
import type { ReadonlyDb } from '../schema.ts'
import { readSql } from '../read-sql.ts'

export interface TickerQuery {
  /** null: any exchange */
  exchangeId: string | null
  /** upper case */
  base?: string | undefined
  target?: string | undefined
  /** coin on either side of the pair */
  coinId?: string | undefined
  onlyVerified: boolean
}

export interface TickerRow {
  exchange: string
  base: string
  target: string
  pair_price: string
  pair_volume: string
  price_usd: string
  volume_usd: string
  at: Date
  first_seen_at: Date
}

function conditionOf({ exchangeId, base, target, coinId, onlyVerified }: TickerQuery): RawBuilder<boolean> {
  const all = [sql<boolean>`ticker.listed`]
  if (exchangeId !== null) all.push(sql`ticker.exchange_id = ${exchangeId}`)
  if (base !== undefined) all.push(sql`ticker.base = ${base}`)
  if (target !== undefined) all.push(sql`ticker.target = ${target}`)
  if (coinId !== undefined)
    all.push(sql`(ticker.base_coin_id = ${coinId} or ticker.target_coin_id = ${coinId})`)
  if (onlyVerified) all.push(sql`ticker.verified`)
  return sql.join(all, sql` and `)
}

/** One page of the matching listed markets, largest volume first. */
export async function readTickers(
  db: ReadonlyDb,
  query: TickerQuery & { limit: number; offset: number },
): Promise<TickerRow[]> {
  return readSql(
    db,
    sql<TickerRow>`
    select exchange.name as exchange, page.* from (
      select exchange_id, base, target, pair_price, pair_volume, price_usd, volume_usd, at, first_seen_at
      from tickers ticker where ${conditionOf(query)}
      order by volume_usd desc, exchange_id, base, target
      limit ${query.limit} offset ${query.offset}
    ) page join ticker_exchanges exchange on exchange.id = page.exchange_id
    order by page.volume_usd desc, page.exchange_id, page.base, page.target`,
  )
}

export async function countTickers(db: ReadonlyDb, query: TickerQuery): Promise<number> {
  const rows = await readSql(
    db,
    sql<{ count: string }>`select count(*) from tickers ticker where ${conditionOf(query)}`,
  )
  return Number(rows[0]?.count ?? 0)
}

/** The oldest time at which the markets of a listed exchange were read; null: none were read. */
export async function readTickersAsOf(db: ReadonlyDb): Promise<Date | null> {
  const row = await db
    .selectFrom('ticker_exchanges')
    .select((select) => select.fn.min('tickers_at').as('at'))
    .where('rank', 'is not', null)
    .executeTakeFirst()
  return row?.at ?? null
}

export interface PairPrice {
  pairPrice: string
  at: Date
}

/** The last price of a market at or before `at`, but not before `notBefore`. */
export async function readPairPrice(
  db: ReadonlyDb,
  query: { exchangeId: string; base: string; target: string; at: Date; notBefore: Date },
): Promise<PairPrice | undefined> {
  return db
    .selectFrom('ticker_prices')
    .select(['pair_price as pairPrice', 'at'])
    .where('exchange_id', '=', query.exchangeId)
    .where('base', '=', query.base)
    .where('target', '=', query.target)
    .where('at', '<=', query.at)
    .where('at', '>=', query.notBefore)
    .orderBy('at', 'desc')
    .limit(1)
    .executeTakeFirst()
}
