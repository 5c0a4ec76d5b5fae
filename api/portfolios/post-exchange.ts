import { exchangeSync } from '../../db/sync-commands.ts'
import { unavailable } from '../errors.ts'
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
  async handler({ body }, context) {
    const { connection, existed } = await connectExchange(context, body)
    // Nothing is connected before the exchange has accepted it.
    if (connection.activeVersion === null) throw unavailable()
    return {
      body: {
        portfolioId: connection.id,
        connectionId: connection.exchange,
        status: existed ? 'existing' : 'connected',
      },
      asOf: null,
      commands: isFresh(connection, context.now()) ? [] : [exchangeSync(connection.id)],
    }
  },
})
