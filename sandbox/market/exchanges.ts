import type { SandboxCoin } from './coins.ts'
import type { Market } from './market.ts'
import { createNoise, hashText, uniform } from './noise.ts'

export type SandboxExchange = {
  /** Ids at CoinGecko and CoinPaprika; null: that source does not know the exchange. */
  geckoId: string | null
  paprikaId: string | null
  name: string
  site: string
  country: string
  year: number
  trust: number
  /** Share of the total volume that is traded here, 0 to 1. */
  share: number
  /** Quote currencies of the markets and their weights. */
  targets: Record<string, number>
  /** The exchange lists this many of the largest coins. */
  coins: number
}

const day = 86_400

type Row = [
  ...[geckoId: string | null, paprikaId: string | null, name: string, site: string, country: string],
  ...[year: number, trust: number, share: number, targets: Record<string, number>, coins: number],
]

const global = { USDT: 0.7, USDC: 0.18, BTC: 0.07, ETH: 0.05 }
const bank = { USD: 0.7, EUR: 0.2, USDT: 0.1 }

// Names and proportions of well-known exchanges. Their volumes are invented.
const rows: Row[] = [
  ['binance', 'binance', 'Binance', 'www.binance.com', 'Cayman Islands', 2017, 10, 0.31, global, 150],
  ['gdax', 'coinbase', 'Coinbase Exchange', 'www.coinbase.com', 'United States', 2012, 10, 0.09, bank, 110],
  ['bybit_spot', 'bybit', 'Bybit', 'www.bybit.com', 'British Virgin Islands', 2018, 10, 0.12, global, 120],
  ['okex', 'okx', 'OKX', 'www.okx.com', 'Seychelles', 2017, 10, 0.1, global, 120],
  ['kraken', 'kraken', 'Kraken', 'www.kraken.com', 'United States', 2011, 10, 0.045, bank, 90],
  ['bitget', 'bitget', 'Bitget', 'www.bitget.com', 'Seychelles', 2018, 10, 0.08, global, 130],
  ['kucoin', 'kucoin', 'KuCoin', 'www.kucoin.com', 'Seychelles', 2014, 10, 0.045, global, 150],
  ['gate', 'gate-io', 'Gate.io', 'www.gate.io', 'Panama', 2013, 9, 0.06, global, 180],
  ['mxc', 'mexc', 'MEXC', 'www.mexc.com', 'Seychelles', 2018, 9, 0.06, global, 180],
  ['huobi', 'htx', 'HTX', 'www.htx.com', 'Seychelles', 2013, 8, 0.03, global, 110],
  [
    'bitstamp',
    'bitstamp',
    'Bitstamp by Robinhood',
    'www.bitstamp.net',
    'Luxembourg',
    2013,
    10,
    0.008,
    bank,
    60,
  ],
  ['bitvavo', 'bitvavo', 'Bitvavo', 'bitvavo.com', 'Netherlands', 2018, 8, 0.006, { EUR: 1 }, 90],
  [
    'uniswap_v3',
    null,
    'Uniswap V3 (Ethereum)',
    'app.uniswap.org',
    '',
    2021,
    7,
    0.02,
    { WETH: 0.6, USDC: 0.4 },
    40,
  ],
  [null, 'old-harbour', 'Old Harbour', 'oldharbour.example', 'Estonia', 2016, 3, 0.0004, { USDT: 1 }, 20],
]

export const exchanges: SandboxExchange[] = rows.map(
  ([geckoId, paprikaId, name, site, country, year, trust, share, targets, coins]) => ({
    geckoId,
    paprikaId,
    name,
    site,
    country,
    year,
    trust,
    share,
    targets,
    coins,
  }),
)

const targetCoins: Record<string, string> = {
  USDT: 'tether',
  USDC: 'usd-coin',
  BTC: 'bitcoin',
  ETH: 'ethereum',
  WETH: 'weth',
}

export type SandboxTicker = {
  coin: SandboxCoin
  base: string
  target: string
  /** null: the target is a fiat currency */
  targetCoinId: string | null
  priceUsd: number
  /** Units of the target per unit of the base. */
  pairPrice: number
  volumeUsd: number
}

export type Exchanges = ReturnType<typeof createExchanges>

/** Volumes and markets of the exchanges: a function of seed, exchange and time, like the prices. */
export function createExchanges({
  market,
  perUsd,
}: {
  market: Market
  perUsd: (code: string, at: number) => number | null
}) {
  const totals = new Map<number, number>()
  const tides = new Map(exchanges.map((e) => [e.name, createNoise(hashText(market.seed, e.name))]))

  /** Volume of all listed coins over the 24 hours before the last full hour. */
  function totalVolumeUsd(at: number): number {
    const hour = Math.floor(at / 3600) * 3600
    let total = totals.get(hour)
    if (total === undefined) {
      total = market.listedCoins(hour).reduce((sum, coin) => sum + market.volume24hUsd(coin, hour), 0)
      totals.set(hour, total)
    }
    return total
  }

  function volume24hUsd(exchange: SandboxExchange, at: number): number {
    const hour = Math.floor(at / 3600) * 3600
    const noise = tides.get(exchange.name)!
    return totalVolumeUsd(at) * exchange.share * Math.exp(0.06 * (noise(hour) - noise(hour - 3 * day)))
  }

  /** Sum of the volumes of the last `days` 24-hour periods. */
  function volumeUsd(exchange: SandboxExchange, { at, days }: { at: number; days: number }): number {
    return Array.from({ length: days }, (_, n) => volume24hUsd(exchange, at - n * day)).reduce(
      (a, b) => a + b,
      0,
    )
  }

  /** The markets of an exchange, largest volume first. Their volumes add up to that of the exchange. */
  function tickers(exchange: SandboxExchange, at: number): SandboxTicker[] {
    const coins = market.listedCoins(at).slice(0, exchange.coins)
    const pairs = coins.flatMap((coin) =>
      Object.entries(exchange.targets).flatMap(([target, share]) => {
        const base = coin.symbol.toUpperCase()
        const coinId = targetCoins[target] ?? null
        const rate = coinId === null ? perUsd(target.toLowerCase(), at) : 1 / market.priceUsd(coinId, at)!
        if (coinId === coin.id || base === target || rate === null) return []
        const key = hashText(market.seed, `${exchange.name} ${coin.id} ${target}`)
        // Prices of a coin's markets differ by some hundredths of a percent, independently of each other.
        const skew = 1 + (uniform(key, Math.floor(at / 60)) - 0.5) * 0.001
        const priceUsd = market.priceUsd(coin.id, at)! * skew
        const weight = market.volume24hUsd(coin, at) * share * (0.5 + uniform(key, 1))
        return [{ coin, base, target, targetCoinId: coinId, priceUsd, pairPrice: priceUsd * rate, weight }]
      }),
    )
    const whole = pairs.reduce((sum, { weight }) => sum + weight, 0)
    const volume = volume24hUsd(exchange, at)
    return pairs
      .map(({ weight, ...pair }) => ({ ...pair, volumeUsd: (volume * weight) / whole }))
      .sort((a, b) => b.volumeUsd - a.volumeUsd)
  }

  /** Finds a market by its joined symbols (such as BTCUSDT) and returns its price at any instant. */
  function pair(exchange: SandboxExchange, symbol: string) {
    const found = tickers(exchange, market.anchor).find(({ base, target }) => base + target === symbol)
    if (!found) return null
    const { coin, target, targetCoinId, volumeUsd } = found
    const priceAt = (at: number): number | null => {
      const price = market.priceUsd(coin.id, at)
      const unit =
        targetCoinId === null ? perUsd(target.toLowerCase(), at) : market.priceUsd(targetCoinId, at)
      if (price === null || unit === null) return null
      return targetCoinId === null ? price * unit : price / unit
    }
    return { priceAt, volumeUsd }
  }

  return { volume24hUsd, volumeUsd, tickers, pair }
}
