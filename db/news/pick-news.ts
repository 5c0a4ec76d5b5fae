import { sql } from 'kysely'
import type { Transaction } from '../transact.ts'
import { lockNews } from './lock-news.ts'
import { rebuildAnchors } from './write-anchors.ts'

/**
 * Adds an article to the handpicked list at `at`, or removes it (null). Returns false for an unknown article.
 */
export async function pickNews(
  transaction: Transaction,
  { id, at }: { id: string; at: Date | null },
): Promise<boolean> {
  await lockNews(transaction)
  const { rows } = await sql<{ published_at: Date }>`
    update news_items set picked_at = ${at} where id = ${id} returning published_at`.execute(transaction.db)
  const row = rows[0]
  if (!row) return false
  await rebuildAnchors(transaction, { lists: ['handpicked'], from: row.published_at })
  return true
}
