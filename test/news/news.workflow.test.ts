import { Client, Connection } from '@temporalio/client'
import { DefaultLogger, NativeConnection, Runtime, Worker } from '@temporalio/worker'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { activityInterceptor } from '../../activities/activity-interceptor.ts'
import { createNewsActivities } from '../../activities/news/index.ts'
import { getNewsByType } from '../../api/news/get-news-by-type.ts'
import { routes } from '../../api/routes.ts'
import type { refreshNews } from '../../workflows/news/refresh-news.ts'
import { startApi } from '../setup/api.ts'
import { testDatabase } from '../setup/database.ts'
import { endpoint } from '../setup/endpoint.ts'
import { insertCoin } from '../setup/factories.ts'
import '../setup/provided.ts'
import { MOST_BYTES, startNewsWorld } from './news-world.ts'

const TASK_QUEUE = 'news-test'
const database = await testDatabase()
const world = await startNewsWorld(database)
const api = await startApi({ database, routes })
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
    activities: createNewsActivities(world.deps),
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

const run = (workflowId: string) =>
  client.workflow.execute<typeof refreshNews>('refreshNews', { taskQueue: TASK_QUEUE, workflowId })

/** Ends the pauses of sources that failed. */
const letAllAsk = () =>
  world.deps.pool.query(`update source_states set next_request_at = '-infinity', consecutive_failures = 0`)

test('a run in which every feed fails is not completed, and names a cause', async () => {
  for (const name of world.feeds) world.bodies.set(name, ' '.repeat(MOST_BYTES + 1))
  const failed: unknown = await run('refresh-news-all-down').catch((error: unknown) => error)
  expect(failed).toMatchObject({
    cause: { message: expect.stringMatching(/^no feed could be read: coindesk: /) },
  })
  world.bodies.clear()
  await letAllAsk()
})

test('news reach the endpoint; a feed that is down does not affect the others and is read when it is up', async () => {
  // Nine requests: three by the client in each of two attempts, and those that the breaker lets through.
  world.faults.add({ source: 'feeds', kind: 'malformed', match: 'decrypt', count: 9 })
  await insertCoin(api.owner, { id: 'bitcoin', symbol: 'BTC', name: 'Bitcoin', rank: 1, at: new Date() })
  const first = await run('refresh-news-test')
  expect(first).toMatchObject({ failed: 1, changed: 235 })
  expect(first.trending).toBeGreaterThan(20)

  const { key } = await api.newAccount()
  const byType = endpoint(api, { route: getNewsByType, key })
  for (const type of ['latest', 'trending', 'bullish', 'bearish']) {
    const { body } = await byType(`/news/type/${type}?limit=5`)
    expect(body).toHaveLength(5)
  }
  world.faults.clear()
  await letAllAsk()
  expect(await run('refresh-news-test')).toMatchObject({ failed: 0, changed: 40 })
})
