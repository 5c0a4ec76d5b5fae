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
import { quantile, ratioOf, roundsOf, type Timed, type Turn, TURNS } from './noise-turns.ts'

// Own database and API. Measures response times, in turns beside an account that is silent, one within its
// rate, and one at thirty times its rate.

const LISTEN_MS = 180_000
const BEGIN_MS = 2_000
/** Requests per second that the noisy account is allowed (RATE) and sends (NOISE). */
const RATE = 10
const NOISE = 300
const CLIENTS = 2
const PAUSE_MS = 5
const run = promisify(execFile)
const folder = mkdtempSync(join(tmpdir(), 'sluice-noise-'))
const running: Running[] = []

/** If the system allows it, give this process and its children priority over other work on the machine. */
beforeAll(() => {
  try {
    setPriority(constants.priority.PRIORITY_HIGHEST)
  } catch {
    console.log('noise: cannot raise the priority, so other work on this machine affects the figures')
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
  // The test measures neighbours, not the disk. A shared disk sometimes stalls for a second, which gives a
  // 503.
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

/**
 * Sends requests one after the other with a pause and measures their milliseconds. A 503 counts as infinite.
 */
async function askQuietly(url: string, key: string, forMs: number): Promise<Timed[]> {
  const took: Timed[] = []
  const endMs = performance.now() + forMs
  while (performance.now() < endMs) {
    const [atMs, startMs] = [Date.now(), performance.now()]
    const response = await fetch(url, { headers: { 'x-api-key': key } })
    await response.arrayBuffer()
    // If disk or memory stalls for a second, the API promises a 503.
    expect([200, 503]).toContain(response.status)
    took.push({ atMs, ms: response.status === 200 ? performance.now() - startMs : Infinity })
    await sleep(PAUSE_MS)
  }
  return took
}

const noise = async (url: string, key: string) => {
  const file = join(import.meta.dirname, 'noise-client.ts')
  // The noise starts before the measurement and ends after it.
  const forMs = LISTEN_MS + 2 * BEGIN_MS
  const { stdout } = await run(process.execPath, [file, url, key, String(NOISE), String(forMs)])
  return Number(stdout)
}

const shown = ({ ratio, least, most }: ReturnType<typeof ratioOf>): string =>
  `${ratio.toFixed(2)} (${least.toFixed(2)} to ${most.toFixed(2)})`

test('R3 an account at thirty times its rate slows the p99 of others by less than a fifth', async () => {
  const { url, keys } = await startParts()
  await askQuietly(url, keys.quiet, 5_000)
  const heard = noise(url, keys.noisy)
  await sleep(BEGIN_MS)
  const took = (
    await Promise.all(Array.from({ length: CLIENTS }, () => askQuietly(url, keys.quiet, LISTEN_MS)))
  ).flat()
  const refused = await heard
  const rounds = Object.fromEntries(TURNS.map((turn) => [turn, roundsOf(took, turn)])) as Record<
    Turn,
    number[][]
  >
  const compared = [0.5, 0.9, 0.99].map((part) => ({
    part,
    overSilent: ratioOf(rounds.noisy, rounds.silent, part),
    overInRate: ratioOf(rounds.noisy, rounds['in rate'], part),
  }))
  console.log(
    `noise: ${refused} requests refused. Milliseconds of other accounts by quantile, and ratios with 90 % intervals:`,
  )
  console.table(
    compared.map(({ part, overSilent, overInRate }) => ({
      part,
      ...Object.fromEntries(TURNS.map((turn) => [turn, quantile(rounds[turn].flat(), part).toFixed(2)])),
      overSilent: shown(overSilent),
      overInRate: shown(overInRate),
    })),
  )
  // It is noisy a third of the time, and then all requests above its rate are refused.
  expect(refused).toBeGreaterThan(((NOISE - RATE) * LISTEN_MS * 0.3) / 1_000)
  for (const turn of TURNS) expect(rounds[turn].flat().length).toBeGreaterThan(1_000)
  // The slowest hundredth includes other load of the machine, so there only the lower bound of the ratio
  // counts.
  for (const { part, overSilent, overInRate } of compared)
    for (const { ratio, least } of [overSilent, overInRate])
      expect(part < 0.99 ? ratio : least).toBeLessThan(1.2)
}, 400_000)
