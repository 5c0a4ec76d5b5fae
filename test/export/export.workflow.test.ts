import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readWorkerConfig } from '../../activities/config.ts'
import { createExportActivities } from '../../activities/export/index.ts'
import { exportSchedule } from '../../activities/export-schedule.ts'
import { openDb } from '../../db/connect.ts'
import type { exportTables } from '../../workflows/export/export-tables.ts'
import { testDatabase } from '../setup/database.ts'
import { startWorker } from '../setup/worker.ts'
import { exportWorld } from './export-world.ts'

// The scheduled export on a real Temporal server.

const database = await testDatabase()
const world = await exportWorld(database)
const ingest = openDb({ url: database.ingestUrl, maxConnections: 2, applicationName: 'test' })
const folder = world.newFolder()
const environment = { INGEST_DATABASE_URL: database.ingestUrl, TEMPORAL_ADDRESS: 'unused:7233' }
const config = readWorkerConfig({ ...environment, EXPORT_TO: folder })
let worker: Awaited<ReturnType<typeof startWorker>>

beforeAll(async () => {
  const activities = createExportActivities({ ...ingest, config, now: () => new Date() })
  worker = await startWorker({ taskQueue: 'test-export', activities })
})
afterAll(async () => {
  await worker.stop()
  await ingest.close()
})

test('exports to the configured folder, and does nothing without one', async () => {
  const first = await worker.run<typeof exportTables>(exportSchedule.workflow)
  // The migrations inserted networks and protocols.
  expect(first?.written).toBeGreaterThan(0)
  expect(existsSync(join(folder, 'catalog.duckdb'))).toBe(true)
  expect((await world.verify(folder)).differences).toEqual([])

  expect(readWorkerConfig(environment).exportTarget).toBe(null)
  const off = createExportActivities({
    ...ingest,
    config: readWorkerConfig(environment),
    now: () => new Date(),
  })
  expect(await off.exportTables()).toBe(null)
})
