import { ratePerEuro } from '../market/fiat.ts'
import type { ExchangeRules } from './account.ts'

// Mostly coins of the sandbox wallets, so that hourly prices are filled only once.
const COINS = {
  BTC: 'bitcoin',
  ETH: 'ethereum',
  LINK: 'chainlink',
  UNI: 'uniswap',
  AAVE: 'aave',
}
const UNIT = 100_000_000n

/** Decimals whose product of amount and price has at most eight. */
const DECIMALS: Record<string, { amount: number; price: number }> = {
  BTC: { amount: 5, price: 2 },
  ETH: { amount: 4, price: 2 },
  BNB: { amount: 3, price: 2 },
  AAVE: { amount: 3, price: 2 },
}
const decimals = (base: string) => DECIMALS[base] ?? { amount: 1, price: 4 }

export const binanceRules: ExchangeRules = {
  exchange: 'binance',
  assets: { USDT: 'tether', BNB: 'binancecoin', ...COINS },
  moneyUsd: () => 1,
  pairs: [
    ['BTC', 'USDT'] as const,
    ['ETH', 'USDT'] as const,
    ['BNB', 'USDT'] as const,
    ['LINK', 'USDT'] as const,
    ['UNI', 'USDT'] as const,
    ['AAVE', 'USDT'] as const,
  ],
  decimals,
  feeRate: { maker: 0.001, taker: 0.001 },
  feeAsset: 'BNB',
  feeOfPurchase: 'base',
  withdrawalFee: { BTC: 20_000n, ETH: 40_000n, LINK: 10_000_000n },
  dust: true,
}

export const krakenRules = (seed: number): ExchangeRules => ({
  exchange: 'kraken',
  assets: { USD: null, EUR: null, ...COINS },
  moneyUsd: (asset, at) => {
    if (asset === 'USD') return 1
    return ratePerEuro({ seed, code: 'USD', date: new Date(at * 1000).toISOString().slice(0, 10) }) ?? 1.1
  },
  pairs: [
    ['BTC', 'USD'] as const,
    ['ETH', 'USD'] as const,
    ['UNI', 'USD'] as const,
    ['LINK', 'USD'] as const,
    ['BTC', 'EUR'] as const,
    ['ETH', 'EUR'] as const,
  ],
  decimals,
  feeRate: { maker: 0.0016, taker: 0.0026 },
  feeAsset: null,
  feeOfPurchase: 'quote',
  withdrawalFee: { BTC: 15_000n, ETH: 350_000n, EUR: UNIT },
  dust: false,
})
