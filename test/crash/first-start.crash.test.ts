import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client, Connection } from '@temporalio/client'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { FIRST_INGESTION } from '../../db/values/first-run.ts'
import { createRandom } from '../../sandbox/chain/random.ts'
import { differences, filledTables, type StoredTable, storedTables } from '../setup/stored-tables.ts'
import type { KeptAlive } from './keep-alive.ts'
import { startTopology, type Topology } from './topology.ts'

const SEED = Number(process.env['CRASH_SEED'] ?? 7)
/** Starts that run at the same time, so that their waits for lost activities overlap. */
const STARTS = 4
const KILLS_OF_EACH = 5
/** Time from start to kill: before the worker is ready, while it creates schedules, or during a first run. */
const LIVES_MS = { least: 300, most: 12_000 }

const folder = mkdtempSync(join(tmpdir(), 'sluice-first-start-'))
const log = (line: string) => console.log(`first start: ${line}`)
const begunAt = new Date()
let topology: Topology
let connection: Connection
let undisturbed: Map<string, StoredTable>
const disturbed: Map<string, StoredTable>[] = []
let kills = 0

beforeAll(async () => {
  topology = await startTopology(folder, log)
  connection = await Connection.connect({ address: `127.0.0.1:${topology.temporalPort}` })
  log(`seed ${SEED}`)
  await untilIngested('default')
  await topology.parts.worker.stop()
  undisturbed = await storedTables(topology.databaseUrl('sluice'), begunAt)
  log('the undisturbed start is complete')
  const names = Array.from({ length: STARTS }, (_, i) => `start${i + 1}`)
  const starts: Promise<void>[] = []
  // Create the databases one after the other, because they share the roles of the cluster.
  for (const [i, name] of names.entries())
    starts.push(disturbedStart(name, await topology.startAnother(name), SEED + i))
  await Promise.all(starts)
  for (const name of names) disturbed.push(await storedTables(topology.databaseUrl(name), begunAt))
}, 1_500_000)

afterAll(async () => {
  await connection?.close()
  await topology?.stop()
  rmSync(folder, { recursive: true, force: true })
})

/** Runs a first start and kills its worker repeatedly. */
async function disturbedStart(name: string, worker: KeptAlive, seed: number): Promise<void> {
  const random = createRandom(seed)
  for (let kill = 1; kill <= KILLS_OF_EACH; kill++) {
    const lifeMs = Math.round(random.between(LIVES_MS.least, LIVES_MS.most))
    await sleep(lifeMs)
    worker.kill()
    kills++
    log(`${name}: kill ${kill} after ${lifeMs} ms`)
    // The worker restarts after a moment.
    await sleep(300)
  }
  await untilIngested(name)
  await worker.stop()
  log(`${name} is complete`)
}

async function untilIngested(namespace: string): Promise<void> {
  const { workflow } = new Client({ connection, namespace })
  const handle = workflow.getHandle(FIRST_INGESTION)
  const isThere = () =>
    handle.describe().then(
      () => true,
      () => false,
    )
  for (let attempt = 0; attempt < 240 && !(await isThere()); attempt++) await sleep(500)
  const { failed } = (await handle.result()) as { failed: string[] }
  expect(failed).toEqual([])
}

test('A10 every first run succeeds despite 20 kills', () => {
  expect(kills).toBe(STARTS * KILLS_OF_EACH)
  expect(disturbed).toHaveLength(STARTS)
})

test('A10 every table that an undisturbed start fills has rows', () => {
  const filled = filledTables(undisturbed)
  expect(filled.length).toBeGreaterThan(50)
  for (const tables of disturbed) expect(filled.filter((name) => tables.get(name)!.rows === 0)).toEqual([])
})

test('A10 every table has the rows of an undisturbed start, except time-dependent ones', () => {
  expect(disturbed.map((tables) => differences(undisturbed, tables))).toEqual(disturbed.map(() => []))
})
