import { z } from 'zod'
import { readNewsItem } from '../../db/news/read-news.ts'
import { notFound } from '../errors.ts'
import { param } from '../params.ts'
import { defineRoute } from '../route.ts'
import { newsItemSchema, toNewsItem } from './news-item.ts'

const ID = '^[0-9a-f]{64}$'

export const getNewsItem = defineRoute({
  method: 'GET',
  path: '/news/{id}',
  tag: 'News',
  summary: 'One article',
  pathParams: z.object({
    id: param((text) => (new RegExp(ID).test(text) ? text : undefined), {
      pattern: ID,
      reason: '64 hexadecimal digits in lower case',
      description: 'Id of an article from a news list',
    }),
  }),
  response: newsItemSchema,
  credits: 1,
  plan: 'any',
  x402: '0.001',
  mayLag: true,
  async handler({ path: { id } }, { db }) {
    const row = await readNewsItem(db, id)
    if (!row) throw notFound('News not found')
    return { body: toNewsItem(row), asOf: new Date(row.fetched_ms) }
  },
})
