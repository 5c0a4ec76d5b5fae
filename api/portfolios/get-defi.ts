import { z } from 'zod'
import { defiOf, defiSchema } from '../defi/defi-positions.ts'
import { notSynced } from '../errors.ts'
import { defineRoute } from '../route.ts'
import { oldest } from '../shapes.ts'
import { syncedOf } from './holding-set.ts'
import { portfolioParams, selectPortfolios } from './select-portfolios.ts'
import { shareHeaders } from './share-params.ts'
import { syncedWalletsOf } from './synced-wallets.ts'

export const getPortfolioDefi = defineRoute({
  method: 'GET',
  path: '/portfolio/defi',
  tag: 'Portfolios',
  summary: 'Positions of a portfolio in DeFi protocols',
  description:
    'Positions of its wallets, as in /wallet/defi; none without a wallet. 409 while the positions of none of its wallets have been read.',
  query: z.object(portfolioParams),
  headers: shareHeaders,
  response: defiSchema,
  credits: 200,
  plan: 'paid',
  x402: '0.04',
  needsSync: true,
  async handler({ query, headers }, context) {
    const { portfolios } = await selectPortfolios(context, { query, headers })
    const wallets = await syncedWalletsOf(context.db, syncedOf(portfolios))
    const { body, known, priceAsOf } = await defiOf(context.db, wallets)
    if (known.length === 0 && portfolios.some(({ kind }) => kind === 'wallet')) throw notSynced()
    return { body, asOf: oldest(known.map(({ asOf }) => asOf)), priceAsOf }
  },
})
