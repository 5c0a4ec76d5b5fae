import { sql } from 'kysely'
import type pg from 'pg'
import type { Db } from '../../../db/schema.ts'
import { NEWS_LIST_NAMES } from '../../../db/news/lists.ts'
import { rebuildAnchors } from '../../../db/news/write-anchors.ts'
import { transact } from '../../../db/transact.ts'

/**
 * Inserts articles of the last three years, a tenth bullish and a tenth bearish, with the anchors of their
 * lists.
 */
export async function seedNews({ db, pool }: { db: Db; pool: pg.Pool }, items: number): Promise<void> {
  await sql`insert into news_sources (source, name, web_url, feed_url, fetched_at)
    values ('wire', 'Wire', 'https://wire.example', 'https://wire.example/rss', now())`.execute(db)
  await sql`insert into news_items (id, source, link, title, summary, has_content, coin_ids, sentiment, sentiment_score,
      analysis, published_at, fetched_at)
    select md5(n::text) || md5('b' || n), 'wire', 'https://wire.example/' || n, 'Headline number ' || n,
      repeat('Some words of an article. ', 8), true, array['coin-' || n % 100 + 1],
      case n % 10 when 0 then 'bullish' when 1 then 'bearish' else 'neutral' end, 0, 'bench',
      now() - n * interval '3 years' / ${sql.lit(items)}, now()
    from generate_series(1, ${sql.lit(items)}) as n`.execute(db)
  await transact(pool, (transaction) =>
    rebuildAnchors(transaction, { lists: NEWS_LIST_NAMES, from: new Date(0) }),
  )
}
