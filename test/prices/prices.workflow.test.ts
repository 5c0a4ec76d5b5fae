import { setTimeout as sleep } from 'node:timers/promises'
import { Client, Connection } from '@temporalio/client'
import { DefaultLogger, NativeConnection, Runtime } from '@temporalio/worker'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { activityInterceptor } from '../../activities/activity-interceptor.ts'
import { AREAS } from '../../activities/all-areas.ts'
import { dispatchOutbox, dispatchPending } from '../../activities/dispatch-outbox.ts'
import { ensureSchedules } from '../../activities/ensure-schedules.ts'
import { createPricesActivities } from '../../activities/prices/index.ts'
import { listSchedules } from '../../cli/commands/schedules.ts'
import { WAITS_FOR_FIRST_RUN } from '../../db/values/first-run.ts'
import { createTemporal } from '../../web/console/temporal.ts'
import { testDatabase } from '../setup/database.ts'
import { query } from '../setup/query.ts'
import { createWorkers } from '../setup/worker.ts'
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
  const worker = await createWorkers({
    connection,
    taskQueue: TASK_QUEUE,
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

const run = <Result>(workflow: string) =>
  client.workflow.execute<() => Promise<Result>>(workflow, {
    taskQueue: TASK_QUEUE,
    workflowId: `${workflow}-test`,
  })

test('fills the history of coins whose worker died right after storing them', async () => {
  faults.add({ source: 'coingecko', kind: 'rate_limit', match: '/coins/markets', count: 1 })
  faults.add({ source: 'coingecko', kind: 'error', match: 'market_chart', count: 2 })
  // The quotes are committed, but no workflow knows of them.
  expect((await createPricesActivities(deps).refreshQuotes()).newCoins).toBeGreaterThan(150)
  expect(await run('refreshCoins')).toMatchObject({ newCoins: 0 })
  expect(await run('refreshListings')).toMatchObject({ delisted: 0 })
  const filled = await run<{ coins: number }>('fillNewCoins')
  expect(filled).toMatchObject({ quarantined: 0 })
  expect(filled.coins).toBeGreaterThan(150)
  // 200 coins, some of them listed later: two years of days, seven days of hours.
  expect(await count('price_days')).toBeGreaterThan(100_000)
  expect(await count('price_hours')).toBeGreaterThan(28_000)
  expect(await count('coin_contracts')).toBeGreaterThan(5)
  expect(await count('market_totals')).toBe(1)
  expect(await run('fillNewCoins')).toEqual({ coins: 0, points: 0, quarantined: 0 })
})

test('requests a history that the source refused once a day, not every five minutes', async () => {
  const mapTo = (upstreamId: string) =>
    query(
      database.ownerUrl,
      `update coin_mappings set upstream_id = $1 where source = 'coingecko' and coin_id = 'drift-storage'`,
      [upstreamId],
    )
  await query(database.ownerUrl, `delete from price_histories where coin_id = 'drift-storage'`)
  await mapTo('gone')
  expect(await run('fillNewCoins')).toMatchObject({ coins: 1, quarantined: 2 })
  expect(await run('fillNewCoins')).toMatchObject({ coins: 0 })
  await mapTo('drift-storage')
  await query(database.ownerUrl, `update quarantine set fetched_at = fetched_at - interval '25 hours'`)
  expect(await run('fillNewCoins')).toMatchObject({ coins: 1, quarantined: 0 })
})

test('schedules are created once from the areas, wait for their first run, and stay paused if the operator paused them', async () => {
  const schedules = AREAS.flatMap((area) => area.schedules)
  const options = { client, taskQueue: 'nobody', schedules, known: new Set<never>() }
  await ensureSchedules(options)
  // Other test files have schedules on the same server.
  const ids = schedules.map(({ id }) => id)
  const own = async () => (await listSchedules(client)).filter(({ id }) => ids.includes(id))
  const waiting = async () =>
    (await own()).filter(({ note, lastAt }) => note === WAITS_FOR_FIRST_RUN && lastAt === null).length
  // The list is updated a moment later.
  await expect.poll(waiting).toBe(schedules.length)
  for (const { id } of schedules) await client.schedule.getHandle(id).unpause()
  const coins = client.schedule.getHandle('refresh-coins')
  await coins.trigger()
  // Wait for the run to begin: a pause before that would prevent it.
  await expect.poll(async () => (await coins.describe()).info.recentActions.length).toBeGreaterThan(0)
  await coins.pause()
  await ensureSchedules(options)
  const lines = await own()
  expect(new Set(lines.map((line) => line.id))).toEqual(new Set(ids))
  expect(lines.find((line) => line.id === 'refresh-coins')!.state).toBe('paused')

  // The console shows the same a moment later.
  const uiUrl = 'https://temporal.example'
  const clock = { nowMs: Date.now() }
  const now = () => new Date((clock.nowMs += 60_000))
  const temporal = createTemporal({ address: inject('temporalAddress'), namespace: 'default', uiUrl, now })
  const mine = async () => (await temporal.read())!.schedules.filter(({ id }) => ids.includes(id))
  const paused = async () => (await mine()).find(({ isPaused }) => isPaused)
  await expect.poll(paused).toMatchObject({ id: 'refresh-coins', lastStatus: 'RUNNING' })
  expect((await mine()).map(({ id }) => id)).toEqual(ids.toSorted((a, b) => a.localeCompare(b)))
  const { running, runningByType } = (await temporal.read())!
  expect(runningByType).toContainEqual({ type: 'refreshCoins', count: expect.any(Number) })
  const run = running.find(({ type }) => type === 'refreshCoins')!
  expect(run.url).toMatch(
    /^https:\/\/temporal\.example\/namespaces\/default\/workflows\/refresh-coins[^/]*\/[^/]+\/history$/,
  )
  const { queues } = (await temporal.read())!
  expect(queues.map(({ name }) => name).join(' ')).toBe(
    'sluice sluice-history sluice-derived sluice-exports sluice-follow',
  )
  // The console hides the wallet in the workflow id but still links to the run.
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

test('a schedule that is deleted while the list is read is left out', async () => {
  const [kept] = AREAS.flatMap((area) => area.schedules)
  await ensureSchedules({ client, taskQueue: 'nobody', schedules: [kept!], known: new Set() })
  async function* list() {
    yield { scheduleId: 'deleted' }
    yield { scheduleId: kept!.id }
  }
  const schedule = Object.create(client.schedule, { list: { value: list } }) as Client['schedule']
  const reading = Object.create(client, { schedule: { value: schedule } }) as Client
  expect(await listSchedules(reading)).toEqual([expect.objectContaining({ id: kept!.id })])
  await client.schedule.getHandle(kept!.id).delete()
})

test('the outbox loses no command while Temporal is down, and starts one workflow however often it is requested', async () => {
  await query(
    database.ownerUrl,
    `insert into outbox (workflow, workflow_id, input)
     select 'refreshFiats', 'outbox-test', 'null'::jsonb from generate_series(1, 50)`,
  )
  const away = new Client({ connection: Connection.lazy({ address: '127.0.0.1:9' }) })
  const ended = new AbortController()
  const log = pino({ level: 'silent' })
  const base = { pool: deps.pool, taskQueue: 'nobody', known: new Set<never>() }
  const loop = dispatchOutbox({ ...base, client: away, log, signal: ended.signal })
  await sleep(700)
  ended.abort()
  await loop
  await away.connection.close()
  expect(await count('outbox where dispatched_at is null')).toBe(50)

  // Two workers at once: each skips the rows that the other has locked.
  const sent = async (): Promise<void> => {
    while ((await dispatchPending({ ...base, client })) > 0);
  }
  await Promise.all([sent(), sent()])
  await sent()
  expect(await count('outbox where dispatched_at is null')).toBe(0)
  const runs = []
  for await (const run of client.workflow.list({ query: `WorkflowId = 'outbox-test'` })) runs.push(run)
  // The visibility store is eventually consistent. There must never be a second run.
  expect(runs.length).toBeLessThanOrEqual(1)
  await client.workflow.getHandle('outbox-test').terminate()
})
