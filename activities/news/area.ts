import type { AreaSpec } from '../area.ts'
import { FEED_SOURCES } from './feeds.ts'

/** News from publishers' feeds, with the coins they are about and their tone. */
export const newsArea: AreaSpec = {
  name: 'news',
  sources: FEED_SOURCES,
  questions: async () => (await import('./questions.ts')).newsQuestions,
  requests: async () => (await import('./requests.ts')).newsRequests,
  schedules: [
    // The analysis of articles needs the names of coins.
    {
      id: 'refresh-news',
      workflow: 'refreshNews',
      // Publishers are asked no more often than news readers ask them.
      everySeconds: 600,
      jitterSeconds: 15,
      input: null,
      after: ['refresh-coins'],
    },
  ],
  tables: ['news_sources', 'news_items', 'news_anchors', 'news_trending'],
  rereads: ['refreshFeed'],
  freshnessTargetSeconds: 900,
}
