// Row types of lot uses and of the views over them.

/** What a fold acquired and disposed of on one day (sparse). */
export interface LotUsesRow {
  fold_id: string
  /** start of the UTC day */
  day: Date
  /** see lot-uses.ts */
  acquired: unknown
  disposed: unknown
}

/** What a transaction acquired of a coin. */
export interface AcquisitionRow {
  fold_id: string | null
  day: Date | null
  coin_id: string | null
  acquired_at: Date | null
  seq: number | null
  /** see posting.ts */
  reason: string | null
  /** of income */
  role: string | null
  /** null with `tx_id`: the first price of a coin */
  book_id: string | null
  tx_id: string | null
  quantity: string | null
  cost_usd: string | null
  /** without fees; of income: its market value */
  worth_usd: string | null
}

/** What a transaction disposed of from one lot. */
export interface DisposalRow {
  fold_id: string | null
  day: Date | null
  coin_id: string | null
  disposed_at: Date | null
  seq: number | null
  position: number | null
  /** see posting.ts */
  reason: string | null
  book_id: string | null
  tx_id: string | null
  /** null: method `average`, or never acquired */
  acquired_at: Date | null
  acquired_book_id: string | null
  acquired_tx_id: string | null
  quantity: string | null
  /** after `fee_usd` */
  proceeds_usd: string | null
  cost_usd: string | null
  fee_usd: string | null
  gain_usd: string | null
  holding_days: number | null
  uncovered: boolean | null
  /** what its acquisition counted as income; null: nothing, or method `average` */
  income_usd: string | null
}

/** What came into a fold from outside, or left it (negative). */
export interface FlowRow {
  fold_id: string | null
  day: Date | null
  coin_id: string | null
  at: Date | null
  seq: number | null
  book_id: string | null
  tx_id: string | null
  quantity: string | null
  flow_usd: string | null
}

/** A lot that a fold holds after its last entry. */
export interface OpenLotRow {
  fold_id: string | null
  coin_id: string | null
  /** order of arrival */
  position: number | null
  /** null: method `average`, where all lots of a coin are one */
  acquired_at: Date | null
  quantity: string | null
  cost_usd: string | null
  acquired_book_id: string | null
  acquired_tx_id: string | null
}

declare module '../schema.ts' {
  interface Database {
    lot_uses: LotUsesRow
    acquisitions: AcquisitionRow
    disposals: DisposalRow
    flows: FlowRow
    open_lots: OpenLotRow
  }
}
