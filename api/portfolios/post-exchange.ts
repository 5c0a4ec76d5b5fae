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
  summary: 'Connects an account at an exchange',
  description:
    'As POST /exchange/balance does, with the same portfolio id; its sync starts as well, unless it was synced in the last 30 seconds: poll GET /portfolio/status until `synced`. 503 while the exchange has not answered yet: ask again.',
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
