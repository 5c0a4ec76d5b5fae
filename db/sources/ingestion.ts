import { AsyncLocalStorage } from 'node:async_hooks'

/** An activity that reads the same again when it is run again with its input. */
export interface Ingestion {
  activity: string
  input: unknown
  /** An operator has asked for it, because of rows that it refused. */
  isRetry: boolean
}

/** The activity that is running: rows that it refuses are kept with it. The worker sets it. */
export const ingestion = new AsyncLocalStorage<Ingestion>()
