const PREFIX = 'FiatCoin'

/** Coin id of a currency, e.g. FiatCoinUSD. */
export const fiatCoinId = (currency: string): string => `${PREFIX}${currency}`

export const isFiatCoin = (coinId: string): boolean => coinId.startsWith(PREFIX)

/** Currency of a fiat coin id. */
export const fiatOf = (coinId: string): string => coinId.slice(PREFIX.length)

/** Coin id of one NFT; ERC-1155 counts copies of it. Only profit and loss knows such coins. `contract`: lower case. */
export const nftCoinId = (nft: { contract: string; tokenId: bigint; blockchain: string }): string =>
  `${nft.contract}-${nft.tokenId}_${nft.blockchain}`

/** The NFT of a coin id; null: the coin is none. */
export function nftOf(coinId: string): { contract: string; tokenId: string } | null {
  const [, contract, tokenId] = /^(0x[0-9a-f]+)-(\d+)_[^_]+$/.exec(coinId) ?? []
  return contract && tokenId ? { contract, tokenId } : null
}

export const isNftCoin = (coinId: string): boolean => nftOf(coinId) !== null

/** Units of account besides USD. */
export const UNIT_COINS = { btc: 'bitcoin', eth: 'ethereum' } as const

const MAJORS: ReadonlySet<string> = new Set(Object.values(UNIT_COINS))

/** Trust in prices of coins that are neither fiat nor stable. Not by rank, because figures would change with it. */
export const trustOf = (coinId: string): number => (MAJORS.has(coinId) ? 1 : 0)

/**
 * The side of a swap that values both: its least trusted leg is trusted more, else it is the given one. Trust is
 * Infinity for fiat and stable coins.
 */
export function trustedSide<Leg>(
  { given, received }: Record<'given' | 'received', readonly Leg[]>,
  trustIn: (leg: Leg) => number,
): 'given' | 'received' {
  const least = (side: readonly Leg[]) => Math.min(...side.map(trustIn))
  return least(received) > least(given) ? 'received' : 'given'
}
