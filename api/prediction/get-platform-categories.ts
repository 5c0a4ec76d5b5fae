import { z } from 'zod'
import { readPredictionAsOf } from '../../db/prediction/read-as-of.ts'
import { readCategories } from '../../db/prediction/read-platform.ts'
import { startOfRange } from '../../db/prediction/start-of-range.ts'
import { defineRoute } from '../route.ts'
import { toNumber } from '../shapes.ts'
import { dataSchema, wrapped } from './envelope.ts'
import { rangeParam, venueParam } from './prediction-params.ts'

const schema = z.array(
  z.object({
    category: z.string(),
    volume: z.number().describe('Volume of the known trades, USD'),
    volumeShare: z.number().describe('Percent of the volume of all categories'),
    marketsCount: z.number().int().describe('Open markets'),
    openInterest: z.number().describe('Open interest of the open markets, USD'),
  }),
)

export const getPlatformCategories = defineRoute({
  method: 'GET',
  path: '/prediction/platform/categories',
  tag: 'Prediction markets',
  summary: 'Volume by category, the largest first',
  query: z.object({ range: rangeParam('1w'), venue: venueParam() }),
  response: dataSchema(schema),
  credits: 3,
  plan: 'any',
  x402: null,
  mayLag: true,
  shared: {
    reads: ['prediction_counts', 'prediction_venue_periods', 'prediction_venues'],
    byMinute: true,
    stamped: true,
  },
  async handler({ query: { range, venue } }, { db, now }) {
    const rows = await readCategories(db, { venue, from: startOfRange(range, now()) })
    const total = rows.reduce((sum, row) => sum + toNumber(row.volume_usd), 0)
    const data = rows.map((row) => {
      const volume = toNumber(row.volume_usd)
      return {
        // '-' stands for markets without a category.
        category: row.category === '-' ? 'Other' : row.category,
        volume,
        volumeShare: total > 0 ? (volume * 100) / total : 0,
        marketsCount: row.markets,
        openInterest: toNumber(row.open_interest_usd),
      }
    })
    return { body: wrapped(data, now()), asOf: await readPredictionAsOf(db, venue) }
  },
})
