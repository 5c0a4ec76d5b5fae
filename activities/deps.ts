import type { Logger } from 'pino'
import type { Db } from '../db/connect.ts'
import type { WorkerConfig } from './config.ts'
import type { HttpClient } from './http.ts'

/** What the activities of every area are made from. */
export interface ActivityDeps {
  db: Db
  http: HttpClient
  now: () => Date
  config: WorkerConfig
  log: Logger
}
