import { z } from 'zod'
import { readPredictionAsOf } from '../../db/prediction/read-as-of.ts'
import { readVolume } from '../../db/prediction/read-platform.ts'
import { startOfPeriod } from '../../db/values/periods.ts'
import { startOfRange } from '../../db/prediction/start-of-range.ts'
import { enumParam } from '../params.ts'
import { defineRoute } from '../route.ts'
import { toNumber } from '../shapes.ts'
import { dataSchema, wrapped } from './envelope.ts'
import { rangeParam, venueParam } from './prediction-params.ts'

const INTERVALS = ['daily', 'weekly', 'monthly'] as const

const schema = z.object({
  interval: z.enum(INTERVALS),
  points: z.array(
    z.object({
      date: z.string().describe('ISO 8601, start of the interval (UTC)'),
      volume: z.number().describe('Volume of the known trades, each counted once, USD'),
      tradesCount: z.number().int(),
      activeTraders: z.number().int(),
    }),
  ),
})

export const getPlatformVolume = defineRoute({
  method: 'GET',
  path: '/prediction/platform/volume',
  tag: 'Prediction markets',
  summary: 'Volume of the venues over time',
  query: z.object({
    range: rangeParam('1m'),
    interval: enumParam(INTERVALS).default('daily'),
    venue: venueParam(),
  }),
  response: dataSchema(schema),
  credits: 3,
  plan: 'any',
  x402: null,
  mayLag: true,
  shared: { reads: ['prediction_venue_periods', 'prediction_venues'], byMinute: true, stamped: true },
  async handler({ query: { range, interval, venue } }, { db, now }) {
    const start = startOfRange(range, now())
    const from = start && new Date(startOfPeriod(interval, start.getTime()))
    const rows = await readVolume(db, { venue, interval, from })
    const points = rows.map((row) => ({
      date: row.start_at.toISOString(),
      volume: toNumber(row.volume_usd),
      tradesCount: row.trades,
      activeTraders: row.active_traders,
    }))
    return { body: wrapped({ interval, points }, now()), asOf: await readPredictionAsOf(db, venue) }
  },
})
