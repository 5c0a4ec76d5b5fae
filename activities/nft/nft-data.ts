/** The rows that all NFT sources return. Addresses are canonical; amounts and ids are decimal text. */

export type NftStandard = 'erc721' | 'erc1155' | 'metaplex' | 'core' | 'compressed'

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
  /** removed from the marketplace, or NSFW */
  disabled: boolean
  createdAt: Date | null
  creatorFeeBps: number | null
  totalSupply: string | null
  contracts: ContractRef[]
  /** payment tokens; the zero address is the native coin */
  currencies: (ContractRef & { symbol: string })[]
}

interface Interval {
  volume: string
  sales: string
  averagePrice: string | null
  /** percent; null: not given */
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

/** A payment in a token, named by its contract, or in the native coin (zero address). */
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
  /** null: this is the last page */
  next: string | null
}

export interface GeckoRecord {
  geckoId: string
  /** CoinGecko's id of the coin that prices are in */
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

/** The parsed metadata document of a token. */
export interface TokenMetadata {
  name: string | null
  image: string | null
  traits: NftTrait[]
}
