import { z } from 'zod'
import { type FearGreedDay, readFearGreed } from '../../db/insights/read-fear-greed.ts'
import { DAY_MS } from '../../db/values/periods.ts'
import { unavailable } from '../errors.ts'
import { defineRoute } from '../route.ts'
import { classOf, classSchema, INDEX_NAME, valueSchema } from './fear-greed.ts'

const day = z.object({
  value: valueSchema,
  value_classification: classSchema,
  timestamp: z.number().int().describe('Unix seconds of the UTC midnight at which the day begins'),
})

export const getFearAndGreed = defineRoute({
  method: 'GET',
  path: '/insights/fear-and-greed',
  tag: 'Insights',
  summary: 'Fear and greed index now, yesterday and a week ago',
  response: z.object({
    name: z.literal(INDEX_NAME),
    now: day.extend({ update_time: z.iso.datetime().describe('When the value was received') }),
    yesterday: day.optional().describe('Absent when the index has no value for that day'),
    lastWeek: day.optional().describe('Absent when the index has no value for that day'),
  }),
  credits: 10,
  plan: 'any',
  x402: '0.001',
  mayLag: true,
  shared: { reads: ['fear_greed'] },
  async handler(_input, { db }) {
    const days = await readFearGreed(db, { lastDays: 8 })
    const newest = days.at(-1)
    if (!newest) throw unavailable()
    const before = (count: number) =>
      days.find(({ at }) => at.getTime() === newest.at.getTime() - count * DAY_MS)
    const [yesterday, lastWeek] = [before(1), before(7)]
    return {
      body: {
        name: INDEX_NAME,
        now: { ...toDay(newest), update_time: newest.fetchedAt.toISOString() },
        ...(yesterday && { yesterday: toDay(yesterday) }),
        ...(lastWeek && { lastWeek: toDay(lastWeek) }),
      },
      asOf: newest.at,
    }
  },
})

function toDay({ at, value }: FearGreedDay) {
  return { value, value_classification: classOf(value), timestamp: at.getTime() / 1_000 }
}
