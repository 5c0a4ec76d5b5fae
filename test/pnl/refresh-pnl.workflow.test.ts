import { afterAll, beforeAll, expect, test } from 'vitest'
import { createPnlActivities } from '../../activities/pnl/index.ts'
import { openDb } from '../../db/connect.ts'
import { DAY_MS } from '../../db/values/periods.ts'
import type { refreshPnl } from '../../workflows/pnl/refresh-pnl.ts'
import { testDatabase } from '../setup/database.ts'
import { startWorker } from '../setup/worker.ts'
import { seedDailyPrices } from './world.ts'

const database = await testDatabase()
const { db, pool, close } = openDb({ url: database.ownerUrl, maxConnections: 4, applicationName: 'test' })
const MIDNIGHT_MS = Date.parse('2024-03-10')
const NOW = new Date(MIDNIGHT_MS + DAY_MS / 2)
let worker: Awaited<ReturnType<typeof startWorker>>

beforeAll(async () => {
  await pool.query('select ensure_price_partitions($1, $2)', [new Date(MIDNIGHT_MS - 3 * DAY_MS), NOW])
  await seedDailyPrices(pool, {
    coinIds: ['ethereum', 'bitcoin'],
    from: new Date(MIDNIGHT_MS - 2 * DAY_MS),
    to: NOW,
  })
  worker = await startWorker({
    taskQueue: 'test-refresh-pnl',
    activities: createPnlActivities({ db, pool, now: () => NOW }),
  })
})
afterAll(async () => {
  await worker.stop()
  await close()
})

test('a midnight of 2,000 books costs three Temporal events for each 500', async () => {
  await pool.query(
    `with made as (
       insert into books (wallet_id, network_id) select id, 'ethereum' from generate_series(1, 2000) as id returning id
     ), state as (insert into pl_states (book_id, computed_to) select id, $1 from made)
     insert into balance_days (book_id, coin_id, at, raw, decimals) select id, 'ethereum', $1, 3, 0 from made`,
    [new Date(MIDNIGHT_MS - DAY_MS)],
  )
  const run = await worker.client.workflow.start<typeof refreshPnl>('refreshPnl', {
    taskQueue: worker.taskQueue,
    workflowId: 'refresh-pnl-test',
    args: [{ limit: 1_000 }],
  })
  expect(await run.result()).toEqual({ computed: 2_000, failed: 0 })
  const { events } = await run.fetchHistory()
  const scheduled = events!.filter((event) => event.activityTaskScheduledEventAttributes)
  expect(scheduled).toHaveLength(2)
  // Start, end and the first decision of the workflow are not of the books.
  expect(events!.length - 5).toBe((3 * 2_000) / 500)
  const { rows } = await pool.query(
    `select count(*)::integer as days, count(distinct value_usd)::integer as values, min(at) as first from pl_days`,
  )
  expect(rows).toEqual([{ days: 2_000, values: 1, first: new Date(MIDNIGHT_MS) }])
})

test('nothing is done while nothing is due', async () => {
  expect(await worker.run<typeof refreshPnl>('refreshPnl', { limit: 1_000 })).toEqual({
    computed: 0,
    failed: 0,
  })
})
