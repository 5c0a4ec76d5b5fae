import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { getExchangeSupport } from '../../api/exchange/get-support.ts'
import { challengeOf, NO_PAYMENT } from '../../gateway/challenge.ts'
import { createJsonClient } from '../../gateway/json-client.ts'
import { requirementOf } from '../../gateway/requirement.ts'

// The limit: what it takes to ask the facilitator twice and to answer. It looks at nothing, and keeps nothing.

const [facilitatorUrl, payTo, port] = process.argv.slice(2)
// It uses none of what a handler is given.
const { body } = await getExchangeSupport.handler({} as never, {} as never)
const answer = JSON.stringify(body)
const requirement = requirementOf({ units: 1_000n, payTo: payTo! })
const client = createJsonClient({
  origin: new URL(facilitatorUrl!).origin,
  ...{ connectDeadlineMs: 5_000, maxBytes: 65_536 },
})
const ask = (path: string, request: string) => client.ask({ path, body: request, deadlineMs: 30_000 })
const toHeader = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64')

async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const header = request.headers['payment-signature']
  if (typeof header !== 'string') {
    const url = `http://127.0.0.1:${port}${request.url}`
    const words = { error: NO_PAYMENT, description: '', requestId: '', path: '' }
    const challenge = challengeOf({ requirement, url, ...words })
    response.writeHead(402, { 'payment-required': challenge.header }).end()
    return
  }
  const paymentPayload: unknown = JSON.parse(Buffer.from(header, 'base64').toString())
  const asked = JSON.stringify({ x402Version: 2, paymentPayload, paymentRequirements: requirement })
  await ask('/verify', asked)
  const { json: receipt } = await ask('/settle', asked)
  response
    .writeHead(200, { 'content-type': 'application/json', 'payment-response': toHeader(receipt) })
    .end(answer)
}

createServer((request, response) => void serve(request, response)).listen(Number(port), '127.0.0.1')
