import { copyRows } from '../copy-rows.ts'
import type { Transaction } from '../transact.ts'

interface Trending {
  newsId: string
  score: number
}

/** Replaces the trending list. The first article has rank 1. */
export async function storeTrending(
  { client }: Pick<Transaction, 'client'>,
  { items, fetchedAt }: { items: readonly Trending[]; fetchedAt: Date },
): Promise<void> {
  await client.query('delete from news_trending')
  await copyRows(client, {
    table: 'news_trending',
    columns: ['rank', 'news_id', 'score', 'fetched_at'],
    key: ['rank'],
    rows: items.map(({ newsId, score }, index) => [index + 1, newsId, score, fetchedAt]),
  })
}
