import { sql } from 'kysely'
import type { Db } from '../schema.ts'

/** The validators of the last answer of a feed, for a conditional request. */
export async function readValidators(
  db: Db,
  source: string,
): Promise<{ etag: string | null; lastModified: string | null }> {
  const row = await db
    .selectFrom('news_sources')
    .select(['etag', 'last_modified'])
    .where('source', '=', source)
    .executeTakeFirst()
  return { etag: row?.etag ?? null, lastModified: row?.last_modified ?? null }
}

export interface KnownCoin {
  id: string
  symbol: string
  name: string
  rank: number | null
}

/**
 * The coins to find in articles: listed coins, best ranked first, without tokens that are known only by
 * contract.
 */
export async function readNamedCoins(db: Db): Promise<KnownCoin[]> {
  return db
    .selectFrom('coins')
    .select(['id', 'symbol', 'name', 'rank'])
    .where('delisted_at', 'is', null)
    .where('id', 'not like', '0x%')
    .orderBy((eb) => sql`${eb.ref('rank')} asc nulls last`)
    .orderBy('id')
    .execute()
}

export interface AnalysableNews {
  id: string
  title: string
  summary: string | null
  keywords: string[]
  coin_ids: string[]
  source: string
  sentiment: string
  published_at: Date
}

/** Articles since an instant, newest first. `notBy`: only those with another analysis version. */
export async function readRecentNews(
  db: Db,
  { since, limit, notBy }: { since: Date; limit: number; notBy?: string },
): Promise<AnalysableNews[]> {
  let query = db
    .selectFrom('news_items')
    .select(['id', 'title', 'summary', 'keywords', 'coin_ids', 'source', 'sentiment', 'published_at'])
    .where('published_at', '>=', since)
    .orderBy('published_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
  if (notBy !== undefined) query = query.where('analysis', '<>', notBy)
  return query.execute()
}
