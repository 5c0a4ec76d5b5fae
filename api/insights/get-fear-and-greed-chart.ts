import { z } from 'zod'
import { readFearGreed, readFearGreedVersion } from '../../db/insights/read-fear-greed.ts'
import { unavailable } from '../errors.ts'
import { defineRoute } from '../route.ts'
import { createAnswerCache } from './answer-cache.ts'
import { classOf, classSchema, INDEX_NAME, valueSchema } from './fear-greed.ts'

const cached = createAnswerCache()

export const getFearAndGreedChart = defineRoute({
  method: 'GET',
  path: '/insights/fear-and-greed/chart',
  tag: 'Insights',
  summary: 'Daily history of the fear and greed index',
  description: 'Oldest day first. Days without a published value have no point.',
  response: z.object({
    name: z.literal(INDEX_NAME),
    data: z.array(
      z.object({
        timestamp: z
          .string()
          .regex(/^\d+$/)
          .describe('Unix seconds of the UTC midnight at which the day begins'),
        value: valueSchema,
        value_classification: classSchema,
      }),
    ),
  }),
  credits: 10,
  plan: 'any',
  x402: '0.001',
  mayLag: true,
  async handler(_input, { db }) {
    const newest = await readFearGreedVersion(db)
    if (!newest) throw unavailable()
    const make = async () => ({
      name: INDEX_NAME,
      data: (await readFearGreed(db, { lastDays: null })).map(({ at, value }) => ({
        timestamp: String(at.getTime() / 1_000),
        value,
        value_classification: classOf(value),
      })),
    })
    return { body: await cached(db, { key: 'chart', version: newest.version, make }), asOf: newest.at }
  },
})
