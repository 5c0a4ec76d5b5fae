import { z } from 'zod'
import { booleanParam, limit, page } from '../params.ts'
import { COIN_TABLES } from '../figures/holders.ts'
import { defineRoute } from '../route.ts'
import { pendingMeta } from '../shapes.ts'
import { priceAgeOf, scoredHoldingSchema, shownCoins } from '../chain/holdings.ts'
import { answerAsOf, asOfShape } from './as-of.ts'
import { ageOf, pendingOf, portfolioCoins } from './holding-set.ts'
import { portfoliosShown } from './portfolios-shown.ts'
import { portfolioParams } from './select-portfolios.ts'
import { shareHeaders } from './share-params.ts'

export const getPortfolioCoins = defineRoute({
  method: 'GET',
  path: '/portfolio/coins',
  tag: 'Portfolios',
  summary: 'Coins of a portfolio with their cost and profit',
  description:
    'Uses the cost method of the portfolio, or of the account when all its portfolios are combined. The most valuable coin comes first; coins held in the past are included. Figures in BTC and ETH use the prices of each instant. Realised plus unrealised profit over all coins equals the profit of /portfolio/pl/history. Until the history of a portfolio is complete, its balances count as received at this moment, and `meta.pending` names it.',
  query: z.object({
    ...portfolioParams,
    ...asOfShape,
    page: page(),
    limit: limit(),
    includeRiskScore: booleanParam({
      default: false,
      description: 'Adds the four risk scores of coins that have them',
    }),
  }),
  headers: shareHeaders,
  response: z.object({ result: z.array(scoredHoldingSchema), meta: pendingMeta }),
  credits: 8,
  plan: 'any',
  x402: '0.001',
  figures: {
    holdersOf: (input, context) => (input.query.asOf ? null : portfoliosShown(input, context)),
    reads: COIN_TABLES,
  },
  handler: (input, context) =>
    answerAsOf(context, input, async ({ db, now, selected, isPast }) => {
      const { query } = input
      const { rows } = await portfolioCoins(db, { selected, now, isPast })
      return {
        body: { result: await shownCoins(db, rows, { ...query, riskScores: query.includeRiskScore }) },
        asOf: ageOf(selected.portfolios),
        priceAsOf: priceAgeOf(rows),
        pending: pendingOf(selected),
      }
    }),
})
