import { readNamedCoins, readRecentNews } from '../../db/news/read-for-ingest.ts'
import { storeAnalysis } from '../../db/news/write-analysis.ts'
import { transact } from '../../db/transact.ts'
import { DAY_MS } from '../../db/values/periods.ts'
import type { ActivityDeps } from '../deps.ts'
import { analyse, analysisVersion } from './analyse.ts'
import { createVocabulary } from './coins/vocabulary.ts'

/** Older articles keep what was found when they came. */
const REACH_DAYS = 30
const BATCH = 1_000

/** Analyses again what was analysed with other coins or another lexicon, newest first. */
export async function reanalyseNews(deps: ActivityDeps): Promise<{ articles: number; coins: number }> {
  const coins = await readNamedCoins(deps.db)
  const vocabulary = createVocabulary(coins)
  const version = analysisVersion(vocabulary)
  const since = new Date(deps.now().getTime() - REACH_DAYS * DAY_MS)
  for (let total = 0; ;) {
    const articles = await readRecentNews(deps.db, { since, limit: BATCH, notBy: version })
    if (articles.length === 0) return { articles: total, coins: coins.length }
    const items = articles.map((article) => ({
      id: article.id,
      ...analyse(article, vocabulary),
      previousSentiment: article.sentiment,
      publishedAt: article.published_at,
    }))
    await transact(deps.pool, (transaction) => storeAnalysis(transaction, { items, analysis: version }))
    total += articles.length
    deps.heartbeat()
  }
}
