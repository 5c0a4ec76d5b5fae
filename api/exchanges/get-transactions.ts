import { z } from 'zod'
import { TRANSACTION_TYPES } from '../../db/chain/read-transactions.ts'
import type { ReadonlyDb } from '../../db/schema.ts'
import { readTransactions } from '../../db/exchanges/read-transactions.ts'
import { readRatesAt } from '../../db/prices/read-prices.ts'
import { currentRate } from '../prices/current-rate.ts'
import { notSynced } from '../errors.ts'
import {
  booleanParam,
  currencyParam,
  enumListParam,
  instantParam,
  limit,
  page,
  portfolioIdParam,
} from '../params.ts'
import { NOT_AFTER_FROM } from '../reasons.ts'
import { defineRoute } from '../route.ts'
import { currentPrices } from '../chain/current-prices.ts'
import type { Rates } from '../../db/chain/served-transaction.ts'
import { transactionPageSchema } from '../chain/get-transactions.ts'
import { connectionOf, pendingOf } from './connection.ts'
import { oldest } from '../shapes.ts'
import { exchangeTransaction, mainCoin } from '../../db/exchanges/served-transaction.ts'

const query = z
  .object({
    portfolioId: portfolioIdParam(),
    page: page(),
    limit: limit(),
    from: instantParam('Inclusive start').optional(),
    to: instantParam('Exclusive end, after `from`').optional(),
    currency: currencyParam(),
    types: enumListParam(TRANSACTION_TYPES).optional(),
    hideUnidentifiedCoins: booleanParam({ default: false, numeric: true }),
  })
  .superRefine(({ from, to }, context) => {
    if (from && to && from >= to) context.addIssue({ code: 'custom', message: NOT_AFTER_FROM, path: ['to'] })
  })

export const getExchangeTransactions = defineRoute({
  method: 'GET',
  path: '/exchange/transactions',
  tag: 'Exchanges',
  summary: 'Transactions of an exchange account, newest first',
  description: 'Settled fills, conversions, deposits and withdrawals. Returns 409 before the first sync.',
  query,
  response: transactionPageSchema,
  credits: 4,
  plan: 'any',
  x402: null,
  needsSync: true,
  async handler({ query: options }, context) {
    const { db, now } = context
    const connection = await connectionOf(context, options.portfolioId)
    const { id, syncedAt, coveredTo } = connection
    if (!syncedAt) throw notSynced()
    const at = now()
    const rateNow = Number(await currentRate(db, { currency: options.currency, now: at }))
    const rows = await readTransactions(db, {
      connectionId: id,
      filter: options,
      offset: (options.page - 1) * options.limit,
      limit: options.limit,
    })
    const rates = await ratesOf(db, {
      currency: options.currency,
      instants: rows.map((row) => row.at),
      rateNow,
    })
    const { usd: prices, at: pricedAt } = await currentPrices(db)(at.getTime())
    return {
      body: {
        meta: { page: options.page, limit: options.limit },
        result: rows.map((row, index) => exchangeTransaction(row, { prices, rates: rates[index]! })),
      },
      asOf: coveredTo,
      pending: pendingOf(connection),
      priceAsOf: oldest(
        rows.map((row, index) => pricedAt.get(mainCoin(row, { prices, rates: rates[index]! })?.coinId ?? '')),
      ),
    }
  },
})

/** A currency without history uses its current rate at every instant. */
async function ratesOf(
  db: ReadonlyDb,
  options: { currency: string; instants: readonly Date[]; rateNow: number },
): Promise<Rates[]> {
  const { instants, rateNow } = options
  const then = instants.length === 0 ? [] : await readRatesAt(db, options)
  return instants.map((_, index) => ({ then: Number(then?.[index] ?? rateNow), now: rateNow }))
}
