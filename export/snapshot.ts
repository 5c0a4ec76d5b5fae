import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { transact } from '../db/transact.ts'

/** One consistent state of all tables, on one connection. */
export interface Snapshot {
  client: pg.ClientBase
  /** By the clock of the database, with microseconds: as an RFC 3339 timestamp. */
  exportedAt: string
  /** pg_current_snapshot() */
  snapshot: string
}

/** Reads all tables as they are at one instant. Needs an open transaction in which nothing was asked yet. */
export async function takeSnapshot(client: pg.ClientBase): Promise<Snapshot> {
  await client.query('set transaction isolation level repeatable read, read only')
  // The texts that COPY sends, whatever the database is set to.
  await client.query(`set local datestyle to 'ISO'; set local timezone to 'UTC'; set local jit to off`)
  const { rows } = await client.query<Omit<Snapshot, 'client'>>(
    `select to_char(now() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as "exportedAt",
       pg_current_snapshot()::text as snapshot`,
  )
  return { client, ...rows[0]! }
}

/** Two exports would remove each other's files. Held by the transaction: it ends with a process that is killed. */
const LOCK = `hashtextextended('sluice export', 0)`
const WAIT_MS = 30_000
const LOOK_EVERY_MS = 500

/** Runs `work` on a snapshot that is taken once no other export runs. Throws when one runs for longer than 30 s. */
export async function withExportSnapshot<T>(
  pool: pg.Pool,
  work: (snapshot: Snapshot) => Promise<T>,
): Promise<T> {
  for (const endMs = Date.now() + WAIT_MS; ; await sleep(LOOK_EVERY_MS)) {
    const done = await transact(pool, async ({ client }) => {
      const snapshot = await takeSnapshot(client)
      // The server notices a process that is gone in the middle of a long statement, and lets go of the lock.
      await client.query(`set local client_connection_check_interval to '1s'`)
      // To wait for it would take time from the snapshot, which is there already.
      const { rows } = await client.query<{ held: boolean }>(
        `select pg_try_advisory_xact_lock(${LOCK}) as held`,
      )
      return rows[0]!.held ? { result: await work(snapshot) } : null
    })
    if (done) return done.result
    if (Date.now() > endMs) throw new Error('another export runs')
  }
}
