import type { HttpClient } from '../../http-client.ts'
import type { HistoryAnswer } from '../market-data.ts'

/** What a client of an exchange's candles needs. `url`: the base of its API. */
export interface CandleDeps {
  http: HttpClient
  url: string
  now: () => Date
}

/** A window of the market of a coin against the dollar, or a stablecoin. */
export interface CandleRange {
  /** the symbol of the coin */
  symbol: string
  resolution: keyof typeof CANDLE_MS
  fromMs: number
  toMs: number
}

/** Closes of an exchange's candles, each dated at the full hour or UTC midnight at which the candle ends. */
export interface CandleSource {
  name: string
  candles: (range: CandleRange) => Promise<HistoryAnswer>
}

export const CANDLE_MS = { hour: 3_600_000, day: 86_400_000 } as const
