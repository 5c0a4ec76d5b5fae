import { z } from 'zod'
import { readNewsAsOf, readNewsPage } from '../../db/news/read-news.ts'
import { instantParam, limit, page } from '../params.ts'
import { NOT_AFTER_FROM } from '../reasons.ts'
import { defineRoute } from '../route.ts'
import { newsItemSchema, toNewsItem } from './news-item.ts'

const query = z
  .object({
    page: page(),
    limit: limit(),
    from: instantParam('Inclusive start of the publication time').optional(),
    to: instantParam('Exclusive end of the publication time, after `from`').optional(),
  })
  .check(({ value: { from, to }, issues }) => {
    if (from && to && from >= to)
      issues.push({ code: 'custom', message: NOT_AFTER_FROM, path: ['to'], input: to })
  })

export const getNews = defineRoute({
  method: 'GET',
  path: '/news',
  tag: 'News',
  summary: 'News, newest first',
  query,
  response: z.object({ result: z.array(newsItemSchema) }),
  credits: 5,
  plan: 'any',
  x402: '0.001',
  mayLag: true,
  shared: { reads: ['coins', 'coin_quotes', 'news_anchors', 'news_items', 'news_sources'] },
  async handler({ query: options }, { db, pagesUrl }) {
    const offset = (options.page - 1) * options.limit
    const rows = await readNewsPage(db, { list: 'latest', ...options, offset })
    return {
      body: { result: rows.map((row) => toNewsItem(row, pagesUrl)) },
      asOf: rows[0] ? new Date(rows[0].as_of_ms) : await readNewsAsOf(db),
    }
  },
})
