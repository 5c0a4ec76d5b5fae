import { z } from 'zod'
import { defineRoute } from '../route.ts'
import { connectionOf, exchangeSyncId, portfolioIdParam } from './connection.ts'

/** A sync that is not older is not done again. */
const FRESH_MS = 30_000

export const patchExchangeSync = defineRoute({
  method: 'PATCH',
  path: '/exchange/sync',
  tag: 'Exchanges',
  summary: 'Starts the sync of an exchange account',
  description:
    'Fills, deposits, withdrawals and balances. It runs on its own: poll GET /exchange/status until `synced`. One sync runs per account, however often it is asked for.',
  query: z.object({ portfolioId: portfolioIdParam() }),
  response: z.object({ success: z.boolean() }),
  credits: 20,
  plan: 'any',
  x402: null,
  async handler({ query: { portfolioId } }, context) {
    const { id, syncedAt, requested } = await connectionOf(context, portfolioId)
    const fresh = syncedAt && !requested && context.now().getTime() - syncedAt.getTime() < FRESH_MS
    return {
      body: { success: true },
      asOf: null,
      commands: fresh
        ? []
        : [{ workflow: 'syncExchange', workflowId: exchangeSyncId(id), input: { connectionId: id } }],
    }
  },
})
