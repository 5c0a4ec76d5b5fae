import { ApplicationFailure, log, proxyActivities, rootCause } from '@temporalio/workflow'
import type { NewsActivities } from '../../activities/news/index.ts'
import { bulkLoad, quickCall, sourceCall, twice } from '../policies.ts'

const { listFeeds, refreshTrending } = proxyActivities<NewsActivities>(quickCall)
const { refreshFeed } = proxyActivities<NewsActivities>(twice(sourceCall))
const { reanalyseNews } = proxyActivities<NewsActivities>(bulkLoad)

/**
 * Reads all feeds independently, so a failing feed does not affect the others. Then updates the trending
 * list. Fails if no feed could be read.
 */
export async function refreshNews(): Promise<{ changed: number; failed: number; trending: number }> {
  const feeds = await listFeeds()
  const outcomes = await Promise.allSettled(feeds.map((source) => refreshFeed({ source })))
  let changed = 0
  const reasons: string[] = []
  for (const [i, outcome] of outcomes.entries()) {
    if (outcome.status === 'fulfilled') changed += outcome.value.changed
    else {
      const reason = rootCause(outcome.reason) ?? String(outcome.reason)
      reasons.push(reason)
      log.warn('could not read a feed', { feed: feeds[i], reason })
    }
  }
  await reanalyseNews()
  const trending = await refreshTrending()
  const failed = reasons.length
  if (failed > 0 && failed === feeds.length)
    throw ApplicationFailure.nonRetryable(`no feed could be read: ${reasons[0]}`)
  return { changed, failed, trending }
}
