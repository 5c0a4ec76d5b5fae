import { z } from 'zod'
import { defiSchema, toDefi } from '../defi/defi-positions.ts'
import { defineRoute } from '../route.ts'
import { oldest } from '../shapes.ts'
import { portfolioDefi } from './portfolio-defi.ts'
import { portfolioParams, selectPortfolios } from './select-portfolios.ts'
import { shareHeaders } from './share-params.ts'

export const getPortfolioDefi = defineRoute({
  method: 'GET',
  path: '/portfolio/defi',
  tag: 'Portfolios',
  summary: 'Positions of a portfolio in DeFi protocols',
  description:
    'Positions of its wallets, as in /wallet/defi; none without a wallet. `meta.pending` names portfolios whose positions have not been read.',
  query: z.object(portfolioParams),
  headers: shareHeaders,
  response: defiSchema,
  credits: 200,
  plan: 'paid',
  x402: '0.04',
  async handler({ query, headers }, context) {
    const { portfolios } = await selectPortfolios(context, { query, headers })
    const { pending, ...found } = await portfolioDefi(context.db, portfolios)
    const { known, priceAsOf } = found
    const body = await toDefi(context.db, found)
    return { body, asOf: oldest(known.map(({ asOf }) => asOf)), priceAsOf, pending }
  },
})
