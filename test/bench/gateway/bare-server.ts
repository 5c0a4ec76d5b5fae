import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import pg from 'pg'
import { getExchangeSupport } from '../../../api/exchanges/get-support.ts'
import { challengeOf, NO_PAYMENT } from '../../../gateway/payment/challenge.ts'
import { createChainRpc } from '../../../gateway/chain/chain-rpc.ts'
import { createJsonClient } from '../../../gateway/settlement/json-client.ts'
import { requirementOf } from '../../../gateway/payment/requirement.ts'

// bare-server.ts FACILITATOR_URL PAY_TO PORT [DATABASE_URL RPC_URL] The lower limit of a paid call: two
// requests to the facilitator and an answer. It checks and stores nothing. With a database it stores the
// minimum with the smallest statements, and asks the chain whether it was paid.

const [facilitatorUrl, payTo, port, databaseUrl, rpcUrl] = process.argv.slice(2)
const books = databaseUrl && rpcUrl ? await openBooks(databaseUrl, rpcUrl) : null
// This handler uses neither input nor context.
const { body } = await getExchangeSupport.handler({} as never, {} as never)
const answer = JSON.stringify(body)
const requirement = requirementOf({ units: 1_000n, payTo: payTo! })
const client = createJsonClient({
  origin: new URL(facilitatorUrl!).origin,
  connectDeadlineMs: 5_000,
  maxBytes: 65_536,
})
const ask = (path: string, request: string) => client.ask({ path, body: request, deadlineMs: 30_000 })
const toHeader = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64')

async function answerOne(request: IncomingMessage, response: ServerResponse): Promise<void> {
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
  await books?.claim(header)
  await Promise.all([ask('/verify', asked), books?.store(header, answer)])
  const { json: receipt } = await ask('/settle', asked)
  await books?.settle(header, (receipt as { transaction: string }).transaction)
  response
    .writeHead(200, { 'content-type': 'application/json', 'payment-response': toHeader(receipt) })
    .end(answer)
}

createServer((request, response) => void answerOne(request, response)).listen(Number(port), '127.0.0.1')

/** The writes of a payment: before verify, before settle (durable), and before the answer. */
async function openBooks(url: string, nodeUrl: string) {
  const open = (durability: 'on' | 'off') =>
    new pg.Pool({ connectionString: url, max: 6, options: `-c synchronous_commit=${durability}` })
  const [durable, fast] = [open('on'), open('off')]
  await fast.query('create table bare_payments (payment text primary key, answer text, transaction text)')
  const rpc = createChainRpc(nodeUrl)
  return {
    claim: (payment: string) =>
      fast.query({ name: 'claim', text: 'insert into bare_payments values ($1)', values: [payment] }),
    store: (payment: string, body: string) =>
      durable.query({
        name: 'store',
        text: 'update bare_payments set answer = $2 where payment = $1',
        values: [payment, body],
      }),
    settle: async (payment: string, transaction: string) => {
      await rpc('eth_getTransactionReceipt', [transaction])
      await fast.query({
        name: 'settle',
        text: 'update bare_payments set transaction = $2 where payment = $1',
        values: [payment, transaction],
      })
    },
  }
}
