import { sql } from 'kysely'
import type { Transaction } from '../transact.ts'

/**
 * Until the transaction ends, no other transaction stores, analyses or counts articles, so rows read after
 * this call stay valid. Call it before locking any row of an article.
 */
export async function lockNews({ db }: Pick<Transaction, 'db'>): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('news_anchors'))`.execute(db)
}
