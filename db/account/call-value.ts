import type pg from 'pg'

/** Calls a function that returns one value. `call`: its name with its parameters. */
export async function callValue<T>(pool: pg.Pool, call: string, values: readonly unknown[]): Promise<T> {
  const { rows } = await pool.query<{ value: T }>(`select ${call} as value`, [...values])
  return rows[0]!.value
}
