import { z } from 'zod'
import { readFearGreed } from '../../db/insights/read-fear-greed.ts'
import { unavailable } from '../errors.ts'
import { defineRoute } from '../route.ts'
import { classOf, classSchema, INDEX_NAME, valueSchema } from './fear-greed.ts'

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
  shared: { reads: ['fear_greed'] },
  async handler(_input, { db }) {
    const days = await readFearGreed(db, { lastDays: null })
    if (days.length === 0) throw unavailable()
    const data = days.map(({ at, value }) => ({
      timestamp: String(at.getTime() / 1_000),
      value,
      value_classification: classOf(value),
    }))
    return { body: { name: INDEX_NAME, data }, asOf: days.at(-1)!.at }
  },
})
