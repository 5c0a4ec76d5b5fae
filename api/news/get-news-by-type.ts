import { z } from 'zod'
import type { ReadonlyDb } from '../../db/schema.ts'
import { readNewsAsOf, readNewsPage, readTrendingPage } from '../../db/news/read-news.ts'
import { enumParam, limit, page } from '../params.ts'
import { defineRoute } from '../route.ts'
import { newsItemSchema, toNewsItem } from './news-item.ts'

const TYPES = ['handpicked', 'trending', 'latest', 'bullish', 'bearish'] as const

export const getNewsByType = defineRoute({
  method: 'GET',
  path: '/news/type/{type}',
  tag: 'News',
  summary: 'News of one type',
  description:
    'Newest first, except `trending`, which is ordered by how fast coverage of its subjects grows. `bullish` and `bearish` are derived from the words of title and summary. `handpicked` is chosen by the operator.',
  pathParams: z.object({ type: enumParam(TYPES) }),
  query: z.object({ page: page(), limit: limit() }),
  response: z.array(newsItemSchema),
  credits: 5,
  plan: 'any',
  x402: '0.001',
  mayLag: true,
  shared: { reads: ['coins', 'coin_quotes', 'news_anchors', 'news_items', 'news_sources', 'news_trending'] },
  async handler({ path: { type }, query: options }, { db, pagesUrl }) {
    const offset = (options.page - 1) * options.limit
    const rows = await readPage(db, { type, offset, limit: options.limit })
    return {
      body: rows.map((row) => toNewsItem(row, pagesUrl)),
      asOf: rows[0] ? new Date(rows[0].as_of_ms) : await readNewsAsOf(db),
    }
  },
})

function readPage(db: ReadonlyDb, request: { type: (typeof TYPES)[number]; offset: number; limit: number }) {
  const { type, ...place } = request
  return type === 'trending' ? readTrendingPage(db, place) : readNewsPage(db, { list: type, ...place })
}
