import { Kysely, PostgresDialect, PostgresQueryCompiler } from 'kysely'
import type pg from 'pg'
import type { Database, Db } from './schema.ts'

/** One open transaction, for the query builder and for COPY. */
export interface Transaction {
  db: Db
  client: pg.PoolClient
}

/** Runs `work` in one transaction. Statements through `db` and `client` commit together or not at all. */
export async function transact<T>(pool: pg.Pool, work: (transaction: Transaction) => Promise<T>): Promise<T> {
  const client = await pool.connect()
  // Errors of a client outside of the pool reach only this listener. The statement in flight fails as well.
  const ignore = (): void => {}
  client.on('error', ignore)
  let failure: Error | undefined
  try {
    await client.query('begin')
    const result = await work({ db: bindTo(client), client })
    await client.query('commit')
    return result
  } catch (error) {
    failure = error instanceof Error ? error : new Error(String(error))
    await client.query('rollback').then(
      () => (failure = undefined),
      () => {},
    )
    throw error
  } finally {
    client.off('error', ignore)
    // The pool discards a client that could not roll back.
    client.release(failure)
  }
}

// Keeps nothing between statements. Each new one binds 100 methods, which took a seventh of a follower's time.
const compiler = new PostgresQueryCompiler()

class BoundDialect extends PostgresDialect {
  override createQueryCompiler(): PostgresQueryCompiler {
    return compiler
  }
}

/** A query builder bound to this one connection, which it never releases. Statements that are sent together take turns. */
function bindTo(client: pg.PoolClient): Db {
  let last: Promise<unknown> = Promise.resolve()
  function inTurn(text: string | pg.Submittable, values?: unknown[]): unknown {
    // A cursor queues its parts itself.
    if (typeof text !== 'string') return client.query(text)
    const result = last.then(() => client.query(text, values))
    last = result.catch(() => {})
    return result
  }
  const bound = new Proxy(client, {
    get: (target, name) => {
      if (name === 'release') return () => {}
      if (name === 'query') return inTurn
      const value: unknown = Reflect.get(target, name)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
  const pool = { connect: () => Promise.resolve(bound), end: () => Promise.resolve(), options: {} }
  return new Kysely<Database>({ dialect: new BoundDialect({ pool }) })
}

export const UNIQUE_VIOLATION = '23505'
/** Deadlock: the statement was rolled back. */
export const DEADLOCK = '40P01'
/** The table does not exist. */
export const UNDEFINED_TABLE = '42P01'
/** A lock was not free within `lock_timeout`. */
export const LOCK_NOT_AVAILABLE = '55P03'
/** A concurrent transaction changed rows that this snapshot has read. */
export const SERIALIZATION_FAILURE = '40001'

/** The SQLSTATE of an error from Postgres, else undefined or another code. */
export const sqlStateOf = (error: unknown): unknown => (error as { code?: unknown }).code
