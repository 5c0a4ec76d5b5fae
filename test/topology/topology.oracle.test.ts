import { setTimeout as sleep } from 'node:timers/promises'
import { Connection } from '@temporalio/client'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ownerUrl } from '../../cli/postgres/postgres-service.ts'
import { readSecrets } from '../../cli/secrets.ts'
import { serviceEnvironment } from '../../cli/service-environment.ts'
import { isRunning } from '../../cli/supervisor/process-mark.ts'
import { readRun, type Run } from '../../cli/supervisor/run-file.ts'
import { wallets } from '../../sandbox/chain/actors.ts'
import { sluiceOn } from '../cli/sluice-on.ts'
import { query } from '../setup/query.ts'
import { type RunningSluice, startSluice } from '../start/running.ts'

// The production topology with real parts, which are built or downloaded on the first run.

let sluice: RunningSluice
let run: Run

beforeAll(async () => {
  sluice = await startSluice({ command: 'topology' })
  run = readRun(sluice.home)!
  // Without a cache, this builds a Temporal server.
}, 1_800_000)
afterAll(() => sluice?.stop())

const ask = async (api: 'api' | 'api-2', path: string, method = 'GET') => {
  const url = `http://127.0.0.1:${run.ports[api]}/v1${path}`
  const response = await fetch(url, { method, headers: { 'x-api-key': sluice.key } })
  return { status: response.status, body: (await response.json()) as Record<string, unknown> }
}
const database = (name: string) => {
  const { owner: ownerPassword } = readSecrets(sluice.home)!
  return ownerUrl({ port: run.ports['postgres']!, ownerPassword, database: name })
}

test('every part runs', () => {
  const parts = [
    'postgres',
    'pgbouncer',
    'temporal',
    'worker',
    'worker-2',
    'worker-3',
    'api',
    'api-2',
    'gateway',
  ]
  expect(Object.keys(run.children)).toEqual(expect.arrayContaining([...parts, 'facilitator', 'sandbox']))
})

test('wallets requested at either API are synced, and both APIs give the same answers', async () => {
  const asked = wallets.slice(1, 7).map(({ address }) => `address=${address}&connectionId=ethereum`)
  for (const [n, wallet] of asked.entries())
    expect(await ask(n % 2 ? 'api' : 'api-2', `/wallet/transactions?${wallet}`, 'PATCH')).toMatchObject({
      status: 200,
    })
  for (const wallet of asked) {
    await expect
      .poll(() => ask('api', `/wallet/status?${wallet}`), { timeout: 120_000, interval: 500 })
      .toMatchObject({ status: 200, body: { status: 'synced' } })
    const path = `/wallet/transactions?${wallet}&limit=100`
    const [one, other] = await Promise.all([ask('api', path), ask('api-2', path)])
    expect(one.status).toBe(200)
    expect((one.body['result'] as unknown[]).length).toBeGreaterThan(0)
    expect(other.body['result']).toEqual(one.body['result'])
  }
})

test('three workers ran the syncs on a real Temporal server with its tables in Postgres', async () => {
  const [stored] = await query<{ shards: number; histories: number }>(
    database('temporal'),
    `select (select count(*)::int from shards) as shards, (select count(distinct workflow_id)::int from executions
       where workflow_id like 'sync:%') as histories`,
  )
  expect(stored!.shards).toBe(512)
  expect(stored!.histories).toBeGreaterThanOrEqual(6)
  const connection = await Connection.connect({ address: run.temporalAddress })
  const { pollers } = await connection.workflowService.describeTaskQueue({
    namespace: 'default',
    taskQueue: { name: 'sluice' },
    taskQueueType: 2,
  })
  await connection.close()
  const polling = new Set(pollers!.map(({ identity }) => Number(identity!.split('@', 1)[0])))
  const workers = ['worker', 'worker-2', 'worker-3'].map((name) => run.children[name]!.pid)
  expect(polling).toEqual(new Set(workers))
})

test('calls paid at the gateway are settled on the chain', async () => {
  const command = sluiceOn({ SLUICE_HOME: sluice.home })
  for (let n = 1; n <= 3; n++) {
    const { status, stdout } = command('pay', `/coins?limit=${n}`, '--json')
    expect(status).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({ status: 200, receipt: { success: true } })
  }
  const payments = await query<{ state: string; n: number }>(
    database('sluice'),
    'select state, count(*)::int as n from payments group by state',
  )
  expect(payments).toEqual([{ state: 'settled', n: 3 }])
})

test('services connect to PgBouncer, operators to the database', () => {
  const env = serviceEnvironment({ run, secrets: readSecrets(sluice.home)! })
  const portOf = (name: string) => Number(new URL(env[name]!).port)
  for (const role of ['INGEST', 'API', 'METER', 'GATEWAY', 'ACCOUNT', 'CONSOLE'])
    expect(portOf(`${role}_DATABASE_URL`)).toBe(run.ports['pgbouncer'])
  expect(portOf('DATABASE_URL')).toBe(run.ports['postgres'])
})

test('Ctrl-C stops all parts', async () => {
  const marks = Object.values(run.children)
  await sluice.stop()
  for (let waited = 0; waited < 40 && marks.some(isRunning); waited++) await sleep(50)
  expect(marks.filter(isRunning)).toEqual([])
})
