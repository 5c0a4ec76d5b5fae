import type { ActivityDeps } from '../deps.ts'
import { FEEDS } from './feeds.ts'
import { reanalyseNews } from './reanalyse-news.ts'
import { refreshFeed } from './refresh-feed.ts'
import { refreshTrending } from './refresh-trending.ts'

export function createNewsActivities(deps: ActivityDeps) {
  return {
    /** Names of the feeds that are on. */
    listFeeds: async (): Promise<string[]> =>
      FEEDS.map(({ name }) => name).filter((name) => deps.config.sources[name] !== undefined),
    refreshFeed: (input: { source: string; afresh?: boolean }) => refreshFeed(deps, input),
    reanalyseNews: () => reanalyseNews(deps),
    refreshTrending: () => refreshTrending(deps),
  }
}

export type NewsActivities = ReturnType<typeof createNewsActivities>
