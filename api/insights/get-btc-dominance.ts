import { z } from 'zod'
import { readDominance } from '../../db/insights/read-dominance.ts'
import { type Range, RANGES, rangeStart } from '../../db/values/periods.ts'
import { unavailable } from '../errors.ts'
import { enumParam } from '../params.ts'
import { defineRoute } from '../route.ts'
import { toNumber } from '../shapes.ts'

const HOUR_S = 3_600
const DAY_S = 24 * HOUR_S
/** Distance of the points; the totals of the market are sampled every quarter of an hour. */
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
    'Oldest point first: every 15 minutes for `24h`, hourly for `1w`, 4-hourly for `1m`, daily above. Each is the newest sample of its step, at its own time.',
  query: z.object({ type: enumParam(RANGES, 'Period up to now') }),
  response: z.object({
    data: z.array(z.tuple([z.number().int(), z.number()]).describe('[Unix time in seconds, percent]')),
  }),
  credits: 10,
  plan: 'any',
  x402: '0.001',
  async handler({ query: { type } }, { db, now }) {
    const to = now()
    const startMs = rangeStart(type, to.getTime())
    const from = startMs === null ? null : new Date(startMs)
    const points = await readDominance(db, { from, to, stepSeconds: STEP_S[type] })
    const newest = points.at(-1)
    // Nothing within the period is as good as no data: the samples have stopped, or never began.
    if (!newest) throw unavailable()
    const data = points.map(({ at, btcDominance }): [number, number] => [
      Math.floor(at.getTime() / 1_000),
      toNumber(btcDominance),
    ])
    return { body: { data }, asOf: newest.at }
  },
})
