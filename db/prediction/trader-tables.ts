import type { Generated, GeneratedAlways } from 'kysely'

export interface PredictionTrader {
  id: GeneratedAlways<number>
  address: string
  name: string | null
  avatar_url: string | null
  dirty: Generated<boolean>
  source: string
  fetched_at: Date
}

/** The largest holders of an outcome, as the venue reports them. */
export interface PredictionHolder {
  market_id: number
  outcome: number
  rank: number
  trader_id: number
  shares: string
  source: string
  fetched_at: Date
}

/** A trader's position in an outcome, at average cost. */
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

/** Figures of a trader on a UTC day in a category. */
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

/** Figures and ranks of a trader in a period; empty category: all. */
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

declare module '../schema.ts' {
  interface Database {
    prediction_traders: PredictionTrader
    prediction_holders: PredictionHolder
    prediction_positions: PredictionPosition
    prediction_trader_days: PredictionTraderDay
    prediction_leaders: PredictionLeader
  }
}
