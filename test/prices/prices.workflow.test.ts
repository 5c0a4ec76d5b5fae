import { setTimeout as sleep } from 'node:timers/promises'
import { Client, Connection } from '@temporalio/client'
import { DefaultLogger, NativeConnection, Runtime, Worker } from '@temporalio/worker'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { activityInterceptor } from '../../activities/activity-interceptor.ts'
import { AREAS } from '../../activities/areas.ts'
import { dispatchOutbox, dispatchPending } from '../../activities/dispatch-outbox.ts'
import { ensureSchedules } from '../../activities/ensure-schedules.ts'
import { createPricesActivities } from '../../activities/prices/index.ts'
import { listSchedules } from '../../cli/commands/schedules.ts'
import { createTemporal } from '../../console/temporal.ts'
import type { refreshCoins } from '../../workflows/prices/refresh-coins.ts'
import { testDatabase } from '../setup/database.ts'
import { query } from '../setup/query.ts'
import '../setup/provided.ts'
import { startPriceWorld } from './price-world.ts'

const TASK_QUEUE = 'prices-test'
const database = await testDatabase()
const { deps, faults } = await startPriceWorld(database)
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
    activities: createPricesActivities(deps),
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

const count = async (table: string) =>
  (await query<{ n: number }>(database.ownerUrl, `select count(*)::int as n from ${table}`))[0]!.n

test('the first refresh of coins also fills their histories; a source that is limited for a second is waited for', async () => {
  faults.add({ source: 'coingecko', kind: 'rate_limit', match: '/coins/markets', count: 1 })
  faults.add({ source: 'coingecko', kind: 'error', match: 'market_chart', count: 2 })
  const first = await client.workflow.execute<typeof refreshCoins>('refreshCoins', {
    taskQueue: TASK_QUEUE,
    workflowId: 'refresh-coins-test',
  })
  expect(first.newCoins).toBeGreaterThan(150)
  const filled = await client.workflow.getHandle('backfill-prices').result()
  expect(filled).toMatchObject({ refused: 0 })
  // 200 coins, of which some were listed later: two years of days, seven days of hours.
  expect(await count('price_days')).toBeGreaterThan(100_000)
  expect(await count('price_hours')).toBeGreaterThan(28_000)
  expect(await count('coin_contracts')).toBeGreaterThan(5)
  expect(await count('market_totals')).toBe(1)
})

test('schedules are made once from the areas, run without waiting for their interval, and keep what the operator paused', async () => {
  const schedules = AREAS.flatMap((area) => area.schedules).map((schedule) =>
    schedule.firstRunAfterSeconds === undefined ? schedule : { ...schedule, firstRunAfterSeconds: 1 },
  )
  const options = { client, taskQueue: 'nobody', schedules }
  await ensureSchedules(options)
  const started = async () =>
    (await listSchedules(client)).filter((line) => line['last'] !== 'never').map((line) => line['id'])
  while ((await started()).length < schedules.length) await sleep(100)
  await client.schedule.getHandle('refresh-coins').pause()
  await ensureSchedules(options)
  const lines = await listSchedules(client)
  expect(new Set(lines.map((line) => line['id']))).toEqual(new Set(schedules.map((schedule) => schedule.id)))
  expect(lines.find((line) => line['id'] === 'refresh-coins')!['state']).toMatch(/^paused/)

  // The same as the console sees it, a moment later.
  const uiUrl = 'https://temporal.example'
  const clock = { nowMs: Date.now() }
  const now = () => new Date((clock.nowMs += 60_000))
  const temporal = createTemporal({ address: inject('temporalAddress'), namespace: 'default', uiUrl, now })
  const paused = async () => (await temporal.read())!.schedules.find(({ isPaused }) => isPaused)
  await expect.poll(paused, { timeout: 10_000 }).toMatchObject({ id: 'refresh-coins', lastStatus: 'RUNNING' })
  const { schedules: seen, running, runningByType } = (await temporal.read())!
  expect(seen.map(({ id }) => id)).toEqual(schedules.map(({ id }) => id).sort((a, b) => a.localeCompare(b)))
  expect(runningByType).toContainEqual({ type: 'refreshCoins', count: expect.any(Number) })
  const run = running.find(({ type }) => type === 'refreshCoins')!
  expect(run.url).toMatch(
    /^https:\/\/temporal\.example\/namespaces\/default\/workflows\/refresh-coins[^/]*\/[^/]+\/history$/,
  )
  // What names a tenant's wallet is not told, and the run is found all the same.
  const sync = { workflowId: 'sync:canary:bitcoin', taskQueue: 'nobody', args: [] }
  const handle = await client.workflow.start('syncWallet', sync)
  const syncs = async () =>
    (await temporal.read())!.running.filter(({ url }) => url!.endsWith(`${handle.firstExecutionRunId}%22`))
  await expect.poll(syncs).toMatchObject([{ type: 'syncWallet', name: 'sync:…' }])
  expect(JSON.stringify(await temporal.read())).not.toContain('canary')
  await handle.terminate()
  await temporal.close()
  const away = createTemporal({ address: '127.0.0.1:9', namespace: 'default', uiUrl, now })
  expect(await away.read()).toBe(null)
  for (const { id } of schedules) await client.schedule.getHandle(id).delete()
})

test('the outbox loses no command while Temporal is away, and one workflow runs however often it is asked for', async () => {
  await query(
    database.ownerUrl,
    `insert into outbox (workflow, workflow_id, input)
     select 'refreshFiats', 'outbox-test', 'null'::jsonb from generate_series(1, 50)`,
  )
  const away = new Client({ connection: Connection.lazy({ address: '127.0.0.1:9' }) })
  const ended = new AbortController()
  const log = pino({ level: 'silent' })
  const base = { pool: deps.pool, taskQueue: 'nobody' }
  const loop = dispatchOutbox({ ...base, client: away, log, signal: ended.signal })
  await sleep(700)
  ended.abort()
  await loop
  await away.connection.close()
  expect(await count('outbox where dispatched_at is null')).toBe(50)

  // Two workers at once: the lock of one is passed over by the other.
  const sent = async (): Promise<void> => {
    while ((await dispatchPending({ ...base, client })) > 0);
  }
  await Promise.all([sent(), sent()])
  await sent()
  expect(await count('outbox where dispatched_at is null')).toBe(0)
  const runs = []
  for await (const run of client.workflow.list({ query: `WorkflowId = 'outbox-test'` })) runs.push(run)
  // The visibility store is eventual; what counts is that there is never a second run.
  expect(runs.length).toBeLessThanOrEqual(1)
  await client.workflow.getHandle('outbox-test').terminate()
})
