import type { Generated } from 'kysely'

/** An exchange with volumes in USD and changes in percent. */
export interface TickerExchange {
  id: string
  name: string
  icon: string | null
  url: string | null
  /** rank by volume; null: no source lists the exchange any more */
  rank: number | null
  volume_24h_usd: string
  volume_7d_usd: string | null
  volume_30d_usd: string | null
  change_24h: string | null
  at: Date
  tickers_at: Date | null
  charted_at: Date | null
  source: string
  fetched_at: Date
}

export interface TickerExchangeMapping {
  source: string
  upstream_id: string
  exchange_id: string
}

/** Volume over the 24 hours before a full hour, one series per source. */
export interface TickerExchangeVolume {
  exchange_id: string
  source: string
  at: Date
  volume_24h_usd: string
  fetched_at: Date
}

/** The latest state of a market; symbols in upper case. */
export interface Ticker {
  exchange_id: string
  base: string
  target: string
  base_coin_id: string | null
  target_coin_id: string | null
  /** units of `target` per unit of `base` */
  pair_price: string
  /** units of `base` traded in 24 hours */
  pair_volume: string
  price_usd: string
  volume_usd: string
  verified: boolean
  listed: Generated<boolean>
  at: Date
  first_seen_at: Date
  seen_at: Date
  source: string
  fetched_at: Date
}

/** The prices of a market over time. */
export interface TickerPrice {
  exchange_id: string
  base: string
  target: string
  at: Date
  pair_price: string
  source: string
  fetched_at: Date
}

declare module '../schema.ts' {
  interface Database {
    ticker_exchanges: TickerExchange
    ticker_exchange_mappings: TickerExchangeMapping
    ticker_exchange_volumes: TickerExchangeVolume
    tickers: Ticker
    ticker_prices: TickerPrice
  }
}
