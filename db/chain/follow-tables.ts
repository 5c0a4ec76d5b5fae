import type { Generated } from 'kysely'

/** State of a network's head follower. */
export interface NetworkFollow {
  network_id: string
  /** last committed block; null: none yet */
  cursor_block: string | null
  cursor_hash: string | null
  cursor_at: Date | null
  /** up to here blocks were compared with the chain once more */
  confirmed_block: string | null
  /** newest block that a node showed */
  head_block: string | null
  /** when the cursor last moved, or was found to be the head */
  advanced_at: Date | null
  /** counts attempts: an older one cannot commit */
  epoch: Generated<string>
  /** off, blocks or ranges */
  mode: string
  /** receipts, logs or ranges; null while it is off */
  method: string | null
  /** milliseconds between two reads of a range; null: each block is read when it comes */
  tick_ms: number | null
  /** why no better method is used; null: there is none */
  method_reason: string | null
  /** why it is off or does not advance; null: it advances */
  reason: string | null
  /** host of the node that is read; null: none, or there is one source */
  node: string | null
  /** another branch is taken only from then on; null: at once */
  held_until: Date | null
}

/** Wallets that something happened to in blocks of the follower. */
export interface TouchedWallet {
  network_id: string
  wallet_id: string
  from_block: string
  through_block: string
  /** block: one of the blocks names it; reorg: it lost rows; verify: its balances are to be compared */
  reason: string
  marked_at: Generated<Date>
  attempts: Generated<number>
  /** not before, after a failure; null: at once */
  next_at: Date | null
}

/** A rewind: the chain had other blocks than the stored ones. */
export interface NetworkRewind {
  network_id: string
  at: Generated<Date>
  /** last block that stayed */
  block_number: string
  /** stored blocks that were replaced */
  blocks: number
}

/** When wallets from an id on, before the id of the next row, were last checked. */
export interface AccountCheck {
  network_id: string
  first_wallet: string
  /** null: never */
  checked_at: Date | null
}

/** A view: see db/chain/views/followed_networks.sql. */
export interface FollowedNetwork {
  network_id: string | null
  is_on: boolean | null
  as_of: Date | null
  patience_ms: number | null
}

/** A view: see db/chain/views/wallet_coverage.sql. */
export interface WalletCoverage {
  wallet_id: string | null
  network_id: string | null
  synced_at: Date | null
  /** synced or syncing */
  state: string | null
  message: string | null
  followed: boolean | null
  verified_at: Date | null
}

declare module '../schema.ts' {
  interface Database {
    network_follows: NetworkFollow
    network_rewinds: NetworkRewind
    touched_wallets: TouchedWallet
    account_checks: AccountCheck
    followed_networks: FollowedNetwork
    wallet_coverage: WalletCoverage
  }
}
