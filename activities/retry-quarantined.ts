import { readRetry, settleRetry } from '../db/sources/retries.ts'
import type { ActivityDeps } from './deps.ts'

/** What an operator's retry of a quarantined row needs beside the activity that refused it. */
export function createRetryActivities({ db }: Pick<ActivityDeps, 'db'>) {
  return {
    readRetry: (input: { id: string }) => readRetry(db, input),
    settleRetry: (input: Parameters<typeof settleRetry>[1]) => settleRetry(db, input),
  }
}

export type RetryActivities = ReturnType<typeof createRetryActivities>
