import type { Generated } from 'kysely'

export interface DefiProtocol {
  id: string
  name: string
  logo: string
  url: string
  /** page that explains the health rate; null: none */
  health_url: string | null
  position: number
}

/** The networks on which a protocol is read. */
export interface DefiDeployment {
  protocol_id: string
  network_id: string
}

/** The last read of a wallet on a network. */
export interface DefiRead {
  wallet_id: string
  network_id: string
  /** the block columns and fetched_at: null until something answered */
  block_number: string | null
  block_hash: string | null
  block_at: Date | null
  /** last read in which everything answered; null: none yet */
  complete_at: Date | null
  /** time of the last attempt if nothing answered in it, else null */
  failed_at: Date | null
  /** what did not answer in the last attempt; null: everything answered */
  failure: string | null
  source: string
  fetched_at: Date | null
  /** it has positions; triggers of these write it */
  is_holder: Generated<boolean>
}

/** A wallet whose positions are to be read. A quiet wallet has no row. */
export interface DefiMark {
  wallet_id: string
  network_id: string
  marked_at: Generated<Date>
  /** an older block does not have the reason; null: any block does */
  block_number: string | null
  attempts: Generated<number>
  next_at: Generated<Date>
}

/** A position that did not answer in the last read keeps its earlier values. */
export interface DefiPosition {
  wallet_id: string
  network_id: string
  protocol_id: string
  /** market, contract or NFT, unique in its protocol on its network */
  id: string
  name: string
  pool_address: string
  /** liquidated below 1; null: no debt, or not given by the protocol */
  health_rate: string | null
  unlock_at: Date | null
  /** end of the time for withdrawal, once unlocked */
  end_at: Date | null
  /** a contract of the wallet holds it */
  is_proxy: Generated<boolean>
  block_number: string
  block_hash: string
  source: string
  fetched_at: Date
  recorded_at: Generated<Date>
}

export interface DefiAsset {
  wallet_id: string
  network_id: string
  protocol_id: string
  position_id: string
  seq: number
  /** supplied, borrowed, staked, locked, unclaimed, withdrawing or claimable */
  role: string
  /** null: the native asset */
  token_address: string | null
  /** base units, above zero; for role borrowed the amount owed */
  raw: string
  /** interest in a year in percent, without interest on it; null: the protocol states none */
  apr_percent: string | null
  block_number: string
  block_hash: string
  source: string
  fetched_at: Date
  recorded_at: Generated<Date>
}

declare module '../schema.ts' {
  interface Database {
    defi_protocols: DefiProtocol
    defi_deployments: DefiDeployment
    defi_reads: DefiRead
    defi_marks: DefiMark
    defi_positions: DefiPosition
    defi_assets: DefiAsset
  }
}
