import type { Generated } from 'kysely'

/** A network, with the facts of its row in `db/values/networks/` that SQL needs. */
export interface Network {
  /** the spec's connectionId */
  id: string
  /** the spec's blockchain parameter */
  blockchain: string
  name: string
  icon: string
  kind: string
  /** null for non-EVM networks */
  chain_id: string | null
  /** coin of the native asset */
  coin_id: string
  symbol: string
  decimals: number
  explorer_url: string
  reorg_depth: number
  position: number
  /** whether a source is configured; set by the worker at start */
  active: Generated<boolean>
  /** contract of the wrapped native asset; null if there is none or it is unknown */
  wrapped_address: string | null
  /** contracts that run the operations of smart accounts (ERC-4337) */
  entry_points: Generated<string[]>
  /** usual time between two blocks; null: the network is not followed */
  block_ms: number | null
  /** the tag by which the follower reads the head: latest or safe */
  head_tag: Generated<string>
  /** rules of completeness that the chain breaks by design: gas, bloom or logs */
  unproven: Generated<string[]>
  /** contract that shows the native coin as a token; null: none */
  native_token: string | null
  /** whether `all` covers it */
  in_all: Generated<boolean>
}

declare module '../schema.ts' {
  interface Database {
    networks: Network
  }
}
