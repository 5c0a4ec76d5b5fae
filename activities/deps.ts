import type pg from 'pg'
import type { Logger } from 'pino'
import type { Db } from '../db/connect.ts'
import type { IngestConfig } from './ingest-config.ts'
import type { HttpClient } from './http-client.ts'

/** What the activities of every area are made from. */
export interface ActivityDeps {
  db: Db
  /** The pool behind `db`, for transact() and COPY. */
  pool: pg.Pool
  http: HttpClient
  now: () => Date
  config: IngestConfig
  log: Logger
  /** Tells Temporal that the running activity gets on; does nothing outside of one. */
  heartbeat: () => void
}
