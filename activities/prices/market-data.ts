import type { QuarantinedRow } from '../parse-rows.ts'

/**
 * The market data of one coin from one source. Money in USD, changes in percent, all as exact decimal text.
 */
export interface MarketRow {
  /** the source's own id */
  upstreamId: string
  symbol: string
  name: string
  icon: string | null
  rank: number | null
  priceUsd: string
  volume24hUsd: string | null
  marketCapUsd: string | null
  fullyDilutedValuationUsd: string | null
  availableSupply: string | null
  totalSupply: string | null
  priceChange1h: string | null
  priceChange1d: string | null
  priceChange1w: string | null
  priceChange1m: string | null
  allTimeHighUsd: string | null
  allTimeHighAt: Date | null
  allTimeLowUsd: string | null
  allTimeLowAt: Date | null
  /** the instant the price refers to */
  at: Date
}

export interface MarketPage {
  rows: MarketRow[]
  quarantined: QuarantinedRow[]
  /** Rows in the answer, good and bad. A page with fewer rows than it could hold is the last. */
  size: number
}

export interface MarketTotals {
  at: Date
  marketCapUsd: string
  volume24hUsd: string
  /** percent */
  btcDominance: string
  /** over 24 hours, percent; null: the source does not give it */
  marketCapChange: string | null
  volumeChange: string | null
}

/** The totals of one answer: one good row, or one quarantined row. */
export interface TotalsAnswer {
  rows: MarketTotals[]
  quarantined: QuarantinedRow[]
}

/** Units of the currency per USD, in force from the UTC midnight `at`. */
export interface FiatRate {
  currency: string
  at: Date
  perUsd: string
}

export interface PricePoint {
  atMs: number
  usd: string
}

/** Past prices of a coin. `floorMs`: the plan has none before; null: it does not say so. */
export interface HistoryAnswer {
  points: PricePoint[]
  floorMs: number | null
}

export interface ListedCoin {
  upstreamId: string
  symbol: string
  name: string
  contracts: { blockchain: string; address: string }[]
}

export interface CoinDetails {
  categories: string[]
  websiteUrl: string | null
  redditUrl: string | null
  twitterUrl: string | null
  explorers: string[]
  contracts: { blockchain: string; address: string; decimals: number }[]
}
