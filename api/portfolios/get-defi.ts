import { z } from 'zod'
import type { Portfolio } from '../../db/portfolios/read-portfolios.ts'
import { defiOf, defiSchema } from '../defi/defi-positions.ts'
import { defineRoute } from '../route.ts'
import { oldest } from '../shapes.ts'
import { portfolioParams, selectPortfolios } from './select-portfolios.ts'
import { shareHeaders } from './share-params.ts'
import { syncedWalletsOf } from './synced-wallets.ts'

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
    const wallets = await syncedWalletsOf(context.db, portfolios)
    const { body, known, unread, priceAsOf } = await defiOf(context.db, wallets)
    const keyOf = (at: { address: string; networkId: string }) => `${at.networkId}:${at.address}`
    const missing = new Set(unread.map(keyOf))
    const isMissing = (portfolio: Portfolio) =>
      portfolio.kind === 'wallet' && (portfolio.syncedAt === null || missing.has(keyOf(portfolio)))
    return {
      body,
      asOf: oldest(known.map(({ asOf }) => asOf)),
      priceAsOf,
      pending: portfolios.filter(isMissing).map(({ id }) => id),
    }
  },
})
