import pg from 'pg'
import { expect } from 'vitest'
import { query } from './query.ts'

/**
 * Runs `second` while another transaction has uncommitted `statements`. Commits once `second` waits for a
 * lock, and returns the result of `second`.
 */
export async function whileUncommitted<T>(
  ownerUrl: string,
  statements: string,
  second: () => Promise<T>,
): Promise<T> {
  const first = new pg.Client({ connectionString: ownerUrl })
  await first.connect()
  try {
    await first.query('begin')
    await first.query(statements)
    const result = second()
    result.catch(() => {})
    await expect.poll(() => query(ownerUrl, WAITING)).toHaveLength(1)
    await first.query('commit')
    return await result
  } finally {
    await first.end()
  }
}

const WAITING = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
