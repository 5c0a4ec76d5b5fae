import { Kysely, PostgresDialect } from 'kysely'
import type pg from 'pg'
import type { Tracer } from '../ops/telemetry/tracer.ts'
import { endSilent, PatientPool } from './patient-pool.ts'
import { PreparingClient } from './preparing-client.ts'
import type { Database, Db, ReadonlyDb } from './schema.ts'
import { tracingClient, TracingPool } from './tracing-client.ts'

export interface Connection<K> {
  db: K
  pool: pg.Pool
  close: () => Promise<void>
}

interface PoolOptions {
  url: string
  maxConnections: number
  /**
   * Connections that stay open without work, with the plans of their statements; the others close after 30 s. Default:
   * none
   */
  warmConnections?: number
  applicationName: string
  /** Milliseconds that the caller waits for a connection. Default: 2 s */
  connectDeadlineMs?: number
  /** Milliseconds that a connection may be in use, whatever the server does. Absent: no limit */
  answerDeadlineMs?: number
  /**
   * After `patienceMs` of use of a connection the server is probed, with `deadlineMs` to answer. Absent: no
   * probes
   */
  silence?: { patienceMs: number; deadlineMs: number }
  /** Creates a span per statement. Absent or null: no tracing */
  tracer?: Tracer | null
}

/**
 * Opens a pool. Numeric, bigint and timestamps come back as string, string and Date, so nothing is rounded. A
 * transaction pooler may stand in between: no session state outlives a transaction, and settings belong to
 * the role (migrate.ts).
 */
export function openDb(options: PoolOptions): Connection<Db> {
  const { tracer } = options
  const Pool = tracer ? TracingPool : PatientPool
  const pool = new Pool({
    Client: tracer ? tracingClient(tracer) : PreparingClient,
    connectionString: options.url,
    max: options.maxConnections,
    min: options.warmConnections ?? 0,
    application_name: options.applicationName,
    connectionTimeoutMillis: options.connectDeadlineMs ?? 2_000,
    ...(options.answerDeadlineMs !== undefined && { answerDeadlineMs: options.answerDeadlineMs }),
    idleTimeoutMillis: 30_000,
  })
  // Without listeners, a connection that the server closes would crash the process. Its statement fails
  // anyway.
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))
  const endWatch = options.silence && endSilent(pool, options.silence)
  const db = new Kysely<Database>({ dialect: new PostgresDialect({ pool }) })
  // A query builder that was never used does not end the pool.
  const close = async (): Promise<void> => {
    await endWatch?.()
    await db.destroy()
    if (!pool.ended) await pool.end()
  }
  return { db, pool, close }
}

/** The same, typed so that writes do not compile. The role in the URL must deny them as well. */
export function openReadonlyDb(options: PoolOptions): Connection<ReadonlyDb> {
  return openDb(options) as unknown as Connection<ReadonlyDb>
}
