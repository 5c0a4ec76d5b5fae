import { z } from 'zod'
import { readBooks } from '../../db/pnl/books.ts'
import { notSynced } from '../errors.ts'
import { portfolioIdParam } from '../params.ts'
import { defineRoute } from '../route.ts'
import { holdings, holdingsSchema, holdingsShape } from '../chain/holdings.ts'
import { connectionOf } from './connection.ts'

export const getExchangePl = defineRoute({
  method: 'GET',
  path: '/exchange/pl',
  tag: 'Exchanges',
  summary: 'Coins of an exchange account with what they cost and earned',
  description:
    'At average cost; the coins that were held once as well, for what they earned. As /wallet/pl: over all coins what is realised and unrealised is the profit of /exchange/pl/history. 409 before the first sync.',
  query: z.object({ portfolioId: portfolioIdParam(), ...holdingsShape }),
  response: holdingsSchema,
  credits: 25,
  plan: 'any',
  x402: null,
  needsSync: true,
  async handler({ query }, context) {
    const { id, syncedAt, coveredTo } = await connectionOf(context, query.portfolioId)
    if (!syncedAt) throw notSynced()
    const books = await readBooks(context.db, [{ connectionId: id }])
    return { body: await holdings(context.db, { books, query, now: context.now() }), asOf: coveredTo }
  },
})
