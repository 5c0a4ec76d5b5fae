import { readRetry, settleRetry } from '../db/sources/retries.ts'
import type { ActivityDeps } from './deps.ts'

/** Reads and records the retry of a quarantined row. The activity that quarantined it runs in between. */
export function createRetryActivities({ db }: Pick<ActivityDeps, 'db'>) {
  return {
    readRetry: (input: { id: string }) => readRetry(db, input),
    settleRetry: (input: Parameters<typeof settleRetry>[1]) => settleRetry(db, input),
  }
}

export type RetryActivities = ReturnType<typeof createRetryActivities>
