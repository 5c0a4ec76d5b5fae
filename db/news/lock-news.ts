import { sql } from 'kysely'
import type { Transaction } from '../transact.ts'

/**
 * Until the end of the transaction nobody else stores or judges articles, or counts them for the anchors: what is read
 * of them after this is what is decided on. Take it before any row of an article.
 */
export async function lockNews({ db }: Pick<Transaction, 'db'>): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('news_anchors'))`.execute(db)
}
