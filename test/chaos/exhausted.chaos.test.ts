import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, expect, test } from 'vitest'
import { freePort } from '../../cli/supervisor/free-port.ts'
import { httpAnswers } from '../../cli/supervisor/http-answers.ts'
import { startTemporaryPostgres } from '../../cli/postgres/temporary-postgres.ts'
import { ownerUrl } from '../../cli/postgres/postgres-service.ts'
import { openDb } from '../../db/connect.ts'
import { createAccount, createKey } from '../../db/metering/write.ts'
import { migrate } from '../../db/migrate.ts'
import { ROLE_PASSWORDS } from '../setup/database.ts'
import { CLIENTS, loadText, type Served, UNAVAILABLE, underLoad } from './under-load.ts'

// The API without free file descriptors, and without free connections to Postgres.

const DESCRIPTORS = 128
const IDLE_CLIENTS = 300
const LOCK_MS = 5_000
const log = (line: string) => console.log(`chaos: ${line}`)
const server = await startTemporaryPostgres()
const databaseUrl = ownerUrl({ ...server, database: 'postgres' })
await migrate({ databaseUrl, passwords: ROLE_PASSWORDS, log: () => {} })
const roleUrl = (role: string) => `postgres://${role}:${role}@127.0.0.1:${server.port}/postgres`
const owner = openDb({ url: databaseUrl, maxConnections: 1, applicationName: 'test' })
const { accountId } = await createAccount(owner.db, {
  name: 'test',
  plan: 'enterprise',
  requestsPerSecond: 100_000,
})
const { key } = await createKey(owner.db, { accountId, name: 'test' })
await owner.close()
const port = await freePort()
const child = spawn(
  'sh',
  [
    '-c',
    `ulimit -n ${DESCRIPTORS}; exec "$0" "$1"`,
    process.execPath,
    join(import.meta.dirname, '../../api/main.ts'),
  ],
  {
    env: {
      PATH: process.env['PATH'] ?? '',
      API_PORT: String(port),
      API_DATABASE_URL: roleUrl('api'),
      METER_DATABASE_URL: roleUrl('meter'),
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  },
)
const base = `http://127.0.0.1:${port}/v1`
for (let i = 0; i < 200 && !(await httpAnswers(`${base}/status`)); i++) await sleep(50)
afterAll(async () => {
  child.kill('SIGTERM')
  await once(child, 'exit')
  await server.stop()
})

const agents: Agent[] = []
afterAll(() => agents.forEach((agent) => agent.destroy()))

/** A client that keeps one connection open. */
function client(): (path: string, signal?: AbortSignal) => Promise<Served> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  agents.push(agent)
  return (path, signal) =>
    new Promise((resolve, reject) => {
      const startMs = performance.now()
      const options = { agent, headers: { 'x-api-key': key }, ...(signal && { signal }) }
      const asked = request(`${base}${path}`, options, (response) => {
        let text = ''
        response.on('data', (chunk: Buffer) => (text += chunk.toString()))
        response.once('error', reject)
        response.once('end', () =>
          resolve({ status: response.statusCode!, body: JSON.parse(text), ms: performance.now() - startMs }),
        )
      })
      asked.once('error', reject)
      asked.end()
    })
}

const descriptors = () => readdirSync(`/proc/${child.pid}/fd`).length

test(`A4 ${IDLE_CLIENTS} clients on ${DESCRIPTORS} file descriptors: no client hangs, health stays up, and the API recovers`, async () => {
  const connected = client()
  expect((await connected('/currencies')).status).toBe(200)
  const crowd = Array.from({ length: IDLE_CLIENTS }, client)
  const ends = await Promise.all(
    crowd.map(async (ask) => {
      const startMs = performance.now()
      const answer = await ask('/currencies', AbortSignal.timeout(10_000)).catch((error: Error) => error)
      return {
        status: answer instanceof Error ? (answer as { code?: string }).code : answer.status,
        ms: performance.now() - startMs,
      }
    }),
  )
  const counts: Record<string, number> = {}
  for (const { status } of ends) counts[String(status)] = (counts[String(status)] ?? 0) + 1
  const slowest = Math.max(...ends.map(({ ms }) => ms))
  log(`A4 ${descriptors()} descriptors in use; ${JSON.stringify(counts)}, slowest ${Math.round(slowest)} ms`)
  expect(slowest).toBeLessThan(2_000)
  expect(counts['200']).toBeGreaterThan(0)
  // Not all clients fit: the others got a clean refusal.
  expect(Object.keys(counts).filter((end) => !['200', '503', 'ECONNRESET', 'EPIPE'].includes(end))).toEqual(
    [],
  )
  expect(counts['200']).toBeLessThan(IDLE_CLIENTS)
  expect(await connected('/status')).toMatchObject({ status: 200, body: { status: 'ok' } })

  for (const agent of agents.splice(1)) agent.destroy()
  const startMs = performance.now()
  while ((await client()('/currencies').catch(() => null))?.status !== 200) await sleep(50)
  log(`A4 new clients get answers ${Math.round(performance.now() - startMs)} ms after the crowd has left`)
  expect(performance.now() - startMs).toBeLessThan(5_000)
})

test('A4 all read connections blocked by waiting statements: 503 within a second, health stays up, and the API recovers', async () => {
  const blocker = new pg.Client({ connectionString: databaseUrl })
  blocker.on('error', () => {})
  await blocker.connect()
  const clients = Array.from({ length: CLIENTS }, client)
  // Each request asks for a page of its own, because equal requests share one read, whose answer is kept.
  let pages = 0
  const ask = (signal: AbortSignal, one: number) => clients[one]!(`/coins?limit=5&page=${++pages}`, signal)
  const health = client()
  const healths: number[] = []
  const load = await underLoad(ask, async () => {
    await blocker.query('begin; lock table coins, coin_listings in access exclusive mode')
    // Shorter than the time limit of a read, so requests that hold a connection are answered in the end.
    for (const endMs = Date.now() + LOCK_MS; Date.now() < endMs; await sleep(200))
      healths.push((await health('/status')).ms)
    await blocker.query('commit')
  })
  await blocker.end()
  const slow = load.refused.filter(({ ms }) => ms > 1_300)
  log(`A4 ${loadText(load)}; health within ${Math.round(Math.max(...healths))} ms`)
  for (const { status, body } of load.refused)
    expect({ status, body }).toEqual({ status: 503, body: UNAVAILABLE })
  expect(load.broken).toEqual({})
  expect(load.refused.length).toBeGreaterThan(20)
  expect(slow).toEqual([])
  expect(Math.max(...healths)).toBeLessThan(1_000)
  const after = await underLoad(ask, () => sleep(500))
  expect(after.refused).toEqual([])
})
