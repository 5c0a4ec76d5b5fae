import { lockNews } from '../../db/news/lock-news.ts'
import { readRecentNews } from '../../db/news/read-for-ingest.ts'
import { storeTrending } from '../../db/news/write-trending.ts'
import { transact } from '../../db/transact.ts'
import type { ActivityDeps } from '../deps.ts'
import { rankTrending, TREND_HOURS } from './trending.ts'

/** Maximum number of articles to rank. Ten feeds publish some hundred articles a day. */
const MOST_ARTICLES = 20_000
const MOST_TRENDING = 500

/** Recomputes the trending list. Returns its length. */
export async function refreshTrending(deps: ActivityDeps): Promise<number> {
  const now = deps.now()
  const since = new Date(now.getTime() - TREND_HOURS * 3_600_000)
  return transact(deps.pool, async (transaction) => {
    await lockNews(transaction)
    const articles = await readRecentNews(transaction.db, { since, limit: MOST_ARTICLES })
    const ranked = rankTrending(
      articles.map(({ id, source, title, coin_ids, published_at }) => ({
        id,
        source,
        title,
        coinIds: coin_ids,
        publishedAt: published_at,
      })),
      now,
    )
    const items = ranked.slice(0, MOST_TRENDING)
    await storeTrending(transaction, { items, fetchedAt: now })
    return items.length
  })
}
