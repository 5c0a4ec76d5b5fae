/** The normal form of what the sources of NFTs read. Addresses are lower case, amounts and ids decimal text. */

export type NftStandard = 'erc721' | 'erc1155'

export interface ContractRef {
  networkId: string
  address: string
}

export interface CollectionRecord {
  slug: string
  name: string
  description: string
  imageUrl: string | null
  bannerUrl: string | null
  category: string | null
  urls: { name: string; url: string }[]
  verified: boolean
  /** taken off the marketplace, or not fit for everybody */
  disabled: boolean
  createdAt: Date | null
  creatorFeeBps: number | null
  totalSupply: string | null
  contracts: ContractRef[]
  /** Tokens that it is paid in. The zero address: the native one. */
  currencies: (ContractRef & { symbol: string })[]
}

interface Interval {
  volume: string
  sales: string
  averagePrice: string | null
  /** percent; null where the source does not say */
  volumeChange: string | null
}

export interface CollectionStats {
  volumeTotal: string
  volumeSymbol: string
  salesTotal: string
  ownersCount: string
  averagePrice: string | null
  /** null: nothing is on sale */
  floorPrice: string | null
  floorSymbol: string | null
  intervals: Partial<Record<'one_day' | 'seven_day' | 'thirty_day', Interval>>
}

export interface NftTrait {
  key: string
  kind: string
  value: string
}

export interface NftRecord {
  tokenId: string
  standard: NftStandard
  name: string | null
  imageUrl: string | null
  url: string | null
  traits: NftTrait[]
}

/** What a payment is in: a token contract, or the zero address for the native coin. */
export interface Payment {
  token: string
  decimals: number
  /** base units, for all of `quantity` */
  raw: string
}

export interface ListingRecord {
  orderHash: string
  address: string
  tokenId: string
  seller: string
  quantity: string
  payment: Payment
  endsAt: Date
}

export interface SaleRecord {
  txHash: string
  orderHash: string
  address: string
  tokenId: string
  at: Date
  seller: string
  buyer: string
  quantity: string
  payment: Payment
}

export interface Page<T> {
  rows: T[]
  quarantined: { reason: string; payload: unknown }[]
  /** null: this was the last one */
  next: string | null
}

export interface GeckoRecord {
  geckoId: string
  /** CoinGecko's id of the coin that it is priced in */
  nativeCoin: string
  rank: number | null
  floorPrice: string | null
  floorPriceChange1d: string | null
  floorPriceChange7d: string | null
  marketCap: string | null
  marketCapChange1d: string | null
  volume1d: string | null
  volumeChange1d: string | null
  ownersCount: string | null
  ownersChange1d: string | null
  totalSupply: string | null
  sales1d: string | null
  averagePrice1d: string | null
}

/** What the metadata document of a token says. */
export interface TokenMetadata {
  name: string | null
  image: string | null
  traits: NftTrait[]
}
