import { z } from 'zod'
import { invalidParameter } from '../errors.ts'
import { portfolioIdParam } from '../params.ts'
import { defineRoute } from '../route.ts'
import { syncStatusSchema } from '../shapes.ts'
import { selectPortfolios } from './select-portfolios.ts'
import { shareHeaders, shareParams } from './share-params.ts'
import { isSynced } from './sync-status.ts'

export const getPortfolioStatus = defineRoute({
  method: 'GET',
  path: '/portfolio/status',
  tag: 'Portfolios',
  summary: 'Whether a portfolio is synced',
  description:
    '`synced` once the wallet or exchange account has been synced since the last sync request, and the figures of the portfolio and of the account are computed, with the DeFi positions of a wallet. Then all reads of it agree, and none says `X-Sync-Status: syncing`. Needs `portfolioId` or a share token.',
  query: z.object({ portfolioId: portfolioIdParam().optional(), ...shareParams }),
  headers: shareHeaders,
  response: syncStatusSchema.extend({
    message: z.string().optional().describe('What is being read on a followed network'),
  }),
  credits: 3,
  plan: 'any',
  x402: null,
  async handler({ query, headers }, context) {
    const { portfolios, isWhole } = await selectPortfolios(context, { query, headers })
    if (isWhole) throw invalidParameter('portfolioId', 'Either it or a share token is required')
    const portfolio = portfolios[0]!
    const { message, asOf } = portfolio
    const status = isSynced(portfolio) ? ('synced' as const) : ('syncing' as const)
    return { body: { status, ...(message !== null && { message: `${message}.` }) }, asOf }
  },
})
