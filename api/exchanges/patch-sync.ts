import { z } from 'zod'
import { exchangeSync } from '../../db/sync-commands.ts'
import { portfolioIdParam } from '../params.ts'
import { defineRoute } from '../route.ts'
import { isFresh } from '../is-fresh.ts'
import { connectionOf } from './connection.ts'

export const patchExchangeSync = defineRoute({
  method: 'PATCH',
  path: '/exchange/sync',
  tag: 'Exchanges',
  summary: 'Start the sync of an exchange account',
  description:
    'Reads fills, deposits, withdrawals and balances in the background: poll GET /exchange/status until `synced`. Only one sync runs per account, however often it is requested.',
  query: z.object({ portfolioId: portfolioIdParam() }),
  response: z.object({ success: z.boolean() }).meta({ title: 'Success' }),
  credits: 20,
  plan: 'any',
  x402: null,
  async handler({ query: { portfolioId } }, context) {
    const connection = await connectionOf(context, portfolioId)
    return {
      body: { success: true },
      asOf: null,
      commands: isFresh(connection, context.now()) ? [] : [exchangeSync(connection.id)],
    }
  },
})
