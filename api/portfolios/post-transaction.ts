import { z } from 'zod'
import { recomputePortfolio } from '../../db/portfolios/commands.ts'
import { uuidV7 } from '../../db/values/uuid-v7.ts'
import { additionForbidden, shareTokenRequired } from '../errors.ts'
import { identifierField } from '../body-fields.ts'
import { defineRoute } from '../route.ts'
import { portfolioTransactionSchema } from './portfolio-transaction.ts'
import { selectPortfolios } from './select-portfolios.ts'
import { shareHeaders, shareParams } from './share-params.ts'
import { exactText, statedFields, statedTransaction } from './stated-transaction.ts'

const body = z.strictObject({
  coinId: statedFields.coinId,
  count: statedFields.count,
  date: statedFields.date.optional().describe('Unix time in milliseconds; now when absent'),
  price: statedFields.price
    .optional()
    .describe('Price of one in `currency`; the price at that instant when absent'),
  currency: statedFields.currency.default('USD'),
  notes: statedFields.notes.optional(),
  portfolioId: identifierField().optional(),
})

export const postPortfolioTransaction = defineRoute({
  method: 'POST',
  path: '/portfolio/transaction',
  tag: 'Portfolios',
  summary: 'Add a transaction to a manual portfolio',
  description:
    'The figures of the portfolio are recomputed from the day of the transaction on; GET /portfolio/status returns `synced` when they are ready. When you sell more than is held, the missing amount is added at that instant. PATCH and DELETE take the `id` of the answer.',
  query: z.object(shareParams),
  headers: shareHeaders,
  requestBody: body,
  response: portfolioTransactionSchema,
  credits: 4,
  plan: 'any',
  x402: null,
  async handler({ body: input, query, headers }, context) {
    const { portfolioId } = input
    const token = headers.sharetoken ?? query.shareToken
    if (portfolioId === undefined && token === undefined) throw shareTokenRequired()
    const { accountId, portfolios } = await selectPortfolios(context, {
      query: { ...query, portfolioId },
      headers,
    })
    const portfolio = portfolios[0]!
    if (accountId !== context.account?.id || portfolio.kind !== 'manual') throw additionForbidden()
    const now = context.now()
    const stated = {
      id: uuidV7(now.getTime()),
      at: input.date === undefined ? now : new Date(input.date),
      coinId: input.coinId,
      count: exactText(input.count),
      price: input.price === undefined ? null : exactText(input.price),
      currency: input.currency,
      note: input.notes || null,
    }
    const answer = await statedTransaction({ db: context.db, now }, { stated, portfolio })
    return {
      body: answer.body,
      asOf: null,
      writes: [{ kind: 'add', portfolioId: portfolio.id, ...answer.row }],
      commands: [recomputePortfolio(portfolio.id)],
    }
  },
})
