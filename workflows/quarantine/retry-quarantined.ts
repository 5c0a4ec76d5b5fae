import { ActivityFailure, proxyActivities } from '@temporalio/workflow'
import type { RetryActivities } from '../../activities/retry-quarantined.ts'
import { bulkLoad, quickCall } from '../policies.ts'

const { readRetry, settleRetry } = proxyActivities<RetryActivities>(quickCall)
// Somebody waits for it: they may ask again.
const again = proxyActivities<Record<string, (input: unknown) => Promise<unknown>>>({
  ...bulkLoad,
  retry: { ...bulkLoad.retry, maximumAttempts: 2 },
})

/**
 * Runs the activity that refused a row once more, with its input. `afresh`: what it would leave out because nothing has
 * changed is read as well. Its workflow id is `retry-quarantined:{id}:{milliseconds of the asking}`: one that is ending is not the
 * one that is asked for now.
 */
export async function retryQuarantined({ id }: { id: string }): Promise<void> {
  const retry = await readRetry({ id })
  if (!retry) return
  const input = { ...(retry.input as object | null), afresh: true }
  const failure = await again[retry.activity]!(input).then(
    () => null,
    (error: unknown) => {
      if (!(error instanceof ActivityFailure)) throw error
      return error.cause?.message ?? error.message
    },
  )
  await settleRetry({ id, askedAt: retry.askedAt, failure: failure?.slice(0, 300) ?? null })
}
