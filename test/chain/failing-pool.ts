import type pg from 'pg'

export class Killed extends Error {}

/**
 * A pool whose statements fail before they are sent, from number `failAt` on. It simulates a killed worker:
 * the connection is destroyed, so Postgres rolls back the open transaction.
 */
export function failingPool(pool: pg.Pool, failAt: number): pg.Pool {
  let statements = 0
  const guard = () => {
    if (++statements >= failAt) throw new Killed(`statement ${statements}`)
  }
  const proxy = {
    query: async (sql: string, values: unknown[]) => {
      guard()
      return await pool.query(sql, values)
    },
    connect: async () => {
      guard()
      const client = await pool.connect()
      const guarded = Object.create(client) as pg.PoolClient
      const query = client.query.bind(client) as (...input: unknown[]) => unknown
      guarded.query = ((...input: unknown[]) => {
        guard()
        return query(...input)
      }) as pg.PoolClient['query']
      guarded.release = () => client.release(statements >= failAt)
      return guarded
    },
  }
  return proxy as unknown as pg.Pool
}
