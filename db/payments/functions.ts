import type pg from 'pg'

/** Calls functions of the database by their names: each is a transaction of its own, prepared once per connection. */
export const functionsOf =
  (pool: pg.Pool) =>
  async <T extends pg.QueryResultRow>(name: string, values: readonly unknown[]): Promise<T[]> => {
    const places = values.map((_, i) => `$${i + 1}`).join(', ')
    return (await pool.query<T>({ name, text: `select * from ${name}(${places})`, values: [...values] })).rows
  }
