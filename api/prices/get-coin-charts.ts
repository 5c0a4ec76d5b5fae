import { z } from 'zod'
import { RANGES } from '../../db/values/periods.ts'
import { enumParam, coinIdParam } from '../params.ts'
import { defineRoute } from '../route.ts'
import { pointSchema } from '../shapes.ts'
import { readCoinCharts } from './coin-chart.ts'
import { coinNotFound } from './get-coin.ts'

export const getCoinCharts = defineRoute({
  method: 'GET',
  path: '/coins/{coinId}/charts',
  tag: 'Coins',
  summary: 'Price history of a coin',
  description:
    'Hourly points for periods up to `1m`, which is 30 days as in `priceChange1m`, daily points (00:00 UTC) for longer ones; the last point is the current price. BTC and ETH values use prices of the same instant. Points from before BTC and ETH had a price are left out.',
  pathParams: z.object({ coinId: coinIdParam('Coin id') }),
  query: z.object({ period: enumParam(RANGES) }),
  response: z.array(pointSchema('seconds')),
  credits: 3,
  plan: 'any',
  x402: '0.001',
  mayLag: true,
  shared: { reads: ['coin_quotes', 'price_days', 'price_hours'], byMinute: true },
  async handler({ path: { coinId }, query: { period } }, { db, now }) {
    const chart = (await readCoinCharts(db, { coinIds: [coinId], period, now: now() })).get(coinId)
    if (!chart) throw coinNotFound(coinId)
    return { body: chart.points, asOf: chart.asOf, priceAsOf: chart.asOf }
  },
})
