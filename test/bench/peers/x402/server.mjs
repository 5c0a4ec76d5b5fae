// The stock x402 server for Hono, set up as in its documentation, with the same data as ours: server.mjs
// FACILITATOR_URL PAY_TO PORT DATABASE_URL
import { serve } from '@hono/node-server'
import { HTTPFacilitatorClient } from '@x402/core/server'
import { ExactEvmScheme } from '@x402/evm/exact/server'
import { paymentMiddleware, x402ResourceServer } from '@x402/hono'
import { Hono } from 'hono'
import { getCoins } from '../../../../api/prices/get-coins.ts'
import { getExchangeSupport } from '../../../../api/exchanges/get-support.ts'
import { parseInput } from '../../../../api/parse-input.ts'
import { parseQueryString } from '../../../../api/query-string.ts'
import { toJson } from '../../../../api/to-json.ts'
import { openReads } from '../../../../api/open-pools.ts'

const [facilitatorUrl, payTo, port, databaseUrl] = process.argv.slice(2)
const { db } = openReads({ url: databaseUrl, applicationName: 'peer', tracer: null })
const server = new x402ResourceServer(new HTTPFacilitatorClient({ url: facilitatorUrl })).register(
  'eip155:8453',
  new ExactEvmScheme(),
)
const accepts = [{ scheme: 'exact', price: '$0.001', network: 'eip155:8453', payTo, maxTimeoutSeconds: 60 }]
const routes = [getExchangeSupport, getCoins]
const app = new Hono()
app.use(
  paymentMiddleware(
    Object.fromEntries(
      routes.map(({ path, summary }) => [
        `GET ${path}`,
        { accepts, description: summary, mimeType: 'application/json' },
      ]),
    ),
    server,
  ),
)
for (const route of routes)
  app.get(route.path, async (context) => {
    const query = parseQueryString(new URL(context.req.url).search.slice(1))
    const input = parseInput(route, { path: {}, query, body: undefined, headers: {} })
    const { body } = await route.handler(input, { db, now: () => new Date() })
    return context.body(toJson(body), 200, { 'content-type': 'application/json' })
  })
serve({ fetch: app.fetch, hostname: '127.0.0.1', port: Number(port) })
