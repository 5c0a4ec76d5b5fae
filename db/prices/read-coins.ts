import { type RawBuilder, sql } from 'kysely'
import type { ReadonlyDb } from '../connect.ts'
import { readSql } from '../read-sql.ts'

export const COIN_SORTS = [
  'rank',
  'marketCap',
  'price',
  'volume',
  'priceChange1h',
  'priceChange1d',
  'priceChange7d',
  'name',
  'symbol',
] as const
type CoinSort = (typeof COIN_SORTS)[number]

export const COIN_FIELDS = [
  'marketCap',
  'fullyDilutedValuation',
  'volume',
  'priceChange1h',
  'priceChange1d',
  'priceChange7d',
  'availableSupply',
  'totalSupply',
  'rank',
  'price',
  'riskScore',
] as const
export type CoinField = (typeof COIN_FIELDS)[number]

export const COIN_OPERATORS = { greaterThan: '>', equals: '=', lessThan: '<' } as const
export type CoinOperator = keyof typeof COIN_OPERATORS

export interface CoinFilter {
  field: CoinField
  operator: CoinOperator
  /** Plain decimal; money is in the currency of `perUsd`. */
  value: string
}

export interface CoinQuery {
  coinIds?: string[] | undefined
  /** Part of the name, any case. */
  name?: string | undefined
  /** Any case. */
  symbol?: string | undefined
  /** Any case. */
  contractAddresses?: string[] | undefined
  blockchains?: string[] | undefined
  /** Any case. */
  categories?: string[] | undefined
  filters: CoinFilter[]
  perUsd: string
  sortBy: CoinSort
  sortDir: 'asc' | 'desc'
}

const columns: Record<Exclude<CoinField, 'riskScore'>, RawBuilder<string>> = {
  marketCap: sql`quote.market_cap_usd`,
  fullyDilutedValuation: sql`quote.fully_diluted_valuation_usd`,
  volume: sql`quote.volume_24h_usd`,
  priceChange1h: sql`quote.price_change_1h`,
  priceChange1d: sql`quote.price_change_1d`,
  priceChange7d: sql`quote.price_change_1w`,
  availableSupply: sql`quote.available_supply`,
  totalSupply: sql`quote.total_supply`,
  rank: sql`coin.rank`,
  price: sql`quote.price_usd`,
}
const MONEY: readonly CoinField[] = ['marketCap', 'fullyDilutedValuation', 'volume', 'price']

function sortColumn(sortBy: CoinSort): RawBuilder<unknown> {
  if (sortBy === 'name') return sql`lower(coin.name)`
  if (sortBy === 'symbol') return sql`lower(coin.symbol)`
  return columns[sortBy]
}

function filterCondition(filter: CoinFilter, perUsd: string): RawBuilder<boolean> {
  // No source of risk scores: no coin has one that could match.
  if (filter.field === 'riskScore') return sql`false`
  const column = columns[filter.field]
  const value = MONEY.includes(filter.field) ? sql`${column} * ${perUsd}::numeric` : column
  return sql`${value} ${sql.raw(COIN_OPERATORS[filter.operator])} ${filter.value}::numeric`
}

const escapeLike = (text: string) => text.replace(/[\\%_]/g, '\\$&')
const lowered = (texts: readonly string[]) => texts.map((text) => text.toLowerCase())

/** Delisted coins are found by their ids and contracts, and left out of lists. */
function conditions(query: CoinQuery): RawBuilder<boolean>[] {
  const { coinIds, name, symbol, contractAddresses, blockchains, categories } = query
  const all: RawBuilder<boolean>[] = query.filters.map((filter) => filterCondition(filter, query.perUsd))
  if (coinIds) all.push(sql`coin.id = any(${coinIds}::text[])`)
  if (!coinIds && !contractAddresses) all.push(sql`coin.delisted_at is null`)
  if (name !== undefined) all.push(sql`coin.name ilike ${`%${escapeLike(name)}%`}`)
  if (symbol !== undefined) all.push(sql`lower(coin.symbol) = ${symbol.toLowerCase()}`)
  if (categories)
    all.push(sql`exists (select from unnest(coin.categories) as category (name)
      where lower(category.name) = any(${lowered(categories)}::text[]))`)
  const contracts: RawBuilder<boolean>[] = []
  if (contractAddresses) contracts.push(sql`lower(address) = any(${lowered(contractAddresses)}::text[])`)
  if (blockchains) contracts.push(sql`blockchain = any(${blockchains}::text[])`)
  if (contracts.length > 0)
    all.push(sql`exists (select from coin_contracts
      where coin_contracts.coin_id = coin.id and ${sql.join(contracts, sql` and `)})`)
  return all
}

export interface CoinRow {
  id: string
  symbol: string
  name: string
  icon: string | null
  rank: number | null
  slug: string
  is_stable: boolean
  website_url: string | null
  reddit_url: string | null
  twitter_url: string | null
  explorers: string[]
  color: string | null
  price_usd: string
  volume_24h_usd: string | null
  market_cap_usd: string | null
  fully_diluted_valuation_usd: string | null
  available_supply: string | null
  total_supply: string | null
  price_change_1h: string | null
  price_change_1d: string | null
  price_change_1w: string | null
  price_change_1m: string | null
  all_time_high_usd: string | null
  all_time_high_at: Date | null
  all_time_low_usd: string | null
  all_time_low_at: Date | null
  at: Date
}

const source = sql`from coins as coin join coin_quotes as quote on quote.coin_id = coin.id`
const where = (query: CoinQuery) => {
  const all = conditions(query)
  return all.length === 0 ? sql`` : sql`where ${sql.join(all, sql` and `)}`
}
const fields = sql`coin.id, coin.symbol, coin.name, coin.icon, coin.rank, coin.slug, coin.is_stable,
  coin.website_url, coin.reddit_url, coin.twitter_url, coin.explorers, coin.color,
  quote.price_usd, quote.volume_24h_usd, quote.market_cap_usd, quote.fully_diluted_valuation_usd,
  quote.available_supply, quote.total_supply, quote.price_change_1h, quote.price_change_1d, quote.price_change_1w,
  quote.price_change_1m, quote.all_time_high_usd, quote.all_time_high_at, quote.all_time_low_usd,
  quote.all_time_low_at, quote.at`

/** One page of the coins that match; coins without any quote have nothing to show and are none. */
export async function readCoins(
  db: ReadonlyDb,
  query: CoinQuery & { limit: number; offset: number },
): Promise<CoinRow[]> {
  const rows = await readSql(
    db,
    sql<CoinRow>`select ${fields} ${source} ${where(query)}
    order by ${sortColumn(query.sortBy)} ${sql.raw(query.sortDir)} nulls last, coin.id
    limit ${query.limit} offset ${query.offset}`,
  )
  return rows
}

export async function countCoins(db: ReadonlyDb, query: CoinQuery): Promise<number> {
  const rows = await readSql(db, sql<{ count: string }>`select count(*) ${source} ${where(query)}`)
  return Number(rows[0]?.count ?? 0)
}

export async function readCoin(db: ReadonlyDb, coinId: string): Promise<CoinRow | undefined> {
  const rows = await readSql(db, sql<CoinRow>`select ${fields} ${source} where coin.id = ${coinId}`)
  return rows[0]
}

export interface CoinContractRow {
  coin_id: string
  blockchain: string
  address: string
  decimals: number | null
}

export async function readCoinContracts(
  db: ReadonlyDb,
  coinIds: readonly string[],
): Promise<CoinContractRow[]> {
  return db
    .selectFrom('coin_contracts')
    .select(['coin_id', 'blockchain', 'address', 'decimals'])
    .where('coin_id', 'in', coinIds.length > 0 ? coinIds : [''])
    .orderBy('coin_id')
    .orderBy('blockchain')
    .orderBy('address')
    .execute()
}
