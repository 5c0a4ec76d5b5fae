import { z } from 'zod'
import { recomputePortfolio } from '../../db/portfolios/commands.ts'
import { defineRoute } from '../route.ts'
import { findTransaction, transactionIdParam } from './find-transaction.ts'

export const deletePortfolioTransaction = defineRoute({
  method: 'DELETE',
  path: '/portfolio/transaction/{id}',
  tag: 'Portfolios',
  summary: 'Delete a transaction of a manual portfolio',
  description:
    'The figures of the portfolio are recomputed from the day of the transaction on; GET /portfolio/status returns `synced` when they are ready. Snapshots and answers with `asOf` keep what was known at their time. A second call returns 404.',
  pathParams: z.object({ id: transactionIdParam() }),
  response: z.object({ success: z.boolean() }),
  credits: 4,
  plan: 'any',
  x402: null,
  async handler({ path: { id } }, { db, account }) {
    const { version, portfolioId } = (await findTransaction(db, { accountId: account?.id, id })).transaction
    return {
      body: { success: true },
      asOf: null,
      writes: [{ kind: 'delete', id, portfolioId, version }],
      commands: [recomputePortfolio(portfolioId)],
    }
  },
})
