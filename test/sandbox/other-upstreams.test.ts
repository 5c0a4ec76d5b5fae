import { beforeAll, describe, expect, test } from 'vitest'
import { createCoinPaprika } from '../../sandbox/prices/coinpaprika.ts'
import { createDefiLlama } from '../../sandbox/prices/defillama.ts'
import { createFrankfurter } from '../../sandbox/prices/frankfurter.ts'
import { call, day, market, now, prices, type Row } from './call.ts'

describe('coinpaprika', () => {
  const paprika = createCoinPaprika(prices)

  // The first list computes extremes from two years of hours, which takes long on a busy machine.
  beforeAll(() => call(paprika, '/tickers'))

  test('returns all tickers in one call, within 0.2 % of the first source', async () => {
    const { body } = await call(paprika, '/tickers?quotes=USD,BTC,ETH')
    expect(body).toHaveLength(market.listedCoins(now).length)
    const bitcoin = body.find((t: Row) => t['id'] === 'btc-bitcoin')
    expect(Object.keys(bitcoin.quotes)).toEqual(['USD', 'BTC', 'ETH'])
    expect(bitcoin.quotes.USD.price / market.priceUsd('bitcoin', now)! - 1).toBeCloseTo(0, 2)
    expect(bitcoin).not.toHaveProperty('circulating_supply')
  })

  test('finds a token by contract and includes delisted coins', async () => {
    const usdc = await call(paprika, '/contracts/eth-ethereum/0xA0b86991c6218b36c1d19d4a2e9eb0ce3606eb48')
    expect(usdc.body.symbol).toBe('USDC')
    expect((await call(paprika, '/contracts/eth-ethereum/0xdead')).status).toBe(404)
    const coins = (await call(paprika, '/coins')).body
    expect(coins.filter((c: Row) => c['is_active'] === false).length).toBeGreaterThan(5)
  })

  test('returns market totals', async () => {
    const { body } = await call(paprika, '/global')
    expect(body.bitcoin_dominance_percentage).toBeGreaterThan(20)
    expect(body.market_cap_ath_value).toBeGreaterThanOrEqual(body.market_cap_usd)
    expect(body.volume_24h_percent_from_ath).toBeLessThanOrEqual(0)
    expect(body.volume_24h_percent_to_ath).toBeGreaterThanOrEqual(0)
  })
})

describe('defillama', () => {
  const llama = createDefiLlama(market)
  const usdc = 'ethereum:0xA0b86991c6218b36c1d19d4a2e9eb0ce3606eb48'
  const moss = 'ethereum:0x0b5c000000000000000000000000000000000001'

  test('answers under the requested key and omits unknown coins', async () => {
    const spam = 'ethereum:0x5ba4000000000000000000000000000000000002'
    const { coins } = (await call(llama, `/prices/current/${usdc},${moss},coingecko:bitcoin,${spam}`)).body
    expect(Object.keys(coins)).toEqual([usdc, moss, 'coingecko:bitcoin'])
    expect(coins[usdc]).toEqual({
      decimals: 6,
      symbol: 'USDC',
      price: expect.any(Number),
      timestamp: expect.any(Number),
      confidence: 0.99,
    })
    expect(coins['coingecko:bitcoin']).not.toHaveProperty('decimals')
  })

  test('returns the time of the point, which may differ from the requested one', async () => {
    const at = Math.floor(now) - 100 * day + 123
    const { coins } = (await call(llama, `/prices/historical/${at}/${moss}`)).body
    expect(coins[moss].timestamp).toBe(Math.floor(at / 300) * 300)
    expect(coins[moss].price).toBe(market.priceUsd('llama:moss', coins[moss].timestamp))
  })

  test('returns a chart by start, span and period, never beyond now', async () => {
    const start = Math.floor(now) - 2 * day
    const { coins } = (await call(llama, `/chart/${moss}?start=${start}&span=100&period=1h`)).body
    expect(coins[moss].prices).toHaveLength(49)
  })

  test('returns many instants of many coins in one call', async () => {
    const asked = encodeURIComponent(
      JSON.stringify({ [moss]: [now - day, now - 2 * day], 'base:0xdead': [now] }),
    )
    const { coins } = (await call(llama, `/batchHistorical?coins=${asked}`)).body
    expect(Object.keys(coins)).toEqual([moss])
    expect(coins[moss].prices).toHaveLength(2)
  })

  test('has low confidence for one token', async () => {
    const taxed = 'ethereum:0x0b5c000000000000000000000000000000000003'
    const { coins } = (await call(llama, `/prices/current/${taxed}`)).body
    expect(coins[taxed].confidence).toBeLessThan(0.9)
  })
})

describe('frankfurter', () => {
  const frankfurter = createFrankfurter({ seed: 7 })

  test('returns the rates of Friday on a Saturday', async () => {
    const { body } = await call(frankfurter, '/v1/latest?base=USD&symbols=EUR,GBP')
    expect(body).toEqual({
      amount: 1,
      base: 'USD',
      date: '2026-11-20',
      rates: { EUR: expect.any(Number), GBP: expect.any(Number) },
    })
  })

  test('has no rates of weekends and holidays', async () => {
    const { body } = await call(frankfurter, '/v1/2025-12-22..2026-01-02?symbols=USD')
    const days = [
      '2025-12-22',
      '2025-12-23',
      '2025-12-24',
      '2025-12-29',
      '2025-12-30',
      '2025-12-31',
      '2026-01-02',
    ]
    expect(Object.keys(body.rates)).toEqual(days)
  })

  test('has no lev after the end of 2025', async () => {
    expect((await call(frankfurter, '/v1/2025-12-31?symbols=BGN')).body.rates).toEqual({ BGN: 1.9558 })
    expect((await call(frankfurter, '/v1/2026-01-02?symbols=BGN')).status).toBe(404)
    expect((await call(frankfurter, '/v1/latest')).body.rates).not.toHaveProperty('BGN')
  })

  test('returns rows in version 2', async () => {
    const { body } = await call(
      frankfurter,
      '/v2/rates?base=USD&quotes=EUR,GBP&from=2026-11-13&to=2026-11-16',
    )
    expect(body.map((r: Row) => [r['date'], r['quote']])).toEqual([
      ['2026-11-13', 'EUR'],
      ['2026-11-13', 'GBP'],
      ['2026-11-16', 'EUR'],
      ['2026-11-16', 'GBP'],
    ])
    expect((await call(frankfurter, '/v2/rate/EUR/GBP')).body).toMatchObject({ base: 'EUR', quote: 'GBP' })
  })
})
