import type { QuarantinedRow } from '../parse-rows.ts'

/** The market data of one coin as a source has it. Money in USD, changes in percent, all exact decimals as text. */
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
  /** when the price was true */
  at: Date
}

export interface MarketPage {
  rows: MarketRow[]
  quarantined: QuarantinedRow[]
  /** Rows in the answer, good and bad: a page is the last when it has fewer than it could. */
  size: number
}

export interface MarketTotals {
  at: Date
  marketCapUsd: string
  volume24hUsd: string
  /** percent */
  btcDominance: string
  /** over 24 hours, percent; null: the source does not say */
  marketCapChange: string | null
  volumeChange: string | null
}

/** An answer about the whole market: its totals are read or refused. */
export interface TotalsAnswer {
  rows: MarketTotals[]
  quarantined: QuarantinedRow[]
}

/** Units of the currency for one USD, from that UTC midnight on. */
export interface FiatRate {
  currency: string
  at: Date
  perUsd: string
}

export interface PricePoint {
  atMs: number
  usd: string
}

export interface ListedCoin {
  upstreamId: string
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
