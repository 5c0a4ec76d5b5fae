import { type RawBuilder, sql } from 'kysely'
import type { ReadonlyDb } from '../schema.ts'
import { readSql } from '../read-sql.ts'
import { decimal, sign } from '../values/decimal.ts'

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

/** Columns of coin_listings. */
const columns: Record<CoinField, RawBuilder<string>> = {
  marketCap: sql`market_cap_usd`,
  fullyDilutedValuation: sql`fully_diluted_valuation_usd`,
  volume: sql`volume_24h_usd`,
  priceChange1h: sql`price_change_1h`,
  priceChange1d: sql`price_change_1d`,
  priceChange7d: sql`price_change_1w`,
  availableSupply: sql`available_supply`,
  totalSupply: sql`total_supply`,
  rank: sql`rank`,
  price: sql`price_usd`,
  riskScore: sql`risk_score`,
}
const MONEY: readonly CoinField[] = ['marketCap', 'fullyDilutedValuation', 'volume', 'price']
/** Where the answer shows 0 for unknown. A rank of 0 is none, so it passes no filter. */
const SHOWN_AS_ZERO: readonly CoinField[] = [
  'marketCap',
  'volume',
  'priceChange1h',
  'priceChange1d',
  'priceChange7d',
  'availableSupply',
  'totalSupply',
]

/** Names and symbols are never null, so one index serves both directions. */
function orderOf({ sortBy, sortDir }: CoinQuery, table: string): RawBuilder<unknown> {
  const direction = sql.raw(sortDir)
  const [key, id] = [sql`${sql.ref(table)}.${sortKey(sortBy)}`, sql`${sql.ref(table)}.coin_id`]
  if (sortBy === 'name' || sortBy === 'symbol') return sql`${key} ${direction}, ${id} ${direction}`
  return sql`${key} ${direction} nulls last, ${id}`
}

const sortKey = (sortBy: CoinSort): RawBuilder<unknown> =>
  sortBy === 'name' || sortBy === 'symbol' ? sql.ref(sortBy) : columns[sortBy]

/** A filter compares the value that the answer shows: 0 for unknown amounts, as of coins in no source's list. */
function filterCondition({ field, operator, value }: CoinFilter, perUsd: string): RawBuilder<boolean> {
  const column = columns[field]
  const shown = MONEY.includes(field) && perUsd !== '1' ? sql`${column} * ${perUsd}::numeric` : column
  const known = sql<boolean>`${shown} ${sql.raw(COIN_OPERATORS[operator])} ${value}::numeric`
  const passesAtZero = { greaterThan: [-1], equals: [0], lessThan: [1] }[operator].includes(
    sign(decimal(value)),
  )
  return SHOWN_AS_ZERO.includes(field) && passesAtZero ? sql`(${known} or ${column} is null)` : known
}

const escapeLike = (text: string) => text.replace(/[\\%_]/g, '\\$&')
const lowered = (texts: readonly string[]) => texts.map((text) => text.toLowerCase())

/** Delisted coins are found by id or contract only; lists leave them out. */
function conditionOf(query: CoinQuery): RawBuilder<boolean> {
  const { coinIds, name, symbol, contractAddresses, blockchains, categories } = query
  const all: RawBuilder<boolean>[] = query.filters.map((filter) => filterCondition(filter, query.perUsd))
  if (coinIds) all.push(sql`coin_id = any(${coinIds}::text[])`)
  if (!coinIds && !contractAddresses) all.push(sql`listed`)
  if (name !== undefined) all.push(sql`name like ${`%${escapeLike(name.toLowerCase())}%`}`)
  if (symbol !== undefined) all.push(sql`symbol = ${symbol.toLowerCase()}`)
  if (categories) all.push(sql`categories && ${lowered(categories)}::text[]`)
  if (contractAddresses)
    all.push(sql`coin_id in (select coin_id from coin_contracts
      where lower(address) = any(${lowered(contractAddresses)}::text[])
      and ${blockchains ? sql`blockchain = any(${blockchains}::text[])` : sql`true`})`)
  else if (blockchains) all.push(sql`blockchains && ${blockchains}::text[]`)
  return all.length === 0 ? sql`true` : sql.join(all, sql` and `)
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
  categories: string[]
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
  /** Scores from 0 to 100; null: the coin has none. */
  liquidity_score: string | null
  volatility_score: string | null
  market_cap_score: string | null
  risk_score: string | null
  avg_change: string | null
}

const fields = sql`coin.id, coin.symbol, coin.name, coin.icon, coin.rank, coin.slug, coin.is_stable,
  coin.website_url, coin.reddit_url, coin.twitter_url, coin.explorers, coin.categories, coin.color,
  quote.price_usd, quote.volume_24h_usd, quote.market_cap_usd, quote.fully_diluted_valuation_usd,
  quote.available_supply, quote.total_supply, quote.price_change_1h, quote.price_change_1d, quote.price_change_1w,
  quote.price_change_1m, quote.all_time_high_usd, quote.all_time_high_at, quote.all_time_low_usd,
  quote.all_time_low_at, quote.at,
  risk.liquidity_score, risk.volatility_score, risk.market_cap_score, risk.risk_score, risk.avg_change`
const source = sql`coins as coin join coin_quotes as quote on quote.coin_id = coin.id
  left join coin_risks as risk on risk.coin_id = coin.id`

/** Returns one page of the matching coins. Coins without a quote are left out. */
export async function readCoins(
  db: ReadonlyDb,
  query: CoinQuery & { limit: number; offset: number },
): Promise<CoinRow[]> {
  return readSql(
    db,
    sql<CoinRow>`select ${fields} from (
      select coin_id, ${sortKey(query.sortBy)} from coin_listings where ${conditionOf(query)}
      order by ${orderOf(query, 'coin_listings')} limit ${query.limit} offset ${query.offset}
    ) as page join ${source} on coin.id = page.coin_id order by ${orderOf(query, 'page')}`,
  )
}

export async function countCoins(db: ReadonlyDb, query: CoinQuery): Promise<number> {
  const rows = await readSql(
    db,
    sql<{ count: string }>`select count(*) from coin_listings where ${conditionOf(query)}`,
  )
  return Number(rows[0]?.count ?? 0)
}

export async function readCoin(db: ReadonlyDb, coinId: string): Promise<CoinRow | undefined> {
  const rows = await readSql(db, sql<CoinRow>`select ${fields} from ${source} where coin.id = ${coinId}`)
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
