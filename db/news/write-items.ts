import { copyRows } from '../copy-rows.ts'
import type { Transaction } from '../transact.ts'
import { NEWS_LIST_NAMES } from './lists.ts'
import { lockNews } from './lock-news.ts'
import type { NewsItem } from './tables.ts'
import { rebuildAnchors } from './write-anchors.ts'

/** An article to store; `reactions` by kind. */
export type NewsRow = Omit<NewsItem, 'picked_at' | 'keywords' | 'coin_ids' | 'reactions'> & {
  keywords: string[]
  coin_ids: string[]
  reactions: Record<string, number>
}

const CONTENT = [
  'link',
  'title',
  'summary',
  'image_url',
  'image_width',
  'keywords',
  'has_content',
  'reactions',
] as const satisfies readonly (keyof NewsRow)[]
const ANALYSIS = [
  'coin_ids',
  'sentiment',
  'sentiment_score',
  'analysis',
] as const satisfies readonly (keyof NewsRow)[]

/**
 * Stores articles and updates the lists in the same transaction. A stored article gets the publisher's
 * changes but keeps its time. `onlyNew` leaves stored articles unchanged. Returns the number of new or
 * changed articles.
 */
export async function storeNews(
  transaction: Transaction,
  rows: readonly NewsRow[],
  { onlyNew = false }: { onlyNew?: boolean } = {},
): Promise<number> {
  if (rows.length === 0) return 0
  const { client } = transaction
  const columns = ['id', 'source', ...CONTENT, ...ANALYSIS, 'published_at', 'fetched_at'] as const
  await lockNews(transaction)
  const before = await readMembership(transaction, rows)
  const changed = await copyRows(client, {
    table: 'news_items',
    columns,
    key: ['id'],
    update: onlyNew ? [] : [...CONTENT, ...ANALYSIS],
    stamp: ['fetched_at'],
    rows: rows.map((row) =>
      columns.map((name) => (name === 'reactions' ? JSON.stringify(row.reactions) : row[name])),
    ),
  })
  const moved = rows.flatMap((row) => {
    const stored = before.get(row.id)
    if (stored === undefined) return [row.published_at.getTime()]
    return onlyNew || stored.sentiment === row.sentiment ? [] : [stored.published_at.getTime()]
  })
  if (moved.length > 0)
    await rebuildAnchors(transaction, { lists: NEWS_LIST_NAMES, from: new Date(Math.min(...moved)) })
  return changed
}

async function readMembership({ db }: Transaction, rows: readonly NewsRow[]) {
  const stored = await db
    .selectFrom('news_items')
    .select(['id', 'sentiment', 'published_at'])
    .where(
      'id',
      'in',
      rows.map(({ id }) => id),
    )
    .execute()
  return new Map(stored.map((row) => [row.id, row]))
}
