import { AsyncLocalStorage } from 'node:async_hooks'

/** An activity that reads the same data again if it runs again with the same input. */
export interface Ingestion {
  activity: string
  input: unknown
  /** An operator requested the run to retry quarantined rows. */
  isRetry: boolean
}

/** The running activity, stored with the rows that it quarantines. The worker sets it. */
export const ingestion = new AsyncLocalStorage<Ingestion>()
