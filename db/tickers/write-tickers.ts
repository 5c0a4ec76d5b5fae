import { sql } from 'kysely'
import type { Db } from '../schema.ts'
import { copyRows } from '../copy-rows.ts'
import type { Transaction } from '../transact.ts'

/** A market of one exchange. */
export interface TickerValues {
  base: string
  target: string
  baseCoinId: string | null
  targetCoinId: string | null
  pairPrice: string
  pairVolume: string
  priceUsd: string
  volumeUsd: string
  verified: boolean
  at: Date
}

interface TickerBatch {
  exchangeId: string
  tickers: readonly TickerValues[]
  seenAt: Date
  source: string
}

const VALUES = [
  'base_coin_id',
  'target_coin_id',
  'pair_price',
  'pair_volume',
  'price_usd',
  'volume_usd',
  'verified',
  'listed',
  'at',
  'seen_at',
] as const

/**
 * Stores the markets of an exchange and their prices. Unlists a market that was missing twice in a row: one
 * absence may be an accident, or the market may have been too small for the pages that are read.
 */
export async function storeTickers({ db, client }: Transaction, batch: TickerBatch): Promise<void> {
  const { exchangeId, tickers, seenAt, source } = batch
  await copyRows(client, {
    table: 'tickers',
    columns: ['exchange_id', 'base', 'target', ...VALUES, 'first_seen_at', 'source', 'fetched_at'],
    key: ['exchange_id', 'base', 'target'],
    update: VALUES,
    stamp: ['source', 'fetched_at'],
    rows: tickers.map((row) => [
      exchangeId,
      row.base,
      row.target,
      row.baseCoinId,
      row.targetCoinId,
      row.pairPrice,
      row.pairVolume,
      row.priceUsd,
      row.volumeUsd,
      row.verified,
      true,
      row.at,
      seenAt,
      seenAt,
      source,
      seenAt,
    ]),
  })
  await storePairPrices({ client }, { exchangeId, points: tickers, source, fetchedAt: seenAt })
  await sql`
    update tickers set listed = false from ticker_exchanges exchange
    where exchange.id = ${exchangeId} and tickers.exchange_id = exchange.id and tickers.listed
      and tickers.seen_at < exchange.tickers_at`.execute(db)
  await sql`update ticker_exchanges set tickers_at = ${seenAt} where id = ${exchangeId}`.execute(db)
}

/** Adds prices of the markets of an exchange. Stored points stay. Returns the number of points added. */
export async function storePairPrices(
  { client }: Pick<Transaction, 'client'>,
  batch: {
    exchangeId: string
    points: readonly Pick<TickerValues, 'base' | 'target' | 'at' | 'pairPrice'>[]
    source: string
    fetchedAt: Date
  },
): Promise<number> {
  const { exchangeId, points, source, fetchedAt } = batch
  return copyRows(client, {
    table: 'ticker_prices',
    columns: ['exchange_id', 'base', 'target', 'at', 'pair_price', 'source', 'fetched_at'],
    key: ['exchange_id', 'base', 'target', 'at'],
    rows: points.map((row) => [exchangeId, row.base, row.target, row.at, row.pairPrice, source, fetchedAt]),
  })
}

/**
 * Unlists the markets of exchanges that were not read since `since` because larger exchanges replaced them.
 */
export async function unlistUnread(db: Db, { since }: { since: Date }): Promise<void> {
  await sql`
    with unread as (
      update ticker_exchanges set tickers_at = null where tickers_at < ${since} returning id
    )
    update tickers set listed = false where listed and exchange_id in (select id from unread)`.execute(db)
}
