import { lockNews } from '../../db/news/lock-news.ts'
import { readNamedCoins, readRecentNews } from '../../db/news/read-for-ingest.ts'
import { storeAnalysis } from '../../db/news/write-analysis.ts'
import { type Transaction, transact } from '../../db/transact.ts'
import { DAY_MS } from '../../db/values/periods.ts'
import type { ActivityDeps } from '../deps.ts'
import { analyse, analysisVersion } from './analyse.ts'
import { createVocabulary } from './coins/vocabulary.ts'

/** Older articles keep the result of their first analysis. */
const REACH_DAYS = 30
const BATCH = 1_000

/** Analyses articles again that were analysed with other coins or another lexicon, newest first. */
export async function reanalyseNews(deps: ActivityDeps): Promise<{ articles: number; coins: number }> {
  const coins = await readNamedCoins(deps.db)
  const vocabulary = createVocabulary(coins)
  const version = analysisVersion(vocabulary)
  const since = new Date(deps.now().getTime() - REACH_DAYS * DAY_MS)
  const analyseBatch = async (transaction: Transaction): Promise<number> => {
    // A concurrent refresh of a feed may change the text of an article.
    await lockNews(transaction)
    const articles = await readRecentNews(transaction.db, { since, limit: BATCH, notBy: version })
    const items = articles.map((article) => ({
      id: article.id,
      ...analyse(article, vocabulary),
      previousSentiment: article.sentiment,
      publishedAt: article.published_at,
    }))
    await storeAnalysis(transaction, { items, analysis: version })
    return articles.length
  }
  for (let total = 0; ;) {
    const articles = await transact(deps.pool, analyseBatch)
    if (articles === 0) return { articles: total, coins: coins.length }
    total += articles
    deps.heartbeat()
  }
}
