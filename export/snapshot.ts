import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { transact } from '../db/transact.ts'

/** One consistent state of all tables, on one connection. */
export interface Snapshot {
  client: pg.ClientBase
  /** RFC 3339 timestamp with microseconds, by the clock of the database. */
  exportedAt: string
  /** pg_current_snapshot() */
  snapshot: string
}

/** Fixes the state of all tables at one instant. Needs an open transaction without earlier queries. */
export async function takeSnapshot(client: pg.ClientBase): Promise<Snapshot> {
  await client.query('set transaction isolation level repeatable read, read only')
  // Makes the texts of COPY independent of the database's settings.
  await client.query(`set local datestyle to 'ISO'; set local timezone to 'UTC'; set local jit to off`)
  const { rows } = await client.query<Omit<Snapshot, 'client'>>(
    `select to_char(now() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as "exportedAt",
       pg_current_snapshot()::text as snapshot`,
  )
  return { client, ...rows[0]! }
}

/**
 * Keeps two exports from removing each other's files. The transaction holds it, so it ends with a killed
 * process.
 */
const LOCK = `hashtextextended('sluice export', 0)`
const WAIT_MS = 30_000
const LOOK_EVERY_MS = 500

/**
 * Runs `work` on a snapshot taken when no other export runs. Throws if another export runs for more than 30
 * s.
 */
export async function withExportSnapshot<T>(
  pool: pg.Pool,
  work: (snapshot: Snapshot) => Promise<T>,
): Promise<T> {
  for (const endMs = Date.now() + WAIT_MS; ; await sleep(LOOK_EVERY_MS)) {
    const done = await transact(pool, async ({ client }) => {
      const snapshot = await takeSnapshot(client)
      // During a long statement the server notices that the client is gone and releases the lock.
      await client.query(`set local client_connection_check_interval to '1s'`)
      // Does not wait for the lock, because the snapshot is already taken and would age.
      const { rows } = await client.query<{ held: boolean }>(
        `select pg_try_advisory_xact_lock(${LOCK}) as held`,
      )
      return rows[0]!.held ? { result: await work(snapshot) } : null
    })
    if (done) return done.result
    if (Date.now() > endMs) throw new Error('another export runs')
  }
}
