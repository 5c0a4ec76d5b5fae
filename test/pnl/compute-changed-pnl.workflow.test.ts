import { afterAll, expect, test } from 'vitest'
import { startLoops } from '../../activities/start-loops.ts'
import { startWorker } from '../setup/worker.ts'

const ID = 'compute-changed-pnl-test'
let rounds = 0
const ended = Promise.withResolvers<void>()
const worker = await startWorker({
  taskQueue: ID,
  activities: {
    computeChangedPnl: async () => {
      rounds++
      if (rounds > 2) await ended.promise
    },
  },
})
afterAll(async () => {
  await worker.client.workflow.getHandle(ID).terminate()
  ended.resolve()
  await worker.stop()
})

test('P&L is computed again when the time of a loop is over', async () => {
  const loops = [{ id: ID, workflow: 'computeChangedPnl' }]
  await startLoops({ client: worker.client, taskQueue: worker.taskQueue, loops, known: new Set() })
  await expect.poll(() => rounds, { timeout: 20_000 }).toBeGreaterThan(1)
})
