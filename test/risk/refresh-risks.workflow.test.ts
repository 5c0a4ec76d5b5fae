import { ApplicationFailure } from '@temporalio/common'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { CheckResult } from '../../activities/risk/check-tokens.ts'
import type { RiskToken } from '../../db/risk/chains.ts'
import type { refreshRisks } from '../../workflows/risk/refresh-risks.ts'
import { startWorker } from '../setup/worker.ts'

const token: RiskToken = { blockchain: 'ethereum', address: `0x${'ab'.repeat(20)}` }
const mint: RiskToken = { blockchain: 'solana', address: 'So11111111111111111111111111111111111111112' }
const checked: string[] = []
let worker: Awaited<ReturnType<typeof startWorker>>

beforeAll(async () => {
  worker = await startWorker({
    taskQueue: 'risk-away-test',
    activities: {
      listDueTokens: async () => [token, mint],
      // The last failure of those that Temporal tries again.
      async checkTokens({ tokens }: { tokens: RiskToken[] }): Promise<CheckResult> {
        if (tokens.some(({ blockchain }) => blockchain === 'ethereum'))
          throw ApplicationFailure.nonRetryable('goplus: fetch failed', 'SourceUnavailable')
        checked.push(...tokens.map(({ address }) => address))
        return { checked: tokens.length, known: tokens.length, quarantined: 0 }
      },
    },
  })
})
afterAll(() => worker.stop())

test('while the source of one network is away, tokens of the others are checked, and the run names the cause', async () => {
  await expect(worker.run<typeof refreshRisks>('refreshRisks')).rejects.toMatchObject({
    cause: { message: '1 of 2 networks could not be checked: goplus: fetch failed' },
  })
  expect(checked).toEqual([mint.address])
})
