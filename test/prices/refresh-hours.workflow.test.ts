import { ApplicationFailure } from '@temporalio/common'
import { expect, onTestFinished, test } from 'vitest'
import type { refreshHours } from '../../workflows/prices/refresh-hours.ts'
import { startWorker } from '../setup/worker.ts'

test('hours that no source gives do not stop the days and scores of other coins', async () => {
  const done: string[] = []
  const note = (name: string) => async () => void done.push(name)
  const worker = await startWorker({
    taskQueue: 'hours-test',
    activities: {
      appendQuotedHour: async () => 3,
      listLaggingCoins: async () => ['delisted'],
      fillHistory: () => Promise.reject(ApplicationFailure.nonRetryable('no source', 'SourceUnavailable')),
      appendDay: note('days'),
      scoreCoins: note('scores'),
    },
  })
  onTestFinished(worker.stop)
  await expect(worker.run<typeof refreshHours>('refreshHours')).rejects.toMatchObject({
    cause: { message: '1 of 4 steps failed. repairs: no source' },
  })
  expect(done).toEqual(['days', 'scores'])
})
