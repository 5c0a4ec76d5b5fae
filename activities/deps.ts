import type pg from 'pg'
import type { Logger } from 'pino'
import type { Db } from '../db/schema.ts'
import type { IngestConfig } from './ingest-config.ts'
import type { HttpClient } from './http-client.ts'
import type { NodeClients } from './nodes/rpc.ts'
import type { LoopDeps } from './pause.ts'

/** Dependencies of all activities. */
export interface ActivityDeps extends LoopDeps {
  db: Db
  /** The pool behind `db`, for transact() and COPY. */
  pool: pg.Pool
  http: HttpClient
  now: () => Date
  config: IngestConfig
  log: Logger
  /** Sends Temporal a heartbeat of the running activity. Does nothing outside of an activity. */
  heartbeat: () => void
}

/** For areas that read nodes: all of them share one pool for each network. */
export interface NodeDeps {
  nodes: NodeClients
}
