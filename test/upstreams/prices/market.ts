/** A coin as all doubles of price sources know it. They give it different ids, as the real ones do. */
export interface MarketCoin {
  geckoId: string
  paprikaId: string
  symbol: string
  name: string
  usd: number
  /** on Ethereum; null: a coin with a chain of its own */
  contract: string | null
  /** Exchanges have markets of it. */
  isTraded: boolean
}

/** Ids as the vendors' pages show them: none can be derived from another. */
const WELL_KNOWN: readonly [geckoId: string, paprikaId: string, symbol: string, name: string, usd: number][] =
  [
    ['bitcoin', 'btc-bitcoin', 'BTC', 'Bitcoin', 88_000],
    ['ethereum', 'eth-ethereum', 'ETH', 'Ethereum', 2_900],
    ['tether', 'usdt-tether', 'USDT', 'Tether', 1],
    ['binancecoin', 'bnb-binance-coin', 'BNB', 'BNB', 850],
    ['ripple', 'xrp-xrp', 'XRP', 'XRP', 2.1],
    ['solana', 'sol-solana', 'SOL', 'Solana', 135],
    ['usd-coin', 'usdc-usdc', 'USDC', 'USDC', 1],
    ['dogecoin', 'doge-dogecoin', 'DOGE', 'Dogecoin', 0.15],
    ['cardano', 'ada-cardano', 'ADA', 'Cardano', 0.42],
    ['avalanche-2', 'avax-avalanche', 'AVAX', 'Avalanche', 14],
    ['the-open-network', 'ton-toncoin', 'TON', 'Toncoin', 1.6],
  ]

const TOKENS = new Set(['tether', 'usd-coin'])

/** `count` coins by market value: well-known ones first, then invented ones of which no offline list knows. */
export function createMarket(count: number): MarketCoin[] {
  const known = WELL_KNOWN.map(([geckoId, paprikaId, symbol, name, usd], index) => ({
    geckoId,
    paprikaId,
    symbol,
    name,
    usd,
    contract: TOKENS.has(geckoId) ? contractOf(index) : null,
    isTraded: true,
  }))
  const invented = Array.from({ length: Math.max(0, count - known.length) }, (_, n) => {
    const word = `coin${n.toString(36)}`
    return {
      geckoId: `${word}-protocol`,
      paprikaId: `${word}-${word}-network`,
      symbol: word.toUpperCase(),
      name: `${word.toUpperCase()} Network`,
      usd: 50 / (n + 1),
      contract: n % 2 === 0 ? contractOf(1_000 + n) : null,
      isTraded: n < 50,
    }
  })
  return [...known, ...invented].slice(0, count)
}

const contractOf = (n: number) => `0x${(n + 1).toString(16).padStart(40, '0')}`

/** The price at an instant: moves by at most 3 % around the coin's own. */
export function usdAt({ usd, geckoId }: MarketCoin, ms: number): number {
  const wave = Math.sin(ms / 86_400_000 / 3 + geckoId.length)
  return Number((usd * (1 + 0.03 * wave)).toPrecision(9))
}

export const marketCapOf = (coin: MarketCoin, rank: number) => Math.round(2e12 / (rank + 1) + coin.usd)
