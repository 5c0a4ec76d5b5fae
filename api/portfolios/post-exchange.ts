import type { z } from 'zod'
import type { Connection } from '../../db/exchanges/read-connection.ts'
import { exchangeSync } from '../../db/sync-commands.ts'
import { notReadYet } from '../errors.ts'
import { connectBody, connectExchange } from '../exchanges/connect.ts'
import { defineRoute } from '../route.ts'
import { isFresh } from '../is-fresh.ts'
import { connectedSchema } from './connected.ts'

export const postPortfolioExchange = defineRoute({
  method: 'POST',
  path: '/portfolio/exchange',
  tag: 'Portfolios',
  summary: 'Connect an exchange account',
  description:
    'Connects as POST /exchange/balance does and returns the same portfolio id. Starts a sync unless the account was synced in the last 30 seconds: poll GET /portfolio/status until `synced`. 503 while the exchange has not answered yet: retry.',
  requestBody: connectBody,
  response: connectedSchema,
  credits: 10,
  plan: 'any',
  x402: null,
  handler: ({ body }, context) => followExchange(context, body),
})

/** Connects an exchange account. Throws 503 while the exchange has not accepted the credentials. */
export async function followExchange(
  context: Parameters<typeof connectExchange>[0],
  offered: z.output<typeof connectBody>,
) {
  const { connection, existed } = await connectExchange(context, offered)
  // Nothing is connected before the exchange has accepted it.
  if (connection.activeVersion === null) throw notReadYet()
  return connectedAnswer({ connection, existed, now: context.now() })
}

/** The answer about a connected exchange account, with the sync that it needs. */
export function connectedAnswer(connected: { connection: Connection; existed: boolean; now: Date }) {
  const { connection, existed, now } = connected
  return {
    body: {
      portfolioId: connection.id,
      connectionId: connection.exchange,
      status: existed ? ('existing' as const) : ('connected' as const),
    },
    asOf: null,
    commands: isFresh(connection, now) ? [] : [exchangeSync(connection.id)],
  }
}
