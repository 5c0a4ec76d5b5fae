import type pg from 'pg'

/** Calls database functions by name. Each call is its own transaction and is prepared once per connection. */
export const functionsOf =
  (pool: pg.Pool) =>
  async <T extends pg.QueryResultRow>(name: string, values: readonly unknown[]): Promise<T[]> => {
    const places = values.map((_, i) => `$${i + 1}`).join(', ')
    return (await pool.query<T>({ name, text: `select * from ${name}(${places})`, values: [...values] })).rows
  }
