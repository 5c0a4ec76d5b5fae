import type { Generated, GeneratedAlways } from 'kysely'
import type { PREDICTION_VENUES } from '../values/prediction-venues.ts'

export type PredictionVenue = (typeof PREDICTION_VENUES)[number]
export type PredictionStatus = 'open' | 'closed' | 'resolved' | 'cancelled'

/** An event with its markets; sums over them in USD. */
export interface PredictionEvent {
  id: GeneratedAlways<number>
  slug: string
  venue: PredictionVenue
  venue_event_id: string
  title: string
  url: string
  description: string | null
  image_url: string | null
  category: string | null
  tags: Generated<string[]>
  status: PredictionStatus
  mutually_exclusive: boolean
  resolution_source: string | null
  markets_count: Generated<number>
  top_market_id: number | null
  volume_24h_usd: Generated<string>
  volume_total_usd: Generated<string>
  liquidity_usd: Generated<string>
  open_interest_usd: Generated<string>
  start_at: Date | null
  end_at: Date | null
  created_at: Date
  updated_at: Date
  search: GeneratedAlways<string>
  source: string
  fetched_at: Date
}

/** One question at one venue. Prices 0 to 1 are those of the first outcome; money is USD. */
export interface PredictionMarket {
  id: GeneratedAlways<number>
  slug: string
  venue: PredictionVenue
  venue_market_id: string
  condition_id: string | null
  event_id: number | null
  question: string
  label: string | null
  url: string
  description: string | null
  image_url: string | null
  category: string | null
  tags: Generated<string[]>
  status: PredictionStatus
  resolution_source: string | null
  strike_type: string | null
  floor_strike: string | null
  cap_strike: string | null
  tick_size: string | null
  last_trade_price: string | null
  best_bid: string | null
  best_ask: string | null
  price_change_1h: string | null
  price_change_24h: string | null
  price_change_7d: string | null
  volume_24h_usd: Generated<string>
  volume_7d_usd: Generated<string>
  volume_total_usd: Generated<string>
  /** null: the venue does not count contracts */
  notional_24h_usd: string | null
  notional_total_usd: string | null
  liquidity_usd: Generated<string>
  open_interest_usd: Generated<string>
  traders_count: number | null
  start_at: Date | null
  end_at: Date | null
  resolved_at: Date | null
  created_at: Date
  updated_at: Date
  search: GeneratedAlways<string>
  source: string
  fetched_at: Date
}

/** An outcome of a market, in the order of the venue. */
export interface PredictionOutcome {
  market_id: number
  position: number
  venue_outcome_id: string
  name: string
  price: string
  price_change_24h: string | null
  payout: string | null
  source: string
  fetched_at: Date
}

export interface PredictionTag {
  slug: string
  label: string
  markets_count: Generated<number>
  events_count: Generated<number>
  volume_24h_usd: Generated<string>
  source: string
  fetched_at: Date
}

/** Number of markets or events for a combination of filters; an empty text stands for any value. */
export interface PredictionCount {
  kind: string
  venue: string
  status: string
  category: string
  items: number
  open_interest_usd: string
}

/** A fill; `size` is in shares, `value_usd` price times size. */
export interface PredictionTrade {
  market_id: number
  at: Date
  id: string
  outcome: number
  side: 'buy' | 'sell'
  price: string
  size: string
  value_usd: string
  trader_id: number | null
  tx_hash: string | null
  /** two parties agreed on it beside the order book */
  is_block: Generated<boolean>
  source: string
  fetched_at: Date
}

export interface PredictionTradeDay {
  market_id: number
  day: Date
  outcome: number
  side: 'buy' | 'sell'
  trades: number
  volume_usd: string
  source: string
  fetched_at: Date
}

/** How far the fills of a market are loaded. */
export interface PredictionTradeState {
  market_id: number
  loaded_to: Date | null
  walk_cursor: string | null
  walk_to: Date | null
  /** Fills were quarantined since it was last read from its newest fill. */
  has_quarantined: Generated<boolean>
  volume_usd: string | null
  detail_volume_usd: string | null
  detail_at: Date | null
  prices_at: Date | null
}

/** Fills between two instants that the venue does not give. */
export interface PredictionTradeGap {
  market_id: number
  /** null: since the start of the market */
  from_at: Date | null
  to_at: Date
  reason: string
  source: string
  fetched_at: Date
}

/** A market of which the venue refused a part. */
export interface PredictionFailure {
  market_id: number
  part: 'trades' | 'details'
  failure: string
  failed_at: Date
}

export interface PredictionPrice {
  market_id: number
  outcome: number
  minutes: number
  at: Date
  price: string
  source: string
  fetched_at: Date
}

/** The latest order book of an outcome: [price, size] pairs, the best first. */
export interface PredictionBook {
  market_id: number
  outcome: number
  bids: unknown
  asks: unknown
  tick_size: string | null
  at: Date
  source: string
  fetched_at: Date
}

export interface PredictionCursor {
  name: string
  cursor: string | null
  at: Date
}

export interface PredictionVenueSums {
  venue: PredictionVenue
  volume_24h_usd: string
  volume_7d_usd: string
  volume_total_usd: string
  open_interest_usd: string
  liquidity_usd: string
  open_markets: number
  open_events: number
  active_traders_24h: number
  trades_24h: number
  source: string
  fetched_at: Date
}

/** Sums over a venue in a period; empty category: all. */
export interface PredictionVenuePeriod {
  venue: PredictionVenue
  category: string
  interval: 'daily' | 'weekly' | 'monthly'
  start_at: Date
  volume_usd: string
  trades: number
  active_traders: number
  source: string
  fetched_at: Date
}

declare module '../schema.ts' {
  interface Database {
    prediction_events: PredictionEvent
    prediction_markets: PredictionMarket
    prediction_outcomes: PredictionOutcome
    prediction_tags: PredictionTag
    prediction_counts: PredictionCount
    prediction_venues: PredictionVenueSums
    prediction_trades: PredictionTrade
    prediction_trade_days: PredictionTradeDay
    prediction_trade_states: PredictionTradeState
    prediction_trade_gaps: PredictionTradeGap
    prediction_failures: PredictionFailure
    prediction_prices: PredictionPrice
    prediction_books: PredictionBook
    prediction_venue_periods: PredictionVenuePeriod
    prediction_cursors: PredictionCursor
  }
}
