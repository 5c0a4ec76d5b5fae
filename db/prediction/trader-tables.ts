import type { Generated, GeneratedAlways } from 'kysely'
import type { PredictionVenue } from './tables.ts'

/** What a venue comes to. */
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

/** An account of a venue that names its traders. */
export interface PredictionTrader {
  id: GeneratedAlways<number>
  address: string
  name: string | null
  avatar_url: string | null
  dirty: Generated<boolean>
  source: string
  fetched_at: Date
}

/** The largest holders of an outcome, as the venue has them. */
export interface PredictionHolder {
  market_id: number
  outcome: number
  rank: number
  trader_id: number
  shares: string
  source: string
  fetched_at: Date
}

/** What a trader made of an outcome, at average cost. */
export interface PredictionPosition {
  trader_id: number
  market_id: number
  outcome: number
  shares: string
  cost_usd: string
  bought_shares: string
  bought_usd: string
  realized_usd: string
  status: 'open' | 'won' | 'lost' | 'sold'
  opened_at: Date
  closed_at: Date | null
  source: string
  fetched_at: Date
}

/** What a UTC day brought a trader in a category. */
export interface PredictionTraderDay {
  trader_id: number
  category: string
  day: Date
  cash_usd: string
  paid_usd: string
  open_value_usd: string
  volume_usd: string
  trades: number
  source: string
  fetched_at: Date
}

/** The place of a trader in a period; category empty: all. */
export interface PredictionLeader {
  period: string
  category: string
  trader_id: number
  pnl_usd: string
  volume_usd: string
  roi: string
  win_rate: string
  trades: number
  markets_traded: number
  rank_pnl: number
  rank_volume: number
  rank_roi: number
  rank_win_rate: number
  rank_trades: number
  source: string
  fetched_at: Date
}

/** Sums over a venue; category empty: all. */
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
