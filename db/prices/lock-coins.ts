import { sql } from 'kysely'
import type { Transaction } from '../transact.ts'

/**
 * Until the end of the transaction nobody else stores or judges coins: what is read of them after this is what is
 * decided on. Take it before any row.
 */
export async function lockCoins({ db }: Pick<Transaction, 'db'>): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('coins'))`.execute(db)
}
