import { z } from 'zod'
import { defineRoute } from '../route.ts'
import { explainSchema } from '../pnl/explain.ts'
import { explainShape } from '../pnl/explain-shape.ts'
import { explainPortfolio } from './explain-portfolio.ts'
import { ageOf, pendingOf } from './holding-set.ts'
import { portfolioParams, selectPortfolios } from './select-portfolios.ts'
import { shareHeaders } from './share-params.ts'

export const getPortfolioExplain = defineRoute({
  method: 'GET',
  path: '/portfolio/explain',
  tag: 'Portfolios',
  summary: 'Breakdown of one figure of a portfolio',
  description:
    'As in /wallet/explain: explains a point of /portfolio/pl/history or a row of /portfolio/coins. 409 until a first history is complete, and while the figures do not include the latest change.',
  query: z.object({ ...portfolioParams, ...explainShape }),
  headers: shareHeaders,
  response: explainSchema,
  credits: 25,
  plan: 'any',
  x402: null,
  needsSync: true,
  async handler({ query, headers }, context) {
    const selected = await selectPortfolios(context, { query, headers })
    const explained = await explainPortfolio(context.db, { selected, query, now: context.now() })
    return { ...explained, asOf: ageOf(selected.portfolios), pending: pendingOf(selected) }
  },
})
