import { z } from 'zod'
import { readNewsItem } from '../../db/news/read-news.ts'
import { notFound } from '../errors.ts'
import { param } from '../params.ts'
import { defineRoute } from '../route.ts'
import { isNewsId, NEWS_ID, newsItemSchema, toNewsItem } from './news-item.ts'

export const getNewsItem = defineRoute({
  method: 'GET',
  path: '/news/{id}',
  tag: 'News',
  summary: 'One article',
  pathParams: z.object({
    id: param((text) => (isNewsId(text) ? text : undefined), {
      pattern: NEWS_ID,
      reason: '64 hexadecimal digits in lower case',
      description: 'Id of an article from a news list',
      example: '9f2c5b7e1a4d8036c7e9b1f2a3d4c5e60718293a4b5c6d7e8f90a1b2c3d4e5f6',
    }),
  }),
  response: newsItemSchema,
  credits: 1,
  plan: 'any',
  x402: '0.001',
  mayLag: true,
  shared: { reads: ['coins', 'coin_quotes', 'news_items', 'news_sources'] },
  async handler({ path: { id } }, { db, pagesUrl }) {
    const row = await readNewsItem(db, id)
    if (!row) throw notFound('News not found')
    return { body: toNewsItem(row, pagesUrl), asOf: new Date(row.fetched_ms) }
  },
})
