import { Kysely, PostgresDialect } from 'kysely'
import type { ReadonlyKysely } from 'kysely/readonly'
import type pg from 'pg'
import type { Tracer } from '../ops/telemetry/tracer.ts'
import { endSilent, PatientPool } from './patient-pool.ts'
import { PreparingClient } from './preparing-client.ts'
import type { Database } from './schema.ts'
import { tracingClient, TracingPool } from './tracing-client.ts'

export type Db = Kysely<Database>
export type ReadonlyDb = ReadonlyKysely<Database>

export interface Connection<K> {
  db: K
  pool: pg.Pool
  close: () => Promise<void>
}

interface PoolOptions {
  url: string
  maxConnections: number
  applicationName: string
  /** Milliseconds the caller waits for a connection; absent: 2 s. */
  connectDeadlineMs?: number
  /** Milliseconds for which a connection may be in use, whatever the server does; absent: no limit. */
  answerDeadlineMs?: number
  /** After how much use of a connection the server is asked whether it is there, and how long it may take; absent: never. */
  silence?: { patienceMs: number; deadlineMs: number }
  /** Makes spans of the statements; absent or null: nobody does. */
  tracer?: Tracer | null
}

/**
 * Opens a pool. Numeric, bigint and timestamps come back as string, string and Date: nothing is rounded. Its sessions may
 * be those of a pooler, each for one transaction: nothing of ours outlives a transaction, and settings are the role's
 * (migrate.ts).
 */
export function openDb(options: PoolOptions): Connection<Db> {
  const { tracer } = options
  const Pool = tracer ? TracingPool : PatientPool
  const pool = new Pool({
    Client: tracer ? tracingClient(tracer) : PreparingClient,
    connectionString: options.url,
    max: options.maxConnections,
    application_name: options.applicationName,
    connectionTimeoutMillis: options.connectDeadlineMs ?? 2_000,
    ...(options.answerDeadlineMs !== undefined && { answerDeadlineMs: options.answerDeadlineMs }),
    idleTimeoutMillis: 30_000,
  })
  // Without a listener a connection that the server closes, idle or in use, ends the process. Its statement fails anyway.
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))
  const endWatch = options.silence && endSilent(pool, options.silence)
  const db = new Kysely<Database>({ dialect: new PostgresDialect({ pool }) })
  // A query builder that was never used does not end the pool by itself.
  const close = async (): Promise<void> => {
    await endWatch?.()
    await db.destroy()
    if (!pool.ended) await pool.end()
  }
  return { db, pool, close }
}

/** The same, typed so that writes do not compile. The role behind the URL denies them as well. */
export function openReadonlyDb(options: PoolOptions): Connection<ReadonlyDb> {
  return openDb(options) as unknown as Connection<ReadonlyDb>
}
