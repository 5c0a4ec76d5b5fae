import { afterAll, beforeAll, expect, test } from 'vitest'
import { deliverWebhooks } from '../../activities/events/deliver-webhooks.ts'
import { startLoops } from '../../activities/start-loops.ts'
import { testDatabase } from '../setup/database.ts'
import { startWorker } from '../setup/worker.ts'
import { startReceiver } from './receiver.ts'
import { webhookWorld } from './webhook-world.ts'

const database = await testDatabase()
const receiver = await startReceiver()
const world = await webhookWorld(database, receiver)
let rounds = 0
const worker = await startWorker({
  taskQueue: 'deliver-webhooks-test',
  activities: {
    deliverWebhooks: async () => {
      rounds++
      await deliverWebhooks({ ...world.deps, lastsMs: 300 })
    },
  },
})
beforeAll(() =>
  world.ask(
    `create table account_events_of_test partition of account_events for values from ('2000-01-01') to ('2100-01-01')`,
  ),
)
afterAll(async () => {
  await worker.client.workflow.getHandle('deliver-webhooks-test').terminate()
  await worker.stop()
})

test('each worker starts the delivery, one runs, and it goes on when its time is over', async () => {
  const loops = [{ id: 'deliver-webhooks-test', workflow: 'deliverWebhooks' }]
  const { client, taskQueue } = worker
  await startLoops({ client, taskQueue, loops, known: new Set() })
  await startLoops({ client, taskQueue, loops, known: new Set() })
  await expect.poll(() => rounds).toBeGreaterThan(1)
  const endpoint = await world.newEndpoint({ accountId: await world.newAccount() })
  const seq = await world.publish(endpoint)
  await expect.poll(() => receiver.seqs()).toEqual([seq])
})
