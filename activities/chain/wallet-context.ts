import type { ChainKind } from '../../db/values/networks.ts'

/** What is known of an asset of a network. */
export interface Asset {
  coinId: string
  symbol: string
  name: string
  icon: string | null
  /** 0 where the contract does not say: amounts are then base units */
  decimals: number
  isIdentified: boolean
  isStable: boolean
  isSpam: boolean
  /** of the coin by market value; null: none. Decides which price of a swap is trusted more */
  rank: number | null
}

/** One wallet on one network, and the assets of its transfers; `token` is null for the native one. */
export interface WalletContext {
  /** every address whose coins are the wallet's */
  own: ReadonlySet<string>
  network: { id: string; kind: ChainKind; explorerUrl: string; wrappedAddress: string | null }
  assetOf: (token: string | null) => Asset
}
