import { expect, test } from 'vitest'
import { readIngestConfig } from '../../activities/config.ts'

const live = (env: Record<string, string>) => readIngestConfig({ SOURCES: 'live', ...env }).sources

test('without keys a source that has keyless limits is on at their pace', () => {
  const { coingecko, coinpaprika, defillama } = live({})
  expect(coingecko).toMatchObject({ plan: 'keyless', burst: 3, url: 'https://api.coingecko.com/api/v3' })
  // Five calls a minute by the oldest texts: the burst and one.
  expect(coingecko!.requestsPerSecond * 60 + coingecko!.burst).toBeLessThanOrEqual(5)
  expect(coinpaprika).toMatchObject({ plan: 'keyless', url: 'https://api.coinpaprika.com/v1' })
  expect(defillama!.plan).toBe('free')
})

test('a key changes plan and pace, and at CoinPaprika the address', () => {
  const { coingecko, coinpaprika } = live({ COINGECKO_API_KEY: 'CG-1', COINPAPRIKA_API_KEY: 'p' })
  expect(coingecko!.plan).toBe('free')
  expect(coingecko!.requestsPerSecond * 60 + coingecko!.burst).toBeLessThanOrEqual(30)
  expect(coinpaprika).toMatchObject({ plan: 'full', url: 'https://api-pro.coinpaprika.com/v1' })
})

test('a key of Routescan raises its pace to that of the free plan', () => {
  expect(live({})['routescan']).toMatchObject({ plan: 'keyless', requestsPerSecond: 2 })
  expect(live({ ROUTESCAN_API_KEY: 'key' })['routescan']).toMatchObject({
    plan: 'free',
    requestsPerSecond: 5,
  })
})

test('a paid plan, a service of one’s own and the sandbox hold nothing back', () => {
  const paid = { COINGECKO_API_KEY: 'k', COINGECKO_URL: 'https://pro-api.coingecko.com/api/v3' }
  expect(live(paid)['coingecko']!.plan).toBe('full')
  const own = { COINGECKO_URL: 'http://127.0.0.1:1/coingecko' }
  expect(readIngestConfig({ SOURCES: 'sandbox', ...own }).sources['coingecko']!.plan).toBe('full')
})
