import { z } from 'zod'
import { readBooks } from '../../db/pnl/books.ts'
import { notSynced } from '../errors.ts'
import { COIN_TABLES } from '../figures/holders.ts'
import { portfolioIdParam } from '../params.ts'
import { defineRoute } from '../route.ts'
import { holdings, holdingsSchema, holdingsShape } from '../chain/holdings.ts'
import { exchangeShown } from './exchange-shown.ts'
import { connectionOf, pendingOf } from './connection.ts'

export const getExchangePl = defineRoute({
  method: 'GET',
  path: '/exchange/pl',
  tag: 'Exchanges',
  summary: 'Cost and profit of the coins of an exchange account',
  description:
    'Uses average cost and includes sold coins with their realised profit. As in /wallet/pl, realised plus unrealised profit of all coins equals the profit of /exchange/pl/history. Returns 409 before the first sync.',
  query: z.object({ portfolioId: portfolioIdParam(), ...holdingsShape }),
  response: holdingsSchema,
  credits: 25,
  plan: 'any',
  x402: null,
  needsSync: true,
  figures: { holdersOf: exchangeShown, reads: COIN_TABLES },
  async handler({ query }, context) {
    const connection = await connectionOf(context, query.portfolioId)
    const { id, syncedAt, coveredTo } = connection
    if (!syncedAt) throw notSynced()
    const books = await readBooks(context.db, [{ connectionId: id }])
    return {
      ...(await holdings(context.db, { books, query, now: context.now() })),
      asOf: coveredTo,
      pending: pendingOf(connection),
    }
  },
})
