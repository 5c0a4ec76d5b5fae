import { expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { createCoinGeckoGet } from '../../../activities/coingecko.ts'
import { createCoinPaprikaGet } from '../../../activities/coinpaprika.ts'
import { createHttpClient } from '../../../activities/http.ts'
import { createBinance } from '../../../activities/prices/sources/binance-candles.ts'
import { createCoinbase } from '../../../activities/prices/sources/coinbase-candles.ts'
import { createDefiLlama } from '../../../activities/prices/sources/defillama.ts'
import { createKraken } from '../../../activities/prices/sources/kraken-ohlc.ts'
import { startPriceDoubles } from './price-doubles.ts'

// What each refusal of a vendor means to the product. NotInPlan: another source must be asked. SourceRejected: this
// question is wrong here. SourceUnavailable: later.

const OPEN_GATE = { admit: async () => {}, succeeded: async () => {}, failed: async () => {} }
const DAY_MS = 86_400_000
const anything = z.unknown()

async function start(demoKey: boolean) {
  const doubles = await startPriceDoubles({ coins: 100, demoKey })
  const { coingecko, coinpaprika, defillama, binance, coinbase, kraken, clock } = doubles
  const urls = { coingecko, coinpaprika, defillama, 'binance-klines': binance, 'coinbase-candles': coinbase }
  const sources = { ...urls, 'kraken-ohlc': kraken }
  const http = createHttpClient({ gate: OPEN_GATE, sources, random: () => 0 })
  onTestFinished(() => http.close())
  const now = () => new Date(clock.now())
  const nowMs = clock.now()
  const gecko = (key: string | null) => createCoinGeckoGet({ http, url: coingecko.apiUrl, key })
  return {
    ...doubles,
    gecko,
    paprika: createCoinPaprikaGet({ http, url: coinpaprika.apiUrl, key: null }),
    llama: createDefiLlama({ http, url: defillama.url }),
    exchanges: {
      binance: createBinance({ http, url: binance.url, now }),
      coinbase: createCoinbase({ http, url: coinbase.url, now }),
      kraken: createKraken({ http, url: kraken.url, now }),
    },
    week: { resolution: 'day' as const, fromMs: nowMs - 7 * DAY_MS, toMs: nowMs },
    nowMs,
  }
}

const KEY = 'CG-a-demo-key'

test('1 to 4: CoinGecko', async () => {
  const { gecko, coingecko, nowMs } = await start(true)
  const old = `/coins/bitcoin/market_chart/range?vs_currency=usd&from=${nowMs / 1_000 - 400 * 86_400}&to=${nowMs / 1_000}`
  const contracts = Array.from({ length: 11 }, (_, n) => `0x${n}`).join(',')
  const asked: [key: string | null, path: string, name: string, message: RegExp][] = [
    [KEY, old, 'NotInPlan', /history limit \(10012\)$/],
    [KEY, `/simple/token_price/ethereum?contract_addresses=${contracts}`, 'SourceRejected', /error 10012/],
    [KEY, '/global/market_cap_chart?days=max', 'NotInPlan', /error 10005/],
    [null, '/global', 'NotInPlan', /error 10002/],
    ['CG-another', '/global', 'NotInPlan', /error 10011/],
    [KEY, '/coins/nobody', 'SourceRejected', /status 404/],
  ]
  for (const [key, path, name, message] of asked) {
    const error = await gecko(key)(path, anything).catch((caught: unknown) => caught as Error)
    expect([path, (error as Error).constructor.name]).toEqual([path, name])
    expect((error as Error).message).toMatch(message)
  }
  // Half of them are HTML.
  coingecko.state.isSpent = true
  for (let n = 0; n < 4; n++)
    await expect(gecko(KEY)('/global', anything)).rejects.toMatchObject({
      name: 'SourceUnavailable',
      message: expect.stringContaining('429'),
    })
})

test('4: a page above 250 rows has 250', async () => {
  const { gecko } = await start(true)
  const rows = await gecko(KEY)('/coins/markets?vs_currency=usd&per_page=1000&page=1', z.array(anything))
  expect(rows).toHaveLength(100)
})

test('6, 7: CoinPaprika', async () => {
  const { paprika, coinpaprika, nowMs } = await start(false)
  const since = (days: number) => new Date(nowMs - days * DAY_MS).toISOString()
  const history = (days: number) => `/tickers/btc-bitcoin/historical?start=${since(days)}&interval=1d`
  await expect(paprika(history(366), anything)).rejects.toThrow(/status 402/)
  expect(await paprika(history(364), z.array(anything))).toHaveLength(364)
  coinpaprika.state.isSpent = true
  const names = new Set<string>()
  for (let n = 0; n < 8; n++)
    names.add((await paprika('/tickers', anything).catch((error: Error) => error.constructor.name)) as string)
  expect([...names].toSorted()).toEqual(['NotInPlan', 'SourceUnavailable'])
})

test('9, 10: DefiLlama', async () => {
  const { llama, defillama, week } = await start(false)
  const { found } = await llama.pricesByAlias(['bitcoin', 'nobody'])
  expect([...found.keys()]).toEqual(['bitcoin'])
  expect(await llama.history({ ...week, key: { alias: 'nobody' } })).toEqual([])
  const year = { resolution: 'hour' as const, fromMs: week.toMs - 60 * DAY_MS, toMs: week.toMs }
  expect((await llama.history({ ...year, key: { alias: 'bitcoin' } })).length).toBe(60 * 24 + 1)
  expect(defillama.refused).toEqual([])
})

test('11, 12, 13: exchanges', async () => {
  const { exchanges, binance, week } = await start(false)
  const failure = (name: keyof typeof exchanges, symbol: string) =>
    exchanges[name].candles({ ...week, symbol }).then(
      ({ points }) => points.length,
      (error: Error) => `${error.constructor.name} ${error.message}`,
    )
  expect([
    await failure('binance', 'BTC'),
    await failure('coinbase', 'BTC'),
    await failure('kraken', 'BTC'),
  ]).toEqual([7, 7, 7])
  expect(await failure('binance', 'NOBODY')).toBe(
    'SourceRejected binance-klines: error -1121: Invalid symbol.',
  )
  expect(await failure('coinbase', 'NOBODY')).toContain('SourceRejected coinbase-candles: status 404')
  expect(await failure('kraken', 'NOBODY')).toBe('SourceRejected kraken-ohlc: EQuery:Unknown asset pair')
  binance.state.isBarred = true
  expect(await failure('binance', 'BTC')).toMatch(/^NotInPlan binance-klines: error 0: Service unavailable/)
  const asked = binance.asked.length
  expect(await failure('binance', 'ETH')).toMatch(/^NotInPlan binance-klines: not from this address/)
  expect(binance.asked).toHaveLength(asked)
})
