import type { Generated } from 'kysely'

export interface Coin {
  id: string
  symbol: string
  name: string
  icon: string | null
  rank: number | null
  slug: string
  is_stable: Generated<boolean>
  categories: Generated<string[]>
  website_url: string | null
  reddit_url: string | null
  twitter_url: string | null
  explorers: Generated<string[]>
  color: string | null
  last_seen_at: Date
  delisted_at: Date | null
  source: string
  fetched_at: Date
  recorded_at: Generated<Date>
}

export interface CoinMapping {
  source: string
  upstream_id: string
  coin_id: string
}

export interface CoinContract {
  blockchain: string
  address: string
  coin_id: string
  decimals: number | null
  source: string
  fetched_at: Date
  recorded_at: Generated<Date>
}

/** The latest market data of each coin. Money in USD, changes in percent. */
export interface CoinQuote {
  coin_id: string
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
  stale: Generated<boolean>
  source: string
  fetched_at: Date
  recorded_at: Generated<Date>
}

/** Scores from 0 to 100, derived from quotes and daily closes. */
export interface CoinRisk {
  coin_id: string
  liquidity_score: string
  volatility_score: string
  market_cap_score: string
  /** higher is riskier */
  risk_score: string
  /** mean absolute change from one daily close to the next, percent */
  avg_change: string
  source: string
  fetched_at: Date
  recorded_at: Generated<Date>
}

/** The columns by which coin lists are searched and sorted. Triggers maintain it. Text is in lower case. */
export interface CoinListing {
  coin_id: string
  listed: boolean
  rank: number | null
  name: string
  symbol: string
  categories: string[]
  blockchains: string[]
  price_usd: string
  market_cap_usd: string | null
  fully_diluted_valuation_usd: string | null
  volume_24h_usd: string | null
  available_supply: string | null
  total_supply: string | null
  price_change_1h: string | null
  price_change_1d: string | null
  price_change_1w: string | null
  risk_score: string | null
}

export interface MarketTotal {
  at: Date
  market_cap_usd: string
  volume_24h_usd: string
  btc_dominance: string
  /**
   * changes over 24 hours in percent, of the dominance in percentage points; null: the source does not give
   * it
   */
  market_cap_change: string | null
  volume_change: string | null
  btc_dominance_change: string | null
  source: string
  fetched_at: Date
}

/** The price in force at `at`: a full hour here, a UTC midnight in PriceDay. */
export interface PriceHour {
  coin_id: string
  at: Date
  usd: string
  source: string
  fetched_at: Date
  recorded_at: Generated<Date>
}

export interface PriceDay {
  coin_id: string
  at: Date
  usd: string
  source: string
  fetched_at: Date
  recorded_at: Generated<Date>
}

/** The range over which the history of a coin is filled, per resolution ('hour' or 'day'). */
export interface PriceHistory {
  coin_id: string
  resolution: string
  from_at: Date
  to_at: Date
  /** why nothing before `from_at` can be had under the plans of `floor_plan`; null: nobody refused it */
  floor_reason: string | null
  floor_plan: string | null
}

/** Units of the currency per USD, in force from the reference date `at` (00:00 UTC). */
export interface FxRate {
  currency: string
  at: Date
  per_usd: string
  source: string
  fetched_at: Date
  recorded_at: Generated<Date>
}

declare module '../schema.ts' {
  interface Database {
    coins: Coin
    coin_mappings: CoinMapping
    coin_contracts: CoinContract
    coin_quotes: CoinQuote
    coin_risks: CoinRisk
    coin_listings: CoinListing
    market_totals: MarketTotal
    price_hours: PriceHour
    price_days: PriceDay
    price_histories: PriceHistory
    fx_rates: FxRate
  }
}
