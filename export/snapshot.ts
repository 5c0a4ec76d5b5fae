import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { type Transaction, transact } from '../db/transact.ts'

/** One consistent state of all tables, on one connection. */
export interface Snapshot {
  client: pg.ClientBase
  /** RFC 3339 timestamp with microseconds, by the clock of the database. */
  exportedAt: string
  /** pg_current_snapshot() */
  snapshot: string
}

/** Makes the texts of COPY independent of the database's settings. */
const TEXTS_OF_COPY = `set local datestyle to 'ISO'; set local timezone to 'UTC'; set local jit to off`

/** Fixes the state of all tables at one instant. Needs an open transaction without earlier queries. */
export async function takeSnapshot(client: pg.ClientBase): Promise<Snapshot> {
  await client.query('set transaction isolation level repeatable read, read only')
  await client.query(TEXTS_OF_COPY)
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
export const withExportSnapshot = <T>(pool: pg.Pool, work: (snapshot: Snapshot) => Promise<T>): Promise<T> =>
  inTurn(pool, ({ client }) => takeSnapshot(client), work)

/**
 * Runs `work` in one transaction in which no export runs, for what writes into the place of the exports. Throws if
 * another runs for more than 30 s.
 */
export const withExportTurn = <T>(
  pool: pg.Pool,
  work: (transaction: Transaction) => Promise<T>,
): Promise<T> =>
  inTurn(
    pool,
    async (transaction) => {
      await transaction.client.query(TEXTS_OF_COPY)
      return transaction
    },
    work,
  )

async function inTurn<Begun extends { client: pg.ClientBase }, T>(
  pool: pg.Pool,
  begin: (transaction: Transaction) => Promise<Begun>,
  work: (begun: Begun) => Promise<T>,
): Promise<T> {
  for (const endMs = Date.now() + WAIT_MS; ; await sleep(LOOK_EVERY_MS)) {
    const done = await transact(pool, async (transaction) => {
      const begun = await begin(transaction)
      const { client } = begun
      // During a long statement the server notices that the client is gone and releases the lock.
      await client.query(`set local client_connection_check_interval to '1s'`)
      // Does not wait for the lock, because a snapshot is already taken and would age.
      const { rows } = await client.query<{ held: boolean }>(
        `select pg_try_advisory_xact_lock(${LOCK}) as held`,
      )
      return rows[0]!.held ? { result: await work(begun) } : null
    })
    if (done) return done.result
    if (Date.now() > endMs) throw new Error('another export runs')
  }
}
