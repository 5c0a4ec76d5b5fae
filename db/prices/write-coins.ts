import { sql } from 'kysely'
import { copyRows } from '../copy-rows.ts'
import type { Db } from '../schema.ts'
import type { Transaction } from '../transact.ts'
import type { CoinQuote } from './tables.ts'

/** A coin as its first source describes it. */
export interface CoinRow {
  coinId: string
  upstreamId: string
  symbol: string
  name: string
  icon: string | null
  rank: number | null
}

interface CoinBatch {
  coins: readonly CoinRow[]
  source: string
  fetchedAt: Date
}

/** Stores coins with their mappings and returns the ids of new coins. Call `lockCoins` first. */
export async function storeCoins({ db, client }: Transaction, batch: CoinBatch): Promise<string[]> {
  const { coins, source, fetchedAt } = batch
  const known = await sql<{ id: string }>`
    select id from coins where id = any(${coins.map((coin) => coin.coinId)}::text[])`.execute(db)
  // Only the list of all coins sets last_seen_at. A new coin gets the time of the last list.
  const seen = await sql<{ at: Date | null }>`select max(last_seen_at) as at from coins`.execute(db)
  const seenAt = seen.rows[0]?.at ?? fetchedAt
  await copyRows(client, {
    table: 'coins',
    columns: ['id', 'symbol', 'name', 'icon', 'rank', 'slug', 'last_seen_at', 'source', 'fetched_at'],
    key: ['id'],
    // A coin is of the source that described it last.
    update: ['symbol', 'name', 'icon', 'rank', 'source'],
    stamp: ['fetched_at'],
    rows: coins.map((c) => [c.coinId, c.symbol, c.name, c.icon, c.rank, c.coinId, seenAt, source, fetchedAt]),
  })
  await storeMappings({ client }, { source, mappings: coins })
  const knownIds = new Set(known.rows.map((row) => row.id))
  return coins.map((coin) => coin.coinId).filter((id) => !knownIds.has(id))
}

export async function storeMappings(
  { client }: Pick<Transaction, 'client'>,
  batch: { source: string; mappings: readonly { upstreamId: string; coinId: string }[] },
): Promise<void> {
  const rows = batch.mappings.map(({ upstreamId, coinId }) => [batch.source, upstreamId, coinId])
  await copyRows(client, {
    table: 'coin_mappings',
    columns: ['source', 'upstream_id', 'coin_id'],
    key: ['source', 'upstream_id'],
    rows,
  })
}

const QUOTE_VALUES = [
  'price_usd',
  'volume_24h_usd',
  'market_cap_usd',
  'fully_diluted_valuation_usd',
  'available_supply',
  'total_supply',
  'price_change_1h',
  'price_change_1d',
  'price_change_1w',
  'price_change_1m',
  'all_time_high_usd',
  'all_time_high_at',
  'all_time_low_usd',
  'all_time_low_at',
  'at',
  'stale',
] as const satisfies readonly (keyof CoinQuote)[]

/** A quote to store. It is never stale. */
export type QuoteRow = Omit<CoinQuote, 'stale' | 'recorded_at'>

/**
 * Stores quotes. An unchanged quote is not rewritten. `keeps`: what the source does not give stays as another
 * one gave it. Returns the number of new or changed rows.
 */
export async function storeQuotes(
  { client }: Transaction,
  quotes: readonly QuoteRow[],
  keeps: readonly (typeof QUOTE_VALUES)[number][] = [],
): Promise<number> {
  const columns = ['coin_id', ...QUOTE_VALUES, 'source', 'fetched_at'] as const
  return copyRows(client, {
    table: 'coin_quotes',
    columns,
    key: ['coin_id'],
    update: QUOTE_VALUES.filter((column) => !keeps.includes(column)),
    stamp: ['source', 'fetched_at'],
    rows: quotes.map((quote) => columns.map((name) => (name === 'stale' ? false : quote[name]))),
  })
}

/** Stores prices of a source that gives nothing else. What another source gave beside them stays. */
export async function storePriceOnly(
  { client }: Pick<Transaction, 'client'>,
  batch: {
    prices: readonly { coinId: string; priceUsd: string; at: Date }[]
    source: string
    fetchedAt: Date
  },
): Promise<number> {
  const { prices, source, fetchedAt } = batch
  return copyRows(client, {
    table: 'coin_quotes',
    columns: ['coin_id', 'price_usd', 'at', 'stale', 'source', 'fetched_at'],
    key: ['coin_id'],
    update: ['price_usd', 'at', 'stale'],
    stamp: ['source', 'fetched_at'],
    rows: prices.map(({ coinId, priceUsd, at }) => [coinId, priceUsd, at, false, source, fetchedAt]),
  })
}

/** Marks quotes as stale: their newer values were held back, so the stored value is old. */
export async function markQuotesStale(db: Db, coinIds: readonly string[]): Promise<void> {
  await sql`update coin_quotes set stale = true where coin_id = any(${coinIds}::text[]) and not stale`.execute(
    db,
  )
}

export async function storeContracts(
  { client }: Pick<Transaction, 'client'>,
  batch: {
    contracts: readonly { blockchain: string; address: string; coinId: string; decimals: number | null }[]
    source: string
    fetchedAt: Date
    /** Whether to update the decimals of known contracts; false when the source does not give them. */
    withDecimals: boolean
  },
): Promise<number> {
  const { contracts, source, fetchedAt, withDecimals } = batch
  return copyRows(client, {
    table: 'coin_contracts',
    columns: ['blockchain', 'address', 'coin_id', 'decimals', 'source', 'fetched_at'],
    key: ['blockchain', 'address'],
    update: withDecimals ? ['coin_id', 'decimals'] : ['coin_id'],
    stamp: ['source', 'fetched_at'],
    rows: contracts.map((c) => [c.blockchain, c.address, c.coinId, c.decimals, source, fetchedAt]),
  })
}

/**
 * Marks the coins in a source's full list as seen, and delists those of `knownIds` that were missing twice in
 * a row: one absence may be an accident. Delisted coins keep their last price. Call `lockCoins` first.
 */
export async function markListed(
  { db }: Pick<Transaction, 'db'>,
  input: { source: string; knownIds: readonly string[]; listedIds: readonly string[]; at: Date },
): Promise<{ delisted: number }> {
  const { source, knownIds, listedIds, at } = input
  const { rows } = await sql<{ previous: Date | null }>`
    select max(last_seen_at) as previous from coins
    where source = ${source} and id = any(${knownIds}::text[])`.execute(db)
  const previous = rows[0]?.previous ?? at
  await sql`
    update coins set last_seen_at = ${at}, delisted_at = null
    where source = ${source} and id = any(${listedIds}::text[]) and last_seen_at < ${at}`.execute(db)
  const delisted = await sql<{ id: string }>`
    update coins set delisted_at = ${at}, rank = null
    where source = ${source} and delisted_at is null and last_seen_at < ${previous}
      and id = any(${knownIds}::text[]) and not id = any(${listedIds}::text[])
    returning id`.execute(db)
  const ids = delisted.rows.map((row) => row.id)
  await markQuotesStale(db, ids)
  return { delisted: ids.length }
}

interface Description {
  coinId: string
  categories: string[]
  websiteUrl: string | null
  redditUrl: string | null
  twitterUrl: string | null
  explorers: string[]
  fetchedAt: Date
}

export async function describeCoin(db: Db, description: Description): Promise<void> {
  const { coinId, categories, websiteUrl, redditUrl, twitterUrl, explorers, fetchedAt } = description
  await db
    .updateTable('coins')
    .set({
      categories,
      website_url: websiteUrl,
      reddit_url: redditUrl,
      twitter_url: twitterUrl,
      explorers,
      is_stable: categories.some((category) => /^stablecoins?$/i.test(category)),
      fetched_at: fetchedAt,
    })
    .where('id', '=', coinId)
    .execute()
}
