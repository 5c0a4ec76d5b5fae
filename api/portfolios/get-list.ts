import { z } from 'zod'
import { defineRoute } from '../route.ts'
import { describePortfolio } from './describe-portfolio.ts'
import { selectPortfolios } from './select-portfolios.ts'

export const getPortfolioList = defineRoute({
  method: 'GET',
  path: '/portfolio/list',
  tag: 'Portfolios',
  summary: 'Portfolios of the account',
  description: 'Wallets, exchange accounts and manual portfolios; the oldest first.',
  response: z.object({
    result: z.array(
      z.object({
        portfolioId: z.string(),
        portfolioName: z.string(),
        portfolioType: z.enum(['manual', 'wallet', 'exchange']),
      }),
    ),
  }),
  credits: 5,
  plan: 'any',
  x402: null,
  async handler(_input, context) {
    const { portfolios } = await selectPortfolios(context, { query: {}, headers: {} })
    return {
      body: {
        result: portfolios.map((portfolio) => ({
          portfolioId: portfolio.id,
          portfolioName: describePortfolio(portfolio).name,
          portfolioType: portfolio.kind,
        })),
      },
      asOf: null,
    }
  },
})
