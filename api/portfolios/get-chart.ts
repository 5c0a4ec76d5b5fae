import { z } from 'zod'
import type { ReadonlyDb } from '../../db/schema.ts'
import { RANGES } from '../../db/values/periods.ts'
import { enumParam } from '../params.ts'
import { PRICE_TABLES, rangeEnds } from '../figures/holders.ts'
import { defineRoute } from '../route.ts'
import { pendingMeta, type Point4, pointSchema } from '../shapes.ts'
import { totalsOf } from '../chain/holdings.ts'
import { endingWith, valueChart } from '../chain/value-chart.ts'
import { ageOf, hasHistory, holdingSet, pendingOf, portfolioCoins } from './holding-set.ts'
import { portfoliosShown } from './portfolios-shown.ts'
import { portfolioParams, type SelectedPortfolios, selectPortfolios } from './select-portfolios.ts'
import { shareHeaders } from './share-params.ts'

/** Adds balances without a history to the last point: their value is known now only. */
async function withBalances(
  db: ReadonlyDb,
  options: { points: readonly Point4[]; selected: SelectedPortfolios; now: Date },
): Promise<Point4[]> {
  const { points, now } = options
  const { rows, received } = await portfolioCoins(db, options)
  if (received.size === 0) return [...points]
  const { usd, btc, eth } = totalsOf(rows)
  return endingWith(points, { now, value: { usd: usd.value, btc: btc.value, eth: eth.value } })
}

export const getPortfolioChart = defineRoute({
  method: 'GET',
  path: '/portfolio/chart',
  tag: 'Portfolios',
  summary: 'Value of a portfolio over time',
  description:
    'Hourly points for `24h`, daily points (00:00 UTC) for longer ranges; the last point is now, at the newest quotes. Each point uses the prices of its own instant. Starts at the first transaction. Until the history of a portfolio is complete, only the last point contains its balances, and `meta.pending` names it.',
  query: z.object({ ...portfolioParams, type: enumParam(RANGES) }),
  headers: shareHeaders,
  response: z.object({ result: z.array(pointSchema('milliseconds')), meta: pendingMeta }),
  credits: 10,
  plan: 'any',
  x402: '0.001',
  figures: {
    holdersOf: portfoliosShown,
    reads: PRICE_TABLES,
    instants: ({ query }, nowMs) => rangeEnds(query.type, nowMs),
  },
  async handler({ query, headers }, context) {
    const selected = await selectPortfolios(context, { query, headers })
    const now = context.now()
    const set = await holdingSet(context.db, selected)
    const { points, priceAsOf } = await valueChart(context.db, {
      sets: set ? [set] : [],
      range: query.type,
      now,
    })
    return {
      body: {
        result: selected.portfolios.every(hasHistory)
          ? points
          : await withBalances(context.db, { points, selected, now }),
      },
      asOf: ageOf(selected.portfolios),
      priceAsOf,
      pending: pendingOf(selected),
    }
  },
})
