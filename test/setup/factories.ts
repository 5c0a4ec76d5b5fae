import { sql } from 'kysely'
import type { Db } from '../../db/schema.ts'

/** Columns of every stored row. */
const stored = (at: Date) => ({ source: 'test', fetched_at: at })

export interface CoinSeed {
  id: string
  symbol?: string
  name?: string
  rank?: number | null
  priceUsd?: string
  at: Date
  delistedAt?: Date
  categories?: string[]
  isStable?: boolean
  quote?: Partial<{
    volume_24h_usd: string
    market_cap_usd: string
    fully_diluted_valuation_usd: string
    available_supply: string
    total_supply: string
    price_change_1h: string
    price_change_1d: string
    price_change_1w: string
    price_change_1m: string
    all_time_high_usd: string
    all_time_high_at: Date
    all_time_low_usd: string
    all_time_low_at: Date
  }>
  contracts?: { blockchain: string; address: string; decimals: number | null }[]
}

const NO_QUOTE = {
  volume_24h_usd: null,
  market_cap_usd: null,
  fully_diluted_valuation_usd: null,
  available_supply: null,
  total_supply: null,
  price_change_1h: null,
  price_change_1d: null,
  price_change_1w: null,
  price_change_1m: null,
  all_time_high_usd: null,
  all_time_high_at: null,
  all_time_low_usd: null,
  all_time_low_at: null,
}

/** Inserts a coin with its contracts, and with a quote if it has a price. */
export async function insertCoin(db: Db, seed: CoinSeed): Promise<void> {
  const { id, at, symbol = id.slice(0, 4), name = id, rank = null } = seed
  await db
    .insertInto('coins')
    .values({
      id,
      symbol,
      name,
      rank,
      slug: id,
      icon: `https://icons.example/${id}.png`,
      website_url: null,
      reddit_url: null,
      twitter_url: null,
      color: null,
      is_stable: seed.isStable ?? false,
      categories: seed.categories ?? [],
      last_seen_at: at,
      delisted_at: seed.delistedAt ?? null,
      ...stored(at),
    })
    .execute()
  if (seed.priceUsd !== undefined)
    await db
      .insertInto('coin_quotes')
      .values({ coin_id: id, price_usd: seed.priceUsd, ...NO_QUOTE, ...seed.quote, at, ...stored(at) })
      .execute()
  for (const contract of seed.contracts ?? [])
    await db
      .insertInto('coin_contracts')
      .values({ ...contract, coin_id: id, ...stored(at) })
      .execute()
}

/** Inserts price points of a coin; each is [instant, USD]. */
export async function insertPrices(
  db: Db,
  seed: { coinId: string; resolution: 'hour' | 'day'; points: readonly (readonly [Date, string])[] },
): Promise<void> {
  const { coinId, resolution, points } = seed
  const times = points.map(([at]) => at.getTime())
  const range = [new Date(Math.min(...times)), new Date(Math.max(...times))]
  await sql`select ensure_price_partitions(${range[0]!}::timestamptz, ${range[1]!}::timestamptz)`.execute(db)
  await db
    .insertInto(resolution === 'hour' ? 'price_hours' : 'price_days')
    .values(points.map(([at, usd]) => ({ coin_id: coinId, at, usd, ...stored(at) })))
    .execute()
}

/** Inserts rates of a currency; each is [instant, units for one USD]. */
export async function insertRates(
  db: Db,
  seed: { currency: string; rates: readonly (readonly [Date, string])[] },
): Promise<void> {
  await db
    .insertInto('fx_rates')
    .values(
      seed.rates.map(([at, perUsd]) => ({ currency: seed.currency, at, per_usd: perUsd, ...stored(at) })),
    )
    .execute()
}

export async function insertMarketTotals(
  db: Db,
  seed: { at: Date; marketCapUsd: string; volume24hUsd: string; btcDominance: string },
): Promise<void> {
  await db
    .insertInto('market_totals')
    .values({
      at: seed.at,
      market_cap_usd: seed.marketCapUsd,
      volume_24h_usd: seed.volume24hUsd,
      btc_dominance: seed.btcDominance,
      ...stored(seed.at),
    })
    .execute()
}
