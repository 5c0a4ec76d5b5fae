import type { QuarantinedRow } from '../parse-rows.ts'

/** An exchange as a source has it. Amounts are exact decimals as text. */
export interface ExchangeRow {
  /** the source's own id */
  upstreamId: string
  name: string
  icon: string | null
  url: string | null
  /** null: the source has no volume of it now */
  volume24h: string | null
  /** null: the source does not say */
  volume7d: string | null
  volume30d: string | null
  /** of the volumes */
  currency: 'USD' | 'BTC'
}

export interface ExchangeList {
  rows: ExchangeRow[]
  quarantined: QuarantinedRow[]
}

/** A market of an exchange as a source has it. */
export interface TickerRow {
  /** symbols in upper case */
  base: string
  target: string
  /** the source's ids of the coins; null: it does not know them */
  baseUpstreamId: string | null
  targetUpstreamId: string | null
  /** units of the target for one base */
  pairPrice: string
  /** units of the base in 24 hours */
  pairVolume: string
  priceUsd: string
  volumeUsd: string
  /** an outlier, or old, as the source judges */
  doubtful: boolean
  /** last trade */
  at: Date
}

export interface TickerPage {
  rows: TickerRow[]
  quarantined: QuarantinedRow[]
  /** Rows in the answer, good and bad: a page is the last when it has fewer than it could. */
  size: number
}
