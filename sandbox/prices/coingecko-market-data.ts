import type { SandboxCoin } from '../market/coins.ts'
import { changeWindows, marketRow } from './coingecko-markets.ts'
import type { CoinGeckoWorld } from './coingecko.ts'
import { isoMs } from '../upstream.ts'

const codes = ['btc', 'eth', 'eur', 'usd'] as const

/** `market_data` of GET /coins/{id}: the figures of the market list in several currencies. */
export function coinMarketData(world: CoinGeckoWorld, coin: SandboxCoin, now: number) {
  const { market, statistics } = world
  const rank = market.listedCoins(now).indexOf(coin) + 1
  const rows = codes.map((code) => [code, marketRow(world, coin, { code, now, rank })] as const)
  type Row = (typeof rows)[number][1]
  const usd = rows.find(([code]) => code === 'usd')![1]
  const each = <K extends keyof Row>(field: K): Record<string, Row[K]> => {
    return Object.fromEntries(rows.map(([code, row]) => [code, row[field]]))
  }
  const changes: Record<string, unknown> = {}
  for (const [window, seconds] of Object.entries(changeWindows)) {
    const change = (code: string): number | null => statistics.changePercent(coin, code, now, seconds)
    if (window !== '1h') changes[`price_change_percentage_${window}`] = change('usd')
    const inEach = Object.fromEntries(codes.map((code) => [code, change(code)]))
    changes[`price_change_percentage_${window}_in_currency`] = inEach
  }
  return {
    current_price: each('current_price'),
    total_value_locked: null,
    mcap_to_tvl_ratio: null,
    fdv_to_tvl_ratio: null,
    roi: null,
    ath: each('ath'),
    ath_change_percentage: each('ath_change_percentage'),
    ath_date: each('ath_date'),
    atl: each('atl'),
    atl_change_percentage: each('atl_change_percentage'),
    atl_date: each('atl_date'),
    market_cap: each('market_cap'),
    market_cap_rank: rank,
    market_cap_rank_with_rehypothecated: rank,
    outstanding_token_value_usd: null,
    fully_diluted_valuation: each('fully_diluted_valuation'),
    market_cap_fdv_ratio: Number((coin.circulatingSupply / (coin.maxSupply ?? coin.totalSupply)).toFixed(2)),
    total_volume: each('total_volume'),
    high_24h: each('high_24h'),
    low_24h: each('low_24h'),
    price_change_24h: usd.price_change_24h,
    price_change_24h_in_currency: each('price_change_24h'),
    ...changes,
    market_cap_change_24h: usd.market_cap_change_24h,
    market_cap_change_24h_in_currency: each('market_cap_change_24h'),
    market_cap_change_percentage_24h: usd.market_cap_change_percentage_24h,
    market_cap_change_percentage_24h_in_currency: each('market_cap_change_percentage_24h'),
    total_supply: coin.totalSupply,
    max_supply: coin.maxSupply,
    max_supply_infinite: coin.maxSupply === null,
    circulating_supply: coin.circulatingSupply,
    outstanding_supply: null,
    last_updated: isoMs(now),
  }
}
