import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { request } from 'undici'

// `node-gate.ts NODE`: stands before the node, so that each client sees a head of its own, at its own path, and
// blocks can be followed again. `PUT /client` with a number sets the head. Answers about blocks are kept as
// text: neither side is measured with the time that the node needs for them.

const node = process.argv[2]!
const kept = new Map<string, string>()
const heads = new Map<string, number>()
/** Blocks by `finalized` are those that 64 later ones follow. */
const FINAL = 64
const OF_BLOCKS = /^eth_getBlock/

interface Call {
  id: unknown
  method: string
  params?: unknown[]
}

async function answer(client: string, call: Call): Promise<string> {
  const { id, method } = call
  const head = heads.get(client) ?? 0
  const result = method === 'eth_blockNumber' ? JSON.stringify(hex(head)) : await ask(call, head)
  return result.startsWith('{"error"')
    ? `{"jsonrpc":"2.0","id":${JSON.stringify(id)},${result.slice(1)}`
    : `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${result}}`
}

async function ask({ method, params = [] }: Call, head: number): Promise<string> {
  const [key, ...rest] = params
  const at = key === 'latest' ? hex(head) : key === 'finalized' ? hex(Math.max(0, head - FINAL)) : key
  if (OF_BLOCKS.test(method) && typeof at === 'string' && at.length < 20 && Number(at) > head) return 'null'
  const body = JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    method,
    params: params.length > 0 ? [at, ...rest] : [],
  })
  const known = kept.get(body)
  if (known !== undefined) return known
  const headers = { 'content-type': 'application/json' }
  const response = await request(node, { method: 'POST', headers, body })
  const text = await response.body.text()
  const start = text.indexOf('"result":')
  if (start < 0) return JSON.stringify({ error: (JSON.parse(text) as { error: unknown }).error })
  const result = text.slice(start + '"result":'.length, text.lastIndexOf('}'))
  if (OF_BLOCKS.test(method)) kept.set(body, result)
  return result
}

async function serve(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
  const parts: Buffer[] = []
  for await (const part of incoming) parts.push(part as Buffer)
  const text = Buffer.concat(parts).toString()
  const client = incoming.url!
  response.setHeader('content-type', 'application/json')
  if (incoming.method === 'PUT') {
    heads.set(client, Number(text))
    response.end('true')
    return
  }
  const body = JSON.parse(text) as Call | Call[]
  if (!Array.isArray(body)) response.end(await answer(client, body))
  else response.end(`[${(await Promise.all(body.map((call) => answer(client, call)))).join(',')}]`)
}

const hex = (number: number) => `0x${number.toString(16)}`

const server = createServer((incoming, response) => {
  serve(incoming, response).catch((error: Error) => response.writeHead(502).end(error.message))
})
server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as AddressInfo).port }))
process.on('disconnect', () => process.exit(0))
