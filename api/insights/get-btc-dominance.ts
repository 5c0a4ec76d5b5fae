import { z } from 'zod'
import { readDominance, readNewestSampleAt } from '../../db/insights/read-dominance.ts'
import { type Range, RANGES, rangeStart } from '../../db/values/periods.ts'
import { unavailable } from '../errors.ts'
import { enumParam } from '../params.ts'
import { defineRoute } from '../route.ts'
import { toNumber } from '../shapes.ts'

const HOUR_S = 3_600
const DAY_S = 24 * HOUR_S
/** Seconds between points. Market totals are sampled every 20 minutes (schedule refresh-coins). */
const STEP_S: Record<Range, number> = {
  '24h': HOUR_S / 4,
  '1w': HOUR_S,
  '1m': 4 * HOUR_S,
  '3m': DAY_S,
  '6m': DAY_S,
  '1y': DAY_S,
  all: DAY_S,
}

export const getBtcDominance = defineRoute({
  method: 'GET',
  path: '/insights/btc-dominance',
  tag: 'Insights',
  summary: "Bitcoin's share of the market capitalisation over time",
  description:
    'Oldest point first. Steps are 15 minutes for `24h`, 1 hour for `1w`, 4 hours for `1m` and 1 day for longer periods, counted back from the newest sample. Each point is the newest sample of its step, with the time of that sample. Steps without a sample have no point.',
  query: z.object({ type: enumParam(RANGES, 'Period up to the newest sample') }),
  response: z.object({
    data: z.array(z.tuple([z.number().int(), z.number()]).describe('[Unix seconds, dominance in percent]')),
  }),
  credits: 10,
  plan: 'any',
  x402: '0.001',
  mayLag: true,
  shared: { reads: ['market_totals'] },
  async handler({ query: { type } }, { db }) {
    const newest = await readNewestSampleAt(db)
    if (!newest) throw unavailable()
    const startMs = rangeStart(type, newest.getTime())
    const from = startMs === null ? null : new Date(startMs)
    const points = await readDominance(db, { from, to: newest, stepSeconds: STEP_S[type] })
    return {
      body: {
        data: points.map(({ timeS, btcDominance }): [number, number] => [timeS, toNumber(btcDominance)]),
      },
      asOf: newest,
    }
  },
})
