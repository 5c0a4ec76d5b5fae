import { z } from 'zod'
import { readBookSet } from '../../db/pnl/books.ts'
import { PRICE_TABLES, rangeEnds } from '../figures/holders.ts'
import { defineRoute } from '../route.ts'
import { plHistory, plHistorySchema } from '../pnl/pl-history.ts'
import { plShape } from '../pnl/pl-window.ts'
import { ageOf, pendingOf } from './holding-set.ts'
import { portfoliosShown } from './portfolios-shown.ts'
import { portfolioParams, selectPortfolios } from './select-portfolios.ts'
import { shareHeaders } from './share-params.ts'

export const getPortfolioPlHistory = defineRoute({
  method: 'GET',
  path: '/portfolio/pl/history',
  tag: 'Portfolios',
  summary: 'Profit and loss of a portfolio over time',
  description:
    'As in /wallet/pl/history: cash-flow-adjusted, in UTC periods. Pass `range`, or `from` and `to`. Transfers between combined portfolios do not count as flows. Empty before the first transaction, and until a history is complete: `meta.pending` names portfolios whose history is not.',
  query: z.object({ ...portfolioParams, ...plShape }),
  headers: shareHeaders,
  response: plHistorySchema,
  credits: 25,
  plan: 'any',
  x402: null,
  figures: {
    holdersOf: (input, context) => (input.query.range === undefined ? null : portfoliosShown(input, context)),
    reads: PRICE_TABLES,
    instants: ({ query }, nowMs) => rangeEnds(query.range!, nowMs),
  },
  handler: ({ query, headers }, context) =>
    plHistory(context.db, {
      query,
      now: context.now(),
      async readScope() {
        const selected = await selectPortfolios(context, { query, headers })
        const set = await readBookSet(context.db, selected)
        return { ...set, lastSyncedAt: ageOf(selected.portfolios), pending: pendingOf(selected) }
      },
    }),
})
