import { afterAll, beforeEach, expect, test } from 'vitest'
import { FOLLOW_QUEUE } from '../../db/values/task-queues.ts'
import type { deriveWallets } from '../../workflows/chain/derive-wallets.ts'
import type { followNetwork } from '../../workflows/chain/follow-network.ts'
import type { verifyWallets } from '../../workflows/chain/verify-wallets.ts'
import { startWorker } from '../setup/worker.ts'

let asked: string[] = []
const verified: unknown[] = []
const derived: unknown[] = []
let ends: ('again' | 'off' | 'unset')[] = []
// Workflows and activities share the queue of loops: the test has one worker.
const worker = await startWorker({
  taskQueue: FOLLOW_QUEUE,
  activities: {
    followHead: async ({ networkId }: { networkId: string }) => {
      asked.push(networkId)
      return ends.shift() ?? 'unset'
    },
    deriveWallets: async (lane: unknown) => {
      derived.push(lane)
      return ends.shift() ?? 'unset'
    },
    markWalletsToVerify: async (input: unknown) => {
      verified.push(input)
    },
  },
})
afterAll(() => worker.stop())
beforeEach(() => {
  asked = []
})

test('loops end and begin again in one history, until the worker is not set to follow the network', async () => {
  ends = ['again', 'again', 'unset']
  await worker.run<typeof followNetwork>('followNetwork', { networkId: 'ethereum' })
  expect(asked).toEqual(['ethereum', 'ethereum', 'ethereum'])
})

test('after a day of loops the history begins anew', async () => {
  ends = Array.from({ length: 25 }, () => 'again' as const)
  await worker.run<typeof followNetwork>('followNetwork', { networkId: 'ethereum' })
  expect(asked).toHaveLength(26)
})

test('a network whose node refuses is tried again ten minutes later, not at once', async () => {
  ends = ['off']
  const handle = await worker.client.workflow.start('followNetwork', {
    taskQueue: FOLLOW_QUEUE,
    workflowId: 'follow-refused',
    args: [{ networkId: 'ethereum' }],
  })
  const timers = async () => {
    const { events } = await handle.fetchHistory()
    return events?.flatMap(
      ({ timerStartedEventAttributes: timer }) => timer?.startToFireTimeout?.seconds ?? [],
    )
  }
  await expect.poll(timers, { timeout: 30_000 }).toEqual([expect.objectContaining({ low: 600 })])
  expect(asked).toEqual(['ethereum'])
  await handle.terminate()
})

test('the followed wallets of a request are marked by one activity', async () => {
  const input = { wallets: [{ address: '0x1', networkId: 'ethereum' }] }
  await worker.run<typeof verifyWallets>('verifyWallets', input)
  expect(verified).toEqual([input])
})

test('touched wallets are derived by loops in one history, until the worker follows no network', async () => {
  ends = ['again', 'unset']
  const lane = { lane: 1, lanes: 2 }
  await worker.run<typeof deriveWallets>('deriveWallets', lane)
  expect(derived).toEqual([lane, lane])
})
