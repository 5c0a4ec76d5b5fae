import type { Generated } from 'kysely'

/** End-of-day value and external flow of one wallet on one network, in USD, BTC and ETH at each instant's own price. */
export interface PlDay {
  wallet_id: string
  network_id: string
  /** end of the day: the UTC midnight that closes it */
  at: Date
  value_usd: string
  value_btc: string
  value_eth: string
  flow_usd: string
  flow_btc: string
  flow_eth: string
  /** a price had to be carried forward */
  stale: boolean
}

/** Balance of one coin at the end of each day on which it changed (sparse). */
export interface BalanceDay {
  wallet_id: string
  network_id: string
  coin_id: string
  at: Date
  raw: string
  decimals: number
}

/** Earliest change not yet in pl_days; taken away by the recompute that covered it. */
export interface PlState {
  wallet_id: string
  network_id: string
  /** null: clean */
  dirty_from: Date | null
  computed_to: Date | null
  revision: Generated<string>
  /** earliest price change that the prices kept with the movements do not have yet */
  repriced_from: Date | null
}

/** Own transfers between two networks of one wallet: no flow in a scope that holds both. */
export interface TransferMatch {
  wallet_id: string
  coin_id: string
  /** arrived base units */
  raw: string
  decimals: number
  from_network_id: string
  from_at: Date
  from_tx_hash: string
  from_seq: number
  to_network_id: string
  to_at: Date
  to_tx_hash: string
  to_seq: number
}

export interface PnlTables {
  pl_days: PlDay
  balance_days: BalanceDay
  pl_states: PlState
  transfer_matches: TransferMatch
}
