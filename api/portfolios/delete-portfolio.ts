import { z } from 'zod'
import { portfolioIdParam } from '../params.ts'
import { defineRoute } from '../route.ts'
import { removePortfolio } from '../../db/portfolios/commands.ts'
import { selectPortfolios } from './select-portfolios.ts'

export const deletePortfolio = defineRoute({
  method: 'DELETE',
  path: '/portfolio/{portfolioId}',
  tag: 'Portfolios',
  summary: 'Removes a portfolio',
  description:
    'With its share links, and with everything that only it has: transactions that were stated by hand; of an account at an exchange the credentials and all that was read with them. What is on a chain stays known. 404 the second time.',
  pathParams: z.object({ portfolioId: portfolioIdParam() }),
  response: z.object({ success: z.boolean() }),
  credits: 10,
  plan: 'any',
  x402: null,
  async handler({ path: { portfolioId } }, context) {
    const { accountId, portfolios } = await selectPortfolios(context, { query: { portfolioId }, headers: {} })
    const id = portfolios[0]!.id
    return {
      body: { success: true },
      asOf: null,
      writes: [{ kind: 'remove', id }],
      commands: [removePortfolio({ accountId, portfolioId: id })],
    }
  },
})
