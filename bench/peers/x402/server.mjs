// The stock x402 server for Hono as its documentation sets it up, before the data that ours answers with:
// server.mjs FACILITATOR_URL PAY_TO PORT
import { serve } from '@hono/node-server'
import { HTTPFacilitatorClient } from '@x402/core/server'
import { ExactEvmScheme } from '@x402/evm/exact/server'
import { paymentMiddleware, x402ResourceServer } from '@x402/hono'
import { Hono } from 'hono'
import { getExchangeSupport } from '../../../api/exchange/get-support.ts'

const [facilitatorUrl, payTo, port] = process.argv.slice(2)
const server = new x402ResourceServer(new HTTPFacilitatorClient({ url: facilitatorUrl })).register(
  'eip155:8453',
  new ExactEvmScheme(),
)
const accepts = [{ scheme: 'exact', price: '$0.001', network: 'eip155:8453', payTo, maxTimeoutSeconds: 60 }]
const app = new Hono()
app.use(
  paymentMiddleware(
    {
      'GET /exchange/support': {
        accepts,
        description: 'Exchanges that accounts can be connected at',
        mimeType: 'application/json',
      },
    },
    server,
  ),
)
app.get('/exchange/support', async (context) => context.json((await getExchangeSupport.handler()).body))
serve({ fetch: app.fetch, hostname: '127.0.0.1', port: Number(port) })
