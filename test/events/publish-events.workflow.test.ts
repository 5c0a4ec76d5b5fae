import { afterAll, expect, test } from 'vitest'
import { decidePortfolioAlerts } from '../../activities/events/decide-portfolio-alerts.ts'
import { publishLoop } from '../../activities/events/publish-loop.ts'
import { startLoops } from '../../activities/start-loops.ts'
import { dropOldEvents } from '../../db/events/drop-old-events.ts'
import { openDb } from '../../db/connect.ts'
import { createAccount } from '../../db/metering/write.ts'
import { testDatabase } from '../setup/database.ts'
import { query } from '../setup/query.ts'
import type { dropOldEvents as workflow } from '../../workflows/events/drop-old-events.ts'
import { startWorker } from '../setup/worker.ts'

const database = await testDatabase()
const { db, pool, close } = openDb({ url: database.ingestUrl, maxConnections: 2, applicationName: 'test' })
const owner = openDb({ url: database.ownerUrl, maxConnections: 1, applicationName: 'test' })
let rounds = 0
let looks = 0
const worker = await startWorker({
  taskQueue: 'publish-events-test',
  activities: {
    dropOldEvents: () => dropOldEvents(pool),
    decidePortfolioAlerts: async () => {
      looks++
      await decidePortfolioAlerts({ db, now: () => new Date(), lastsMs: 100 })
    },
    publishEvents: async () => {
      rounds++
      await publishLoop({ pool, lastsMs: 300 })
    },
  },
})
afterAll(async () => {
  for (const id of ['publish-events-test', 'decide-portfolio-alerts-test'])
    await worker.client.workflow.getHandle(id).terminate()
  await worker.stop()
  await Promise.all([close(), owner.close()])
})

test('each worker starts the publisher, one runs, and it goes on when its time is over', async () => {
  const loops = [{ id: 'publish-events-test', workflow: 'publishEvents' }]
  const { client, taskQueue } = worker
  await startLoops({ client, taskQueue, loops, known: new Set() })
  await startLoops({ client, taskQueue, loops, known: new Set() })
  await expect.poll(() => rounds, { timeout: 20_000 }).toBeGreaterThan(1)
  const { accountId } = await createAccount(owner.db, { name: 'test', plan: 'free' })
  await query(
    database.ownerUrl,
    `insert into event_sources (kind, account_id, payload) values ('test.ping', '${accountId}', '{"endpointId":"x"}')`,
  )
  const types = () => query(database.ownerUrl, 'select type from account_events')
  await expect.poll(types, { timeout: 20_000 }).toEqual([{ type: 'test.ping' }])
})

test('each worker starts the decisions on alerts about portfolios, and they go on when their time is over', async () => {
  const loops = [{ id: 'decide-portfolio-alerts-test', workflow: 'decidePortfolioAlerts' }]
  const { client, taskQueue } = worker
  await startLoops({ client, taskQueue, loops, known: new Set() })
  await startLoops({ client, taskQueue, loops, known: new Set() })
  await expect.poll(() => looks, { timeout: 20_000 }).toBeGreaterThan(1)
})

test('old events are dropped on a schedule', async () => {
  expect(await worker.run<typeof workflow>('dropOldEvents')).toEqual({ gone: 0 })
})
