import type { Transaction } from '../transact.ts'
import { NEWS_LISTS, type NewsList } from './lists.ts'

/** Rows between two anchors: the most rows that a page may have to skip. */
const SPACING = 25

/**
 * Rebuilds the anchors of the lists from an instant on, after rows of that time or later were added, removed
 * or moved to another list. News usually arrive at the end, so this reads little; an old article moves all
 * newer anchors. Call it under `lockNews`: two concurrent writers would count each other's rows twice or not
 * at all.
 */
export async function rebuildAnchors(
  { client }: Pick<Transaction, 'client'>,
  { lists, from }: { lists: readonly NewsList[]; from: Date },
): Promise<void> {
  for (const list of lists) {
    await client.query('delete from news_anchors where list = $1 and published_at >= $2', [list, from])
    await client.query(
      `with last as (
         select rank, published_at, id from news_anchors where list = $1 order by rank desc limit 1
       )
       insert into news_anchors (list, rank, published_at, id)
       select $1, rank, published_at, id from (
         select published_at, id,
           coalesce((select rank from last), 0) + row_number() over (order by published_at, id) as rank
         from news_items
         where ${NEWS_LISTS[list]} and (published_at, id) >
           (coalesce((select published_at from last), '-infinity'), coalesce((select id from last), ''))
       ) as newer
       where rank % ${SPACING} = 0`,
      [list],
    )
  }
}
