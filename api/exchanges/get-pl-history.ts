import { z } from 'zod'
import { readBooks } from '../../db/pnl/books.ts'
import { PRICE_TABLES, rangeEnds } from '../figures/holders.ts'
import { portfolioIdParam } from '../params.ts'
import { defineRoute } from '../route.ts'
import { plHistory, plHistorySchema } from '../pnl/pl-history.ts'
import { plShape } from '../pnl/pl-window.ts'
import { exchangeShown } from './exchange-shown.ts'
import { connectionOf, pendingOf } from './connection.ts'

export const getExchangePlHistory = defineRoute({
  method: 'GET',
  path: '/exchange/pl/history',
  tag: 'Exchanges',
  summary: 'Profit and loss of an exchange account over time',
  description:
    'Cash-flow-adjusted profit in UTC periods, as in /wallet/pl/history. Send `range`, or `from` and `to`. Deposits, withdrawals, adjustments and balances that the history does not explain are flows; rewards are profit. Empty until the history is complete: `meta.pending` then has the id.',
  query: z.object({ portfolioId: portfolioIdParam(), ...plShape }),
  response: plHistorySchema,
  credits: 25,
  plan: 'any',
  x402: null,
  figures: {
    holdersOf: (input, context) => (input.query.range === undefined ? null : exchangeShown(input, context)),
    reads: PRICE_TABLES,
    instants: ({ query }, nowMs) => rangeEnds(query.range!, nowMs),
  },
  handler: ({ query }, context) =>
    plHistory(context.db, {
      query,
      now: context.now(),
      async readScope() {
        const connection = await connectionOf(context, query.portfolioId)
        const { id, syncedAt, coveredTo } = connection
        const pending = pendingOf(connection)
        if (!syncedAt) return { books: [], lastSyncedAt: null, pending }
        const books = await readBooks(context.db, [{ connectionId: id }])
        return { books, lastSyncedAt: coveredTo, pending }
      },
    }),
})
