import { z } from 'zod'
import { recomputePortfolio } from '../../db/portfolios/commands.ts'
import { defineRoute } from '../route.ts'
import { findTransaction, transactionIdParam } from './find-transaction.ts'
import { portfolioTransactionSchema } from './portfolio-transaction.ts'
import { exactText, statedFields, statedTransaction } from './stated-transaction.ts'

const body = z
  .strictObject({
    ...statedFields,
    price: statedFields.price
      .nullable()
      .describe('Price of one in `currency`; null: the price at the instant of the transaction'),
    currency: statedFields.currency.describe('Currency of `price`'),
    notes: statedFields.notes.describe('An empty text removes the note'),
  })
  .partial()
  .refine((fields) => Object.keys(fields).length > 0, 'It must have at least one field')

export const patchPortfolioTransaction = defineRoute({
  method: 'PATCH',
  path: '/portfolio/transaction/{id}',
  tag: 'Portfolios',
  summary: 'Correct a transaction of a manual portfolio',
  description:
    'Fields that are absent keep their value. The figures of the portfolio are recomputed from the earlier of the old and the new day on; GET /portfolio/status returns `synced` when they are ready. Snapshots and answers with `asOf` keep what was known at their time.',
  pathParams: z.object({ id: transactionIdParam() }),
  requestBody: body,
  response: portfolioTransactionSchema,
  credits: 4,
  plan: 'any',
  x402: null,
  async handler({ path: { id }, body: input }, context) {
    const { transaction, portfolio } = await findTransaction(context.db, {
      accountId: context.account?.id,
      id,
    })
    const { version, portfolioId, ...known } = transaction
    const { coinId, currency } = input
    const stated = {
      ...known,
      ...(coinId !== undefined && { coinId }),
      ...(input.count !== undefined && { count: exactText(input.count) }),
      ...(input.date !== undefined && { at: new Date(input.date) }),
      ...(input.price !== undefined && { price: input.price === null ? null : exactText(input.price) }),
      ...(currency !== undefined && { currency }),
      ...(input.notes !== undefined && { note: input.notes || null }),
    }
    const answer = await statedTransaction({ db: context.db, now: context.now() }, { stated, portfolio })
    return {
      body: answer.body,
      asOf: null,
      writes: [{ kind: 'correct', portfolioId, version, ...answer.row }],
      commands: [recomputePortfolio(portfolioId)],
    }
  },
})
