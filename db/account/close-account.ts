import type pg from 'pg'

/** Closes an account for good; see functions/close_account.sql. */
export async function closeAccount(pool: pg.Pool, accountId: string): Promise<void> {
  await pool.query('select close_account($1)', [accountId])
}
