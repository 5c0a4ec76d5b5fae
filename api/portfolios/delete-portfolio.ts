import { z } from 'zod'
import { portfolioIdParam } from '../params.ts'
import { defineRoute } from '../route.ts'
import { removePortfolio } from '../../db/portfolios/commands.ts'
import { selectPortfolios } from './select-portfolios.ts'

export const deletePortfolio = defineRoute({
  method: 'DELETE',
  path: '/portfolio/{portfolioId}',
  tag: 'Portfolios',
  summary: 'Remove a portfolio',
  description:
    'Also removes its share links and everything that only this portfolio has: manual transactions, or the credentials of an exchange account and all data read with them. Chain data stays. A second call returns 404.',
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
