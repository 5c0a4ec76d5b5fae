import { Client, Connection } from '@temporalio/client'
import { DefaultLogger, NativeConnection, Runtime, Worker } from '@temporalio/worker'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { activityInterceptor } from '../../activities/activity-interceptor.ts'
import { createPricesActivities } from '../../activities/prices/index.ts'
import { createTickersActivities } from '../../activities/tickers/index.ts'
import { getPriceExchange } from '../../api/prices/get-price-exchange.ts'
import { routes } from '../../api/routes.ts'
import { getExchanges } from '../../api/tickers/get-exchanges.ts'
import { getTickerMarkets } from '../../api/tickers/get-markets.ts'
import { DAY_MS } from '../../db/values/periods.ts'
import type { refreshTickers } from '../../workflows/tickers/refresh-tickers.ts'
import { startPriceWorld } from '../prices/price-world.ts'
import { startApi } from '../setup/api.ts'
import { testDatabase } from '../setup/database.ts'
import { endpoint } from '../setup/endpoint.ts'
import '../setup/provided.ts'

const TASK_QUEUE = 'tickers-test'
const database = await testDatabase()
const { deps, faults } = await startPriceWorld(database)
const api = await startApi({ database, routes })
const { key } = await api.newAccount()
const stops: (() => unknown)[] = []
let client: Client

beforeAll(async () => {
  Runtime.install({ logger: new DefaultLogger('ERROR'), shutdownSignals: [] })
  const address = inject('temporalAddress')
  const connection = await NativeConnection.connect({ address })
  const worker = await Worker.create({
    connection,
    taskQueue: TASK_QUEUE,
    workflowBundle: { codePath: inject('workflowBundle') },
    activities: createTickersActivities(deps),
    interceptors: { activity: [activityInterceptor] },
  })
  const running = worker.run()
  client = new Client({ connection: await Connection.connect({ address }) })
  stops.push(
    () => client.connection.close(),
    () => connection.close(),
    () => running,
    () => worker.shutdown(),
  )
})
afterAll(async () => {
  for (const stop of stops.reverse()) await stop()
})

test('data of two sources reaches three endpoints; a run before any price exists succeeds', async () => {
  faults.add({ source: 'coingecko', kind: 'malformed', match: '/exchanges/binance/tickers', count: 1 })
  const run = (input: Parameters<typeof refreshTickers>[0]) =>
    client.workflow.execute<typeof refreshTickers>('refreshTickers', {
      taskQueue: TASK_QUEUE,
      workflowId: 'refresh-tickers-test',
      args: [input],
    })
  expect(await run({ exchanges: 0, pages: 1 })).toMatchObject({ exchanges: 13, points: 0 })
  // The prices area has to run first, as in the first ingestion.
  const prices = createPricesActivities(deps)
  await prices.refreshQuotes()
  const nowMs = Date.now()
  await prices.fillHistory({
    resolution: 'day',
    coinIds: ['bitcoin'],
    fromMs: nowMs - 20 * DAY_MS,
    toMs: nowMs,
  })
  const result = await run({ exchanges: 4, pages: 2 })
  expect(result).toMatchObject({ exchanges: 14, quarantined: 0 })
  // Two pages of four exchanges. A few symbols belong to two coins; only the larger one is stored.
  expect(result.tickers).toBeGreaterThan(780)
  expect(result.closes).toBe(30 * 30 * 24)
  expect(result.points).toBeGreaterThan(13 * 14 * 24 - 26)

  const exchanges = (await endpoint(api, { route: getExchanges, key })('/tickers/exchanges')).body
  expect(exchanges).toHaveLength(14)
  expect(exchanges[0]).toMatchObject({ name: 'Binance', rank: 1, volume1m: expect.any(Number) })
  expect(exchanges[0].change24h).not.toBe(0)
  const markets = (
    await endpoint(api, { route: getTickerMarkets, key })(
      '/tickers/markets?exchange=binance&onlyVerified=true',
    )
  ).body
  expect(markets.result).toHaveLength(20)
  const [{ from, to, pairPrice, _updated_at }] = markets.result
  const timestamp = Math.floor(Date.parse(_updated_at) / 1000)
  const pathOf = (at: number) =>
    `/coins/price/exchange?exchange=Binance&from=${from}&to=${to}&timestamp=${at}`
  const price = endpoint(api, { route: getPriceExchange, key })
  expect((await price(pathOf(timestamp))).body).toEqual({ price: pairPrice })
  const monthAgo = (await price(pathOf(timestamp - 29 * 86_400))).body.price
  expect(monthAgo).toBeGreaterThan(0)
  expect(monthAgo).not.toBe(pairPrice)
})
