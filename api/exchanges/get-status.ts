import { z } from 'zod'
import { portfolioIdParam } from '../params.ts'
import { defineRoute } from '../route.ts'
import { syncStatusSchema } from '../shapes.ts'
import { connectionOf, syncStatusOf } from './connection.ts'

export const getExchangeStatus = defineRoute({
  method: 'GET',
  path: '/exchange/status',
  tag: 'Exchanges',
  summary: 'Sync status of an exchange account',
  description:
    '`synced` when a sync has completed since the last PATCH /exchange/sync and the figures are computed.',
  query: z.object({ portfolioId: portfolioIdParam() }),
  response: syncStatusSchema,
  credits: 3,
  plan: 'any',
  x402: null,
  async handler({ query: { portfolioId } }, context) {
    const connection = await connectionOf(context, portfolioId)
    return { body: { status: syncStatusOf(connection) }, asOf: connection.coveredTo }
  },
})
