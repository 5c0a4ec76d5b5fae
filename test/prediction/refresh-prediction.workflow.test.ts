import { afterAll, expect, test } from 'vitest'
import { getMarketCrossVenue } from '../../api/prediction/get-market-cross-venue.ts'
import { getPredictionMarkets } from '../../api/prediction/get-markets.ts'
import type { refreshPrediction } from '../../workflows/prediction/refresh-prediction.ts'
import { startApi } from '../setup/api.ts'
import { testDatabase } from '../setup/database.ts'
import { endpoint } from '../setup/endpoint.ts'
import { startWorker } from '../setup/worker.ts'
import { startPredictionWorld } from './prediction-world.ts'

const database = await testDatabase()
const { activities, faults, loadVenue } = await startPredictionWorld(database)
const worker = await startWorker({ taskQueue: 'prediction-test', activities })
const api = await startApi({ database, routes: [getPredictionMarkets, getMarketCrossVenue] })
const { key } = await api.newAccount()
afterAll(worker.stop)

test('the workflow loads a venue into the endpoint despite failures of one of its services', async () => {
  faults.add({ source: 'kalshi', kind: 'error', match: '/markets/trades', count: 2 })
  const first = await worker.run<typeof refreshPrediction>('refreshPrediction', { venue: 'kalshi' })
  expect(first.markets).toBeGreaterThan(100)
  expect(first.trades).toBeGreaterThan(2_000)
  const get = endpoint(api, { route: getPredictionMarkets, key })
  const { body, headers } = await get('/prediction/markets?status=all')
  expect(body.meta.itemCount).toBeGreaterThan(100)
  expect(headers.get('x-data-as-of')).toMatch(/^20/)
  // Nothing of the other venue was read yet.
  const other = await get('/prediction/markets?status=all&venue=polymarket')
  expect([other.body.data, other.headers.get('x-data-as-of')]).toEqual([[], null])
  expect(first.compared).toBe(body.meta.itemCount)
  const markets = await loadVenue('polymarket')
  const second = await worker.run<typeof refreshPrediction>('refreshPrediction', { venue: 'kalshi' })
  // Only the new markets of the other venue are compared.
  expect(second).toMatchObject({ trades: 0, compared: markets })
  const found = await get('/prediction/markets?venue=polymarket&search=Bitcoin&limit=100')
  const cross = endpoint(api, { route: getMarketCrossVenue, key })
  const counts = await Promise.all(
    found.body.data.map(
      async ({ slug }: { slug: string }) =>
        (await cross(`/prediction/markets/${slug}/cross-venue`)).body.data.summary.venuesCount,
    ),
  )
  expect(counts).toContain(2)
})
