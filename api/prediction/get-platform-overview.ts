import { z } from 'zod'
import { readPredictionAsOf } from '../../db/prediction/read-as-of.ts'
import { readVenueStats, type VenueStats } from '../../db/prediction/read-platform.ts'
import { PREDICTION_VENUES } from '../../db/values/prediction-venues.ts'
import { defineRoute } from '../route.ts'
import { toNumber } from '../shapes.ts'
import { dataSchema, wrapped } from './envelope.ts'
import { isPlayMoney, playMoneySchema, venueParam } from './prediction-params.ts'

const stats = {
  volume24h: z.number(),
  volume7d: z.number(),
  volumeTotal: z.number().describe('Volume of the known markets, USD'),
  openInterest: z.number(),
  liquidity: z.number(),
  openMarkets: z.number().int().describe('With those of play money'),
  openEvents: z.number().int().describe('With those of play money'),
  activeTraders24h: z
    .number()
    .int()
    .describe('Accounts with a trade; 0 for a venue that does not identify traders'),
  trades24h: z.number().int(),
}
const statsSchema = z.object(stats)
type Stats = z.infer<typeof statsSchema>

export const getPlatformOverview = defineRoute({
  method: 'GET',
  path: '/prediction/platform/overview',
  tag: 'Prediction markets',
  summary: 'Totals over all venues and for each venue',
  query: z.object({ venue: venueParam() }),
  response: dataSchema(
    z.object({
      totals: statsSchema,
      venues: z.array(z.object({ venue: z.enum(PREDICTION_VENUES), playMoney: playMoneySchema, ...stats })),
    }),
  ),
  credits: 3,
  plan: 'any',
  x402: null,
  mayLag: true,
  shared: { reads: ['prediction_venues'], stamped: true },
  async handler({ query: { venue } }, { db, now }) {
    const rows = (await readVenueStats(db)).filter((row) => venue === undefined || row.venue === venue)
    const venues = rows.map((row) => ({
      venue: row.venue,
      playMoney: isPlayMoney(row.venue),
      ...toStats(row),
    }))
    const totals = Object.fromEntries(
      Object.keys(stats).map((name) => [
        name,
        venues.reduce((sum, row) => sum + row[name as keyof Stats], 0),
      ]),
    ) as Stats
    return { body: wrapped({ totals, venues }, now()), asOf: await readPredictionAsOf(db, venue) }
  },
})

function toStats(row: VenueStats): Stats {
  return {
    volume24h: toNumber(row.volume_24h_usd),
    volume7d: toNumber(row.volume_7d_usd),
    volumeTotal: toNumber(row.volume_total_usd),
    openInterest: toNumber(row.open_interest_usd),
    liquidity: toNumber(row.liquidity_usd),
    openMarkets: row.open_markets,
    openEvents: row.open_events,
    activeTraders24h: row.active_traders_24h,
    trades24h: row.trades_24h,
  }
}
