import type { QuarantinedRow } from '../parse-rows.ts'

/** An exchange from one source. Amounts are exact decimal text. */
export interface ExchangeRow {
  /** the source's own id */
  upstreamId: string
  name: string
  icon: string | null
  url: string | null
  /** null: the source has no current volume */
  volume24h: string | null
  /** null: the source does not give it */
  volume7d: string | null
  volume30d: string | null
  /** currency of the volumes */
  currency: 'USD' | 'BTC'
}

export interface ExchangeList {
  rows: ExchangeRow[]
  quarantined: QuarantinedRow[]
}

/** A market of an exchange from one source. */
export interface TickerRow {
  /** symbols in upper case */
  base: string
  target: string
  /** the source's ids of the coins; null: it does not know them */
  baseUpstreamId: string | null
  targetUpstreamId: string | null
  /** units of the target per unit of the base */
  pairPrice: string
  /** units of the base traded in 24 hours */
  pairVolume: string
  priceUsd: string
  volumeUsd: string
  /** true when the source marks the market as an outlier or stale */
  doubtful: boolean
  /** the last trade */
  at: Date
}

export interface TickerPage {
  rows: TickerRow[]
  quarantined: QuarantinedRow[]
  /** Rows in the answer, good and bad. A page with fewer rows than it could hold is the last. */
  size: number
}
