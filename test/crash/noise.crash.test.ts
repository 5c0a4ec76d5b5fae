import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { constants, setPriority, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ownerUrl, postgresService } from '../../cli/postgres/postgres-service.ts'
import { prepareCluster } from '../../cli/postgres/prepare-cluster.ts'
import { freePort } from '../../cli/supervisor/free-port.ts'
import { type Running, type ServiceSpec, startService } from '../../cli/supervisor/service.ts'
import { apiService } from '../../cli/supervisor/services.ts'
import { openDb } from '../../db/connect.ts'
import { createAccount, createKey } from '../../db/metering/write.ts'
import { migrate } from '../../db/migrate.ts'
import { ROLE_PASSWORDS } from '../setup/database.ts'
import { query } from '../setup/query.ts'
import { isSettled, TURNS, type Turn, turnAt } from './noise-turns.ts'

// A database and an API of its own. What is measured are milliseconds: by turns beside an account that is silent, one that
// keeps to its rate, and one that asks ten times as often.

const LISTEN_MS = 180_000
const BEGIN_MS = 2_000
/** Requests per second of the noisy account. */
const RATE = 30
const CLIENTS = 2
const PAUSE_MS = 5
const run = promisify(execFile)
const folder = mkdtempSync(join(tmpdir(), 'sluice-noise-'))
const running: Running[] = []

/** Where the system allows it, this process and all that it starts go before whatever else the machine does. */
beforeAll(() => {
  try {
    setPriority(constants.priority.PRIORITY_HIGHEST)
  } catch {
    console.log('noise: other work on this machine is in the figures')
  }
})
afterAll(async () => {
  for (const one of running.reverse()) await one.stop()
  rmSync(folder, { recursive: true, force: true })
})

async function up(spec: ServiceSpec): Promise<void> {
  const one = startService(spec, { onLine: () => {}, onSpawn: () => {}, onExit: () => {} })
  running.push(one)
  await one.ready
}

async function startParts() {
  const cluster = await prepareCluster({
    folder: join(folder, 'postgres'),
    ownerPassword: 'owner',
    log: () => {},
  })
  const [port, apiPort] = [await freePort(), await freePort()]
  await up(postgresService({ cluster, port, ownerPassword: 'owner' }))
  const databaseUrl = ownerUrl({ port, ownerPassword: 'owner', database: 'postgres' })
  // Neighbours are heard here, not the disk: one that is shared stands still for a second now and then, and that is a 503.
  await query(databaseUrl, 'alter system set fsync = off')
  await query(databaseUrl, 'select pg_reload_conf()')
  await migrate({ databaseUrl, passwords: ROLE_PASSWORDS, log: () => {} })
  const roleUrl = (role: string) => `postgres://${role}:${role}@127.0.0.1:${port}/postgres`
  const env = {
    PATH: process.env['PATH'] ?? '',
    API_PORT: String(apiPort),
    LOG_LEVEL: 'error',
    API_DATABASE_URL: roleUrl('api'),
    METER_DATABASE_URL: roleUrl('meter'),
  }
  await up(apiService({ port: apiPort, env }))
  const { db, close } = openDb({ url: databaseUrl, maxConnections: 1, applicationName: 'noise-test' })
  const newKey = async (requestsPerSecond: number) => {
    const limits = { creditsPerMonth: 1_000_000_000n, requestsPerSecond }
    const { accountId } = await createAccount(db, { name: 'noise', plan: 'enterprise', ...limits })
    return (await createKey(db, { accountId, name: 'noise' })).key
  }
  const keys = { quiet: await newKey(10_000), noisy: await newKey(RATE) }
  await close()
  return { url: `http://127.0.0.1:${apiPort}/v1/currencies`, keys }
}

/** Requests one after the other with a pause between them, and how many milliseconds each took. */
async function askQuietly(url: string, key: string, forMs: number): Promise<{ atMs: number; ms: number }[]> {
  const took: { atMs: number; ms: number }[] = []
  const endMs = performance.now() + forMs
  while (performance.now() < endMs) {
    const [atMs, startMs] = [Date.now(), performance.now()]
    const response = await fetch(url, { headers: { 'x-api-key': key } })
    await response.arrayBuffer()
    expect(response.status).toBe(200)
    took.push({ atMs, ms: performance.now() - startMs })
    await sleep(PAUSE_MS)
  }
  return took
}

const noise = async (url: string, key: string) => {
  const file = join(import.meta.dirname, 'noise-client.ts')
  // It begins before it is listened to and ends after it.
  const forMs = LISTEN_MS + 2 * BEGIN_MS
  const { stdout } = await run(process.execPath, [file, url, key, String(10 * RATE), String(forMs)])
  return Number(stdout)
}

const quantile = (sorted: readonly number[], part: number): number =>
  sorted[Math.floor(sorted.length * part)]!

test('R3 an account at ten times its rate moves the p99 of others by less than a fifth', async () => {
  const { url, keys } = await startParts()
  await askQuietly(url, keys.quiet, 5_000)
  const heard = noise(url, keys.noisy)
  await sleep(BEGIN_MS)
  const took = (
    await Promise.all(Array.from({ length: CLIENTS }, () => askQuietly(url, keys.quiet, LISTEN_MS)))
  ).flat()
  const refused = await heard
  const times = (turn: Turn) =>
    took
      .filter(({ atMs }) => isSettled(atMs) && turnAt(atMs) === turn)
      .map(({ ms }) => ms)
      .toSorted((a, b) => a - b)
  console.log(`noise: ${refused} requests refused; milliseconds of those beside them:`)
  console.table(
    TURNS.map((turn) => {
      const [p50, p90, p99] = [0.5, 0.9, 0.99].map((part) => quantile(times(turn), part).toFixed(2))
      return { turn, requests: times(turn).length, p50, p90, p99 }
    }),
  )
  const p99 = (turn: Turn) => quantile(times(turn), 0.99)
  // Of ten requests nine are refused, in a third of the time.
  expect(refused).toBeGreaterThan((9 * RATE * LISTEN_MS * 0.3) / 1_000)
  expect(Math.min(...TURNS.map((turn) => times(turn).length))).toBeGreaterThan(1_000)
  expect(p99('noisy') / p99('in rate')).toBeLessThan(1.2)
  expect(p99('noisy') / p99('silent')).toBeLessThan(1.2)
}, 400_000)
