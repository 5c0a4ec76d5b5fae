import { z } from 'zod'
import type { ReadonlyDb } from '../../db/schema.ts'
import { readNewestCloseAt } from '../../db/insights/read-closes.ts'
import { readPriceSeries } from '../../db/prices/read-prices.ts'
import { decimal, formatDecimal } from '../../db/values/decimal.ts'
import { DAY_MS } from '../../db/values/periods.ts'
import { unavailable } from '../errors.ts'
import { param } from '../params.ts'
import { oneOf } from '../reasons.ts'
import { defineRoute } from '../route.ts'
import { toNumber } from '../shapes.ts'
import { BANDS, rainbow } from './rainbow.ts'

/** First blocks: the trend is a function of the age of the coin. */
const BORN_MS = { bitcoin: Date.UTC(2009, 0, 3), ethereum: Date.UTC(2015, 6, 30) }
const COINS = ['bitcoin', 'ethereum'] as const

export const getRainbowChart = defineRoute({
  method: 'GET',
  path: '/insights/rainbow-chart/{coinId}',
  tag: 'Insights',
  summary: 'Rainbow chart of bitcoin or ethereum',
  description:
    'All daily closes (00:00 UTC at the end of the day), oldest first, with a logarithmic regression over them. Bands are half a standard deviation wide; band 5 is centred on the trend. Trend and band are absent with fewer than three closes.',
  pathParams: z.object({
    coinId: param((text) => COINS.find((id) => id === text), {
      enum: [...COINS],
      reason: (text) => oneOf(COINS, text),
    }),
  }),
  response: z.array(
    z.object({
      price: z.string().describe('Exact close in USD'),
      time: z.iso.date(),
      trend: z.string().optional().describe('Regression price of the day in USD'),
      band: z.number().int().min(1).max(BANDS).optional().describe('1 (cheapest) to 9 (most expensive)'),
    }),
  ),
  credits: 10,
  plan: 'any',
  x402: '0.001',
  mayLag: true,
  shared: { reads: ['price_days'] },
  async handler({ path: { coinId } }, { db }) {
    const newest = await readNewestCloseAt(db, coinId)
    if (!newest) throw unavailable()
    return { body: await chartOf(db, { coinId, to: newest }), asOf: newest }
  },
})

async function chartOf(db: ReadonlyDb, { coinId, to }: { coinId: (typeof COINS)[number]; to: Date }) {
  const series = await readPriceSeries(db, { coinIds: [coinId], resolution: 'day', from: null, to })
  const closes = series.get(coinId) ?? []
  const points = rainbow(
    closes.map(({ atMs, usd }) => ({ days: (atMs - BORN_MS[coinId]) / DAY_MS, usd: toNumber(usd) })),
  )
  return closes.map(({ atMs, usd }, i) => {
    const point = points[i]
    return {
      price: usd,
      // The price in force at a midnight is the close of the day before.
      time: new Date(atMs - DAY_MS).toISOString().slice(0, 10),
      ...(point && { trend: plain(point.trend), band: point.band }),
    }
  })
}

/** Formats with eight significant digits and without an exponent. */
const plain = (value: number) => formatDecimal(decimal(value.toPrecision(8)))
