import type pg from 'pg'
import type { Logger } from 'pino'
import type { Db } from '../db/schema.ts'
import type { IngestConfig } from './ingest-config.ts'
import type { HttpClient } from './http-client.ts'
import type { NodeClients } from './nodes/rpc.ts'

/** Dependencies of all activities. */
export interface ActivityDeps {
  db: Db
  /** The pool behind `db`, for transact() and COPY. */
  pool: pg.Pool
  http: HttpClient
  now: () => Date
  config: IngestConfig
  log: Logger
  /** Sends Temporal a heartbeat of the running activity. Does nothing outside of an activity. */
  heartbeat: () => void
  /** Aborts when the worker begins to end, and with it the loops. Absent: loops end by their time alone. */
  ending?: AbortSignal
  /** Pauses a loop for milliseconds, on a clock that is not the machine's. */
  wait?: (ms: number) => Promise<void>
}

/** For areas that read nodes: all of them share one pool for each network. */
export interface NodeDeps {
  nodes: NodeClients
}
