import { sql } from 'kysely'
import type { Transaction } from '../transact.ts'

/**
 * Until the transaction ends, no other transaction stores or delists coins, so rows read after this call stay
 * valid. Call it before locking any row.
 */
export async function lockCoins({ db }: Pick<Transaction, 'db'>): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('coins'))`.execute(db)
}
