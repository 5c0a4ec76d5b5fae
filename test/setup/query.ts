import pg from 'pg'

/** Connections that stay open, by URL. */
const kept = new Map<string, pg.Pool>()

/** Runs one statement. The next one may run on another connection. */
export async function query<T extends pg.QueryResultRow>(
  url: string,
  sql: string,
  values: unknown[] = [],
): Promise<T[]> {
  const pool = kept.get(url)
  if (pool) return (await pool.query<T>(sql, values)).rows
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query<T>(sql, values)).rows
  } finally {
    await client.end()
  }
}

/** What one SQL expression is, such as a call of a function. */
export async function readResult(url: string, call: string, values: unknown[] = []): Promise<unknown> {
  const [row] = await query<{ result: unknown }>(url, `select ${call} as result`, values)
  return row!.result
}

/**
 * Keeps connections to this database open between statements, because a new one costs more than most of
 * them. Returns a function that closes them.
 */
export function keepConnections(url: string): () => Promise<void> {
  const pool = new pg.Pool({ connectionString: url })
  // A test may cut its connections; the next statement opens another.
  pool.on('error', () => {})
  kept.set(url, pool)
  return async () => {
    kept.delete(url)
    await pool.end()
  }
}
