import { z } from 'zod'
import { readNewestQuoteAt } from '../../db/prices/read-current-price.ts'
import { RANGES } from '../../db/values/periods.ts'
import { enumParam, identifierListParam } from '../params.ts'
import { defineRoute } from '../route.ts'
import { oldest, pointSchema } from '../shapes.ts'
import { readCoinCharts } from './coin-chart.ts'

/** Two years of daily points for 100 coins are 73,000 points. */
const MOST_COINS = 100

export const getCoinsCharts = defineRoute({
  method: 'GET',
  path: '/coins/charts',
  tag: 'Coins',
  summary: 'Price histories of several coins',
  description:
    'One entry per coin, in the order of the ids, with the points of /coins/{coinId}/charts. An unknown coin has an empty chart and the `errorMessage` ERR_COIN_CHART_NOT_FOUND, and is charged too.',
  query: z.object({
    period: enumParam(RANGES),
    coinIds: identifierListParam('Coin ids', { maxItems: MOST_COINS }).meta({
      example: ['bitcoin', 'ethereum'],
    }),
  }),
  response: z.array(
    z.object({
      coinId: z.string(),
      chart: z.array(pointSchema('seconds')),
      errorMessage: z.literal('ERR_COIN_CHART_NOT_FOUND').optional(),
    }),
  ),
  credits: 3,
  multiplied: { creditsAll: 0, items: ({ query: { coinIds } }) => coinIds.map(() => 'one') },
  plan: 'any',
  x402: null,
  mayLag: true,
  shared: { reads: ['coin_quotes', 'price_days', 'price_hours'], byMinute: true },
  async handler({ query: { coinIds, period } }, { db, now }) {
    const charts = await readCoinCharts(db, { coinIds, period, now: now() })
    const priceAsOf = oldest([...charts.values()].map(({ asOf }) => asOf))
    return {
      body: coinIds.map((coinId) => {
        const chart = charts.get(coinId)
        return chart
          ? { coinId, chart: chart.points }
          : { coinId, chart: [], errorMessage: 'ERR_COIN_CHART_NOT_FOUND' as const }
      }),
      asOf: priceAsOf ?? (await readNewestQuoteAt(db)),
      priceAsOf,
    }
  },
})
