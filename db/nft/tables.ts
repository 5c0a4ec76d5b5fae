import type { Generated } from 'kysely'

/** Of EVM networks, and of Solana: a mint with metadata of Metaplex, Metaplex Core, a leaf of a Merkle tree. */
export type NftStandard = 'erc721' | 'erc1155' | 'metaplex' | 'core' | 'compressed'

export interface NftCollection {
  network_id: string
  /** of the contract */
  address: string
  /** null: unknown */
  standard: NftStandard | null
  /** on the marketplace; null: the marketplace does not have the contract, or was not asked yet */
  slug: string | null
  name: string
  description: Generated<string>
  image_url: string | null
  banner_url: string | null
  category: string | null
  /** [{name, url}] */
  urls: Generated<unknown>
  verified: boolean | null
  /** removed from the marketplace, spam, or NSFW */
  disabled: Generated<boolean>
  created_at: Date | null
  creator_fee_bps: number | null
  total_supply: string | null
  /** main currency: the unit of all prices without usd in their name */
  coin_id: string
  /** coin ids by the marketplace's symbols */
  currencies: Generated<unknown>
  /** true: a stored transfer moved one of its tokens */
  moved: Generated<boolean>
  trending_rank: number | null
  /** by market value in its category */
  category_rank: number | null
  assets_count: Generated<number>
  /** tokens on sale; null: unknown, or more offers than are read */
  listed_count: number | null
  /** cursor of an unfinished token list */
  assets_next: string | null
  described_at: Date | null
  gecko_at: Date | null
  assets_at: Date | null
  market_at: Date | null
  /** error of the last step, if a source refused it */
  failure: string | null
  source: string
  fetched_at: Date
}

/** Figures of a collection per quarter of an hour, in its main currency. */
export interface NftPoint {
  network_id: string
  address: string
  at: Date
  floor_price: string | null
  /** of all sales */
  average_price: string | null
  volume_1d: string | null
  volume_7d: string | null
  volume_30d: string | null
  volume_total: string | null
  average_price_1d: string | null
  average_price_7d: string | null
  average_price_30d: string | null
  /** percent, as the source gives it */
  volume_change_1d: string | null
  volume_change_7d: string | null
  volume_change_30d: string | null
  sales_1d: string | null
  sales_7d: string | null
  sales_30d: string | null
  sales_total: string | null
  owners_count: string | null
  /** percent of a day's resales above the token's previous sale price */
  sales_in_profit: string | null
  source: string
  fetched_at: Date
}

/** CoinGecko's record of a collection. Prices are in its main currency, changes in percent. */
export interface NftGeckoRecord {
  network_id: string
  address: string
  gecko_id: string
  /** by market capitalisation among all collections that CoinGecko lists */
  rank: number | null
  floor_price: string | null
  floor_price_change_1d: string | null
  floor_price_change_7d: string | null
  market_cap: string | null
  market_cap_change_1d: string | null
  volume_1d: string | null
  volume_change_1d: string | null
  owners_count: string | null
  owners_change_1d: string | null
  total_supply: string | null
  sales_1d: string | null
  average_price_1d: string | null
  source: string
  fetched_at: Date
}

export interface NftAsset {
  network_id: string
  address: string
  token_id: string
  standard: NftStandard
  name: string | null
  image_url: string | null
  /** page on the marketplace */
  url: string | null
  /** [{key, kind, value}] */
  traits: Generated<unknown>
  /** information content of its traits in bits */
  rarity_score: string | null
  rarity_rank: number | null
  /** cheapest offer for one token in the main currency; null: none, or its coin is unknown or unpriced */
  list_price: string | null
  /** null: not on sale */
  list_source: string | null
  listed_until: Date | null
  /** place in the collection by token id, from 1 */
  position: number | null
  /** place among the tokens on sale by price, from 1 (cheapest) */
  list_position: number | null
  /** when its contract was last asked for its metadata */
  metadata_at: Date | null
  source: string
  fetched_at: Date
}

/** A trait value with its counts over the tokens of its collection. */
export interface NftTrait {
  network_id: string
  address: string
  key: string
  value: string
  kind: string
  token_count: number
  on_sale_count: number
  floor_ask_price: string | null
  created_at: Date
  source: string
  fetched_at: Date
}

export interface NftListing {
  network_id: string
  address: string
  order_hash: string
  token_id: string
  seller: string
  quantity: string
  /** for one token, in payment_coin_id */
  amount: string
  /** null: unknown token */
  payment_coin_id: string | null
  /** `amount` in the main currency; null: no price to convert with */
  price: string | null
  ends_at: Date
  source: string
  fetched_at: Date
}

export interface NftSale {
  network_id: string
  address: string
  tx_hash: string
  order_hash: string
  token_id: string
  at: Date
  seller: string
  buyer: string
  quantity: string
  /** for one token, in payment_coin_id */
  amount: string
  payment_coin_id: string | null
  /** in the main currency, at the instant of the sale */
  price: string | null
  price_usd: string | null
  source: string
  fetched_at: Date
}

/** Floor price of a past day over all marketplaces, as CoinGecko has it. */
export interface NftFloorDay {
  network_id: string
  address: string
  /** UTC */
  day: Date
  /** in `coin_id`, at the start of the day */
  floor_price: string
  coin_id: string
  source: string
  fetched_at: Date
}

/** A token that an owner holds where transfers do not show it. */
export interface NftHolding {
  network_id: string
  owner: string
  /** of the collection; of the token itself if it has none */
  address: string
  token_id: string
  source: string
  fetched_at: Date
}

/** When the tokens of an owner were last read. */
export interface NftHoldingRead {
  network_id: string
  owner: string
  /** of the last whole reading; null: none yet */
  read_at: Date | null
  tried_at: Date
  /** why the last try was refused */
  failure: string | null
  source: string
  fetched_at: Date
}

/** A key that the worker made for itself. */
export interface InstantKey {
  source: string
  key: string
  made_at: Date
  expires_at: Date
}

declare module '../schema.ts' {
  interface Database {
    instant_keys: InstantKey
    nft_collections: NftCollection
    nft_points: NftPoint
    nft_gecko_records: NftGeckoRecord
    nft_assets: NftAsset
    nft_traits: NftTrait
    nft_listings: NftListing
    nft_sales: NftSale
    nft_floor_days: NftFloorDay
    nft_holdings: NftHolding
    nft_holding_reads: NftHoldingRead
  }
}
