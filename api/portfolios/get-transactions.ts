import { z } from 'zod'
import { currencyParam, coinIdParam, instantParam, limit, page } from '../params.ts'
import { NOT_AFTER_FROM } from '../reasons.ts'
import { defineRoute } from '../route.ts'
import { pageMetaSimpleSchema } from '../shapes.ts'
import { ageOf, pendingOf } from './holding-set.ts'
import { transactionsPage } from './list-transactions.ts'
import { portfolioTransactionSchema } from './portfolio-transaction.ts'
import { portfolioParams, selectPortfolios } from './select-portfolios.ts'
import { shareHeaders } from './share-params.ts'

const query = z
  .object({
    ...portfolioParams,
    currency: currencyParam().unwrap(),
    page: page(),
    limit: limit(),
    coinId: coinIdParam('Transactions that moved this coin').optional(),
    from: instantParam('Inclusive start').optional(),
    to: instantParam('Exclusive end, after `from`').optional(),
  })
  .superRefine(({ from, to }, context) => {
    if (from && to && from >= to) context.addIssue({ code: 'custom', message: NOT_AFTER_FROM, path: ['to'] })
  })

export const getPortfolioTransactions = defineRoute({
  method: 'GET',
  path: '/portfolio/transactions',
  tag: 'Portfolios',
  summary: 'Transactions of a portfolio, newest first',
  description:
    'One list of wallet, exchange and manual transactions. `totalWorth` uses price and rate of the instant of the transaction, `currentValue` those of now. Without the transactions of portfolios whose history is not complete: `meta.pending` names them.',
  query,
  headers: shareHeaders,
  response: z.object({ data: z.array(portfolioTransactionSchema), meta: pageMetaSimpleSchema }),
  credits: 4,
  plan: 'any',
  x402: '0.001',
  async handler({ query: options, headers }, context) {
    const selected = await selectPortfolios(context, { query: options, headers })
    const { portfolios } = selected
    const { data, priceAsOf } = await transactionsPage(context.db, {
      ...options,
      portfolios,
      now: context.now(),
    })
    return {
      body: { data, meta: { page: options.page, limit: options.limit } },
      asOf: ageOf(portfolios),
      pending: pendingOf(selected),
      priceAsOf,
    }
  },
})
