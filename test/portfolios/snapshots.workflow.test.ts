import { afterAll, beforeAll, expect, test } from 'vitest'
import { createPnlActivities } from '../../activities/pnl/index.ts'
import { getSnapshotItems } from '../../api/portfolios/get-snapshot-items.ts'
import { routes } from '../../api/routes.ts'
import { openDb } from '../../db/connect.ts'
import type { refreshPnl } from '../../workflows/pnl/refresh-pnl.ts'
import type { snapshotPortfolios } from '../../workflows/pnl/snapshot-portfolios.ts'
import { startApi } from '../setup/api.ts'
import { testDatabase } from '../setup/database.ts'
import { endpoint } from '../setup/endpoint.ts'
import { startWorker } from '../setup/worker.ts'
import { at, insertMarket, portfolioWorld } from './portfolio-world.ts'

// From manual transactions to the endpoint, on the real Temporal server.

const database = await testDatabase()
const clock = { now: at('10T00:30:00') }
const api = await startApi({ database, routes, overrides: { now: () => clock.now } })
const ingest = openDb({ url: database.ingestUrl, maxConnections: 4, applicationName: 'test' })
const world = portfolioWorld(database, { db: api.owner }, ingest)
const { key, accountId } = await api.newAccount()
let worker: Awaited<ReturnType<typeof startWorker>>

beforeAll(async () => {
  await insertMarket(api.owner, database.ownerUrl)
  worker = await startWorker({
    taskQueue: 'test-snapshots',
    activities: createPnlActivities({ ...ingest, now: () => clock.now }),
  })
})

afterAll(async () => {
  await worker.stop()
  await ingest.close()
})

test('a first computation writes the past snapshots, and each midnight follows an hour later', async () => {
  const id = await world.manualPortfolio(accountId, [])
  await world.note(id, [{ at: at('07T06:00:00'), coinId: 'bitcoin', count: 1, priceUsd: 56_000 }])
  const items = async () => {
    const { body } = await endpoint(api, { route: getSnapshotItems, key })('/portfolio/snapshot/items')
    return body.result.map((one: any) => [one.date.slice(8, 10), one.totalBalance])
  }
  expect(await items()).toEqual([])
  const limits = { limit: 10 }
  expect(await worker.run<typeof refreshPnl>('refreshPnl', limits)).toMatchObject({ failed: 0 })
  const past = [
    ['08', 57_000],
    ['09', 58_000],
  ]
  expect(await items()).toEqual(past)
  expect(await worker.run<typeof snapshotPortfolios>('snapshotPortfolios', { limit: 10 })).toEqual({
    written: 0,
    failed: 0,
  })
  clock.now = at('10T01:00:00')
  expect(await worker.run<typeof snapshotPortfolios>('snapshotPortfolios', { limit: 10 })).toEqual({
    written: 1,
    failed: 0,
  })
  expect(await items()).toEqual([...past, ['10', 59_000]])
})
