import type pg from 'pg'

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

/** Two exports would remove each other's files. Held by the session: it ends with a process that is killed. */
const LOCK = `hashtextextended('sluice export', 0)`

/** Runs `work` on a snapshot that is taken once no other export runs. */
export async function withExportSnapshot<T>(
  pool: pg.Pool,
  work: (snapshot: Snapshot) => Promise<T>,
): Promise<T> {
  const client = await pool.connect()
  let failure: Error | undefined
  // An error while the client is out of the pool reaches only this listener; the statement in flight fails as well.
  client.on('error', () => {})
  try {
    // The server notices a process that is gone in the middle of a long statement, and lets go of the lock.
    await client.query(`set client_connection_check_interval to '1s'; set lock_timeout to '30s'`)
    await client.query(`select pg_advisory_lock(${LOCK})`)
    await client.query('begin')
    const result = await work(await takeSnapshot(client))
    await client.query('commit')
    return result
  } catch (error) {
    failure = error instanceof Error ? error : new Error(String(error))
    throw error
  } finally {
    // The session has settings and a lock of its own: it is not handed to the next caller.
    client.release(failure ?? true)
  }
}
