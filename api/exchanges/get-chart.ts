import { z } from 'zod'
import { readBooks } from '../../db/pnl/books.ts'
import { RANGES } from '../../db/values/periods.ts'
import { PRICE_TABLES, rangeEnds } from '../figures/holders.ts'
import { enumParam, portfolioIdParam } from '../params.ts'
import { defineRoute } from '../route.ts'
import { pendingMeta, pointSchema } from '../shapes.ts'
import { valueChart } from '../chain/value-chart.ts'
import { exchangeShown } from './exchange-shown.ts'
import { connectionOf, pendingOf } from './connection.ts'

export const getExchangeChart = defineRoute({
  method: 'GET',
  path: '/exchange/chart',
  tag: 'Exchanges',
  summary: 'Value of an exchange account over time',
  description:
    '`24h` returns hourly points; longer ranges return daily points (00:00 UTC). The last point is the current value, at the newest quotes. Each point uses the prices of its instant. The chart starts at the first transaction. Without points until the history is complete: `meta.pending` then has the id.',
  query: z.object({ portfolioId: portfolioIdParam(), type: enumParam(RANGES) }),
  response: z.object({ result: z.array(pointSchema('milliseconds')), meta: pendingMeta }),
  credits: 50,
  plan: 'any',
  x402: null,
  figures: {
    holdersOf: exchangeShown,
    reads: PRICE_TABLES,
    instants: ({ query }, nowMs) => rangeEnds(query.type, nowMs),
  },
  async handler({ query: { portfolioId, type } }, context) {
    const connection = await connectionOf(context, portfolioId)
    const { id, syncedAt, coveredTo } = connection
    const pending = pendingOf(connection)
    if (!syncedAt) return { body: { result: [] }, asOf: null, pending }
    const { points, priceAsOf } = await valueChart(context.db, {
      sets: [{ books: await readBooks(context.db, [{ connectionId: id }]) }],
      range: type,
      now: context.now(),
    })
    return { body: { result: points }, asOf: coveredTo, priceAsOf, pending }
  },
})
