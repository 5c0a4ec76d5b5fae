/** What was read of a market at its last comparison with those of the other venues. */
export interface PredictionMatchState {
  market_id: number
  digest: string
  method: string
  keys: string[]
  source: string
  fetched_at: Date
}

/** A pair of markets of two venues with the result of its comparison; `vetoes` are {clause, reason}. */
export interface PredictionMatch {
  /** of the earlier venue of PREDICTION_VENUES; the columns keep the names of the first two */
  polymarket_id: number
  kalshi_id: number
  relation: 'same' | 'unclear' | 'different'
  inverted: boolean
  score: string
  vetoes: unknown
  method: string
  status: 'auto' | 'confirmed' | 'rejected'
  decided_at: Date | null
  source: string
  fetched_at: Date
}

/** A pair of events of two venues with matching markets, in the same order. */
export interface PredictionEventMatch {
  polymarket_id: number
  kalshi_id: number
  score: string
  markets: number
  method: string
  source: string
  fetched_at: Date
}

declare module '../schema.ts' {
  interface Database {
    prediction_match_states: PredictionMatchState
    prediction_matches: PredictionMatch
    prediction_event_matches: PredictionEventMatch
  }
}
