import { DAY_MS } from '../../db/values/periods.ts'
import type { AskDeps, Questions } from '../source-questions.ts'
import { createPriceSources } from './price-sources.ts'
import { COINBASE_CANDLES } from './sources/coinbase-candles.ts'
import { KRAKEN_OHLC } from './sources/kraken-ohlc.ts'

const USD_COIN = { blockchain: 'ethereum', address: '0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48' }

export function priceQuestions(deps: AskDeps): Questions {
  const sources = createPriceSources(deps)
  const nowMs = deps.now().getTime()
  const lastWeek = { from: day(nowMs - 7 * DAY_MS), to: day(nowMs) }
  const lastDay = {
    symbol: 'BTC',
    resolution: 'hour' as const,
    fromMs: nowMs - DAY_MS,
    toMs: nowMs,
  }
  const candlesOf = (name: string) => () =>
    sources.exchanges.find((one) => one.name === name)?.candles(lastDay)
  return {
    [COINBASE_CANDLES]: candlesOf(COINBASE_CANDLES),
    [KRAKEN_OHLC]: candlesOf(KRAKEN_OHLC),
    coingecko: () => sources.coingecko?.marketTotals(),
    coinpaprika: () => sources.coinpaprika?.marketTotals(),
    defillama: () => sources.defillama?.currentPrices([USD_COIN]),
    frankfurter: () => sources.frankfurter?.rates(lastWeek),
    ecb: () => sources.ecb?.rates(lastWeek),
    eurofxref: () => sources.eurofxref?.rates(),
  }
}

const day = (ms: number) => new Date(ms).toISOString().slice(0, 10)
