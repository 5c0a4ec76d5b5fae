import { z } from 'zod'
import { RANGES } from '../../db/values/periods.ts'
import { enumParam } from '../params.ts'
import { defineRoute } from '../route.ts'
import { pointSchema } from '../shapes.ts'
import { valueChart } from '../chain/value-chart.ts'
import { ageOf, holdingSet } from './holding-set.ts'
import { portfolioParams, selectPortfolios } from './select-portfolios.ts'
import { shareHeaders } from './share-params.ts'

export const getPortfolioChart = defineRoute({
  method: 'GET',
  path: '/portfolio/chart',
  tag: 'Portfolios',
  summary: 'Value of a portfolio over time',
  description:
    'Hourly points for `24h`, daily points (00:00 UTC) for longer ranges; the last point is now, at the newest quotes. Each point uses the prices of its own instant. Starts at the first transaction. 409 before the first sync.',
  query: z.object({ ...portfolioParams, type: enumParam(RANGES) }),
  headers: shareHeaders,
  response: z.object({ result: z.array(pointSchema('milliseconds')) }),
  credits: 10,
  plan: 'any',
  x402: '0.001',
  needsSync: true,
  async handler({ query, headers }, context) {
    const selected = await selectPortfolios(context, { query, headers })
    const set = await holdingSet(context.db, selected)
    const chart = { range: query.type, now: context.now() }
    const { points, priceAsOf } = await valueChart(context.db, { sets: set ? [set] : [], ...chart })
    return { body: { result: points }, asOf: ageOf(selected.portfolios), priceAsOf }
  },
})
