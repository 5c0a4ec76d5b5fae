import { z } from 'zod'
import { portfolioIdParam } from '../params.ts'
import { defineRoute } from '../route.ts'
import { syncStatusSchema } from '../shapes.ts'
import { connectionOf, syncStatusOf } from './connection.ts'

export const getExchangeStatus = defineRoute({
  method: 'GET',
  path: '/exchange/status',
  tag: 'Exchanges',
  summary: 'Whether an exchange account is synced',
  description: '`synced` when it has been synced since PATCH /exchange/sync was last asked for.',
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
