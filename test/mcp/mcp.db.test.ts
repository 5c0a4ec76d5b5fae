import { readFileSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { openApiDocument } from '../../api/openapi.ts'
import { routes } from '../../api/routes.ts'
import { sendTo } from '../../clients/mcp/call-api.ts'
import { createMcpServers } from '../../clients/mcp/mcp-server.ts'
import { type HttpMcp, serveHttp } from '../../clients/mcp/serve-http.ts'
import { serveStreams } from '../../clients/mcp/serve-stdio.ts'
import { targetsOf } from '../api/well-spelled-requests.ts'
import { share, sharingAccount } from '../portfolios/share-probe.ts'
import { BARE_ENVIRONMENT } from '../setup/bare-environment.ts'
import { startApi } from '../setup/api.ts'
import { testDatabase } from '../setup/database.ts'
import { startOfPeriod } from '../../db/values/periods.ts'
import { insertCoin, insertPrices, insertRates } from '../setup/factories.ts'
import { runCommand } from '../cli/run-command.ts'
import { sluiceOn } from '../cli/sluice-on.ts'
import { argumentsOf } from './arguments-of.ts'

// The official client, with both generations of the protocol, against the real API.

const database = await testDatabase()
const api = await startApi({ database, routes })
const { key } = await api.newAccount({ plan: 'enterprise', credits: 9_000_000_000 })
const url = `http://127.0.0.1:${api.port}/v1`
const document = openApiDocument(routes)
const targets = targetsOf(document)
const ROOT = join(import.meta.dirname, '../..')
let served: HttpMcp

beforeAll(async () => {
  const at = new Date()
  const hour = (n: number) => new Date(Math.floor(at.getTime() / 3_600_000 - n) * 3_600_000)
  for (const [id, symbol, priceUsd] of [
    ['bitcoin', 'btc', '50000'],
    ['ethereum', 'eth', '2500'],
  ] as const) {
    await insertCoin(api.owner, { id, symbol, name: id, priceUsd, at })
    const points = Array.from({ length: 24 }, (_, n) => [hour(24 - n), priceUsd] as const)
    await insertPrices(api.owner, { coinId: id, resolution: 'hour', points })
  }
  await insertRates(api.owner, {
    currency: 'EUR',
    rates: [[new Date(startOfPeriod('daily', at.getTime())), '0.8']],
  })
  served = await serveHttp({ factory: createMcpServers({ routes, send: sendTo(url), key: null }), port: 0 })
  return () => served.close()
})

async function connectHttp(
  headers: Record<string, string>,
  mode: 'legacy' | 'auto' = 'auto',
): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } })
  await client.connect(new StreamableHTTPClientTransport(new URL(served.url), { requestInit: { headers } }))
  return client
}

const stdioClients: Client[] = []
afterAll(() => Promise.all(stdioClients.map((client) => client.close())))
/** Starts the server the way docs/clients.md tells clients to. */
async function connectStdio(): Promise<Client> {
  const [, text] = /^### stdio\n.*?```json\n(.*?)```/ms.exec(
    readFileSync(join(ROOT, 'docs/clients.md'), 'utf8'),
  )!
  const { command, args, env } = JSON.parse(text!.replace('/path/to/sluice', ROOT)).mcpServers.sluice
  expect(Object.keys(env)).toEqual(['SLUICE_URL', 'SLUICE_API_KEY'])
  const own = { ...BARE_ENVIRONMENT, SLUICE_URL: url, SLUICE_API_KEY: key }
  const client = new Client({ name: 'test', version: '1' })
  stdioClients.push(client)
  await client.connect(new StdioClientTransport({ command, args, env: own }))
  return client
}

/** Parses an answer without the fields that differ between requests: id and current time. */
function comparable(text: string): unknown {
  const own = ['requestId', 'timestamp', 'to']
  return JSON.parse(text, (name, value: unknown) => (own.includes(name) ? typeof value : value))
}

const textsOf = (result: Awaited<ReturnType<Client['callTool']>>) =>
  result.content.map((one) => (one as { text: string }).text)
const textOf = (result: Awaited<ReturnType<Client['callTool']>>) => textsOf(result)[0]!

interface Answered {
  id: number
  result: { content: { text: string }[] }
}

const CONNECTIONS: [string, () => Promise<Client>][] = [
  ['stdio', connectStdio],
  ['HTTP', () => connectHttp({ 'x-api-key': key })],
]

describe.each(CONNECTIONS)('by %s', (_name, connect) => {
  test('every GET route answers under its name as the API does, once and with its price', async () => {
    const client = await connect()
    const found = new Map<number, number>()
    for (const target of targets) {
      const { operationId } = document.paths[target.path]!['get']!
      const response = await api.get(target.at(), key)
      const body = await response.text()
      const result = await client.callTool({ name: operationId, arguments: argumentsOf(target, target.at()) })
      expect([target.path, result.isError ?? false, comparable(textOf(result))]).toEqual([
        target.path,
        !response.ok,
        comparable(body),
      ])
      expect(result.structuredContent).toBeUndefined()
      const cost = response.headers.get('x-credits-cost')
      expect(result._meta?.['x-credits-cost']).toBe(cost ?? undefined)
      if (cost !== null) expect(textsOf(result).slice(1).join()).toContain(`Credits: ${cost} charged, `)
      found.set(response.status, (found.get(response.status) ?? 0) + 1)
    }
    // Only few areas have data here; the others answer 404, 409 or 503.
    expect(found.get(200)).toBeGreaterThan(20)
    expect(new Set(found.keys())).toEqual(new Set([200, 404, 409, 503]))
  })

  test('the list of tools is short, and each is read-only', async () => {
    const { tools } = await (await connect()).listTools()
    expect(JSON.stringify(tools).length).toBeLessThan(20_000)
    expect(tools.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['portfolioSummary', 'callEndpoint']),
    )
    for (const { name, annotations, description } of tools) {
      expect([name, annotations?.readOnlyHint]).toEqual([name, true])
      if (!/Endpoint/.test(name)) expect(description).toMatch(/Costs \d+ credits|Free/)
    }
  })
})

describe('an agent without knowledge of the API', () => {
  test('finds an endpoint, reads its arguments, and gets the fields that it asks for', async () => {
    const client = await connectHttp({ 'x-api-key': key })
    const say = async (name: string, args: Record<string, unknown>) =>
      textsOf(await client.callTool({ name, arguments: args }))
    const [found] = await say('searchEndpoints', { words: 'price of coins' })
    expect(found).toContain('getCoins: ')
    expect((await say('searchEndpoints', { words: 'xyzzy' }))[0]).toBe('No endpoint has these words.')
    const [described] = await say('describeEndpoint', { name: 'getCoins' })
    expect(described).toMatch(/^GET \/coins\n[\s\S]*"coinIds"/)
    const answer = await say('callEndpoint', {
      name: 'getCoins',
      arguments: { coinIds: ['bitcoin', 'ethereum'] },
      fields: ['result.id', 'result.price'],
      maxItems: 1,
    })
    expect(JSON.parse(answer[0]!)).toEqual({ result: [{ id: 'bitcoin', price: 50_000 }] })
    expect(answer[1]).toBe(
      'Left out: result has 2 items, and 1 are here. Ask for a page, filter, or raise maxItems.',
    )
    expect(answer[2]).toMatch(/^Credits: \d+ charged, \d+ left\.$/)
    expect(await say('callEndpoint', { name: 'getNothing' })).toEqual([
      'No endpoint is called getNothing. Find one with searchEndpoints.',
    ])
  })

  test('gets the answer to a task from several endpoints, with what they cost together', async () => {
    const client = await connectHttp({ 'x-api-key': key })
    const coin = await client.callTool({ name: 'coinOverview', arguments: { coinId: 'bitcoin' } })
    expect(JSON.parse(textOf(coin))).toMatchObject({ coin: { id: 'bitcoin', price: 50_000 } })
    expect(JSON.parse(textOf(coin)).coin).not.toHaveProperty('icon')
    // Only coins have data here, so one part fails and says why.
    const summary = await client.callTool({ name: 'portfolioSummary', arguments: {} })
    expect(summary.isError).toBeUndefined()
    expect(JSON.parse(textOf(summary))).toMatchObject({ value: { totalValue: 0 }, coins: { result: [] } })
    expect(textsOf(summary).at(-1)).toMatch(/^Credits: 18 charged/)
    const refused = await client.callTool({ name: 'coinOverview', arguments: { coinId: 'nothing' } })
    expect([refused.isError, JSON.parse(textOf(refused))]).toMatchObject([
      true,
      { coin: { error: { statusCode: 404 } } },
    ])
    for (const [args, said] of [
      [{}, 'Missing argument: coinId'],
      [{ coinId: 'bitcoin', coin: 1 }, 'Unknown argument: coin'],
    ] as const)
      expect(await client.callTool({ name: 'coinOverview', arguments: args })).toMatchObject({
        isError: true,
        content: [{ text: said }],
      })
  })

  test('reads the reference, and gets the questions that people ask', async () => {
    const client = await connectHttp({ 'x-api-key': key })
    const { resources } = await client.listResources()
    const { contents } = await client.readResource({ uri: resources[0]!.uri })
    expect((contents[0] as { text: string }).text).toContain('/portfolio/explain')
    const { prompts } = await client.listPrompts()
    expect(prompts.map(({ name }) => name)).toContain('explain-day')
    const { messages } = await client.getPrompt({ name: 'explain-day', arguments: { day: '2026-11-01' } })
    expect(messages[0]!.content).toMatchObject({ text: expect.stringContaining('on 2026-11-01.') as string })
    await expect(client.getPrompt({ name: 'nothing' })).rejects.toThrow('Unknown prompt: nothing')
  })
})

test('over stdio every request is answered, also when the client closes its input at once', async () => {
  const call = (id: number) => ({
    jsonrpc: '2.0',
    id,
    method: 'tools/call',
    params: { name: 'coinOverview', arguments: { coinId: 'bitcoin' } },
  })
  const hello = {
    jsonrpc: '2.0',
    id: 0,
    method: 'initialize',
    params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'pipe', version: '1' } },
  }
  const lines = [hello, { jsonrpc: '2.0', method: 'notifications/initialized' }, ...[1, 2, 3, 4, 5].map(call)]
  const input = new PassThrough()
  const output = new PassThrough()
  const served = serveStreams(createMcpServers({ routes, send: sendTo(url), key }), { input, output })
  input.end(lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
  await served
  output.end()
  const answers = (await text(output))
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Answered)
  expect(new Set(answers.map(({ id }) => id))).toEqual(new Set([0, 1, 2, 3, 4, 5]))
  for (const { id, result } of answers)
    if (id !== 0) expect(result.content[0]!.text).toContain('"price":50000')
})

test('a call costs the same as at the API, and a client without credits gets an error', async () => {
  const poor = await api.newAccount({ credits: 3 })
  const client = await connectHttp({ 'x-api-key': poor.key })
  const paid = await client.callTool({ name: 'getCoins', arguments: { limit: 1 } })
  expect(paid._meta).toMatchObject({ 'x-credits-cost': '2', 'x-credits-remaining': '1' })
  const refused = await client.callTool({ name: 'getCoins', arguments: {} })
  expect(refused.isError).toBe(true)
  expect(JSON.parse(textOf(refused))).toMatchObject({
    statusCode: 429,
    message: 'Insufficient credits for this request',
  })
})

test('a rate-limited client is told how long to wait', async () => {
  const { key: slow } = await api.newAccount({ requestsPerSecond: 1 })
  const client = await connectHttp({ 'x-api-key': slow })
  const results = await Promise.all(Array.from({ length: 4 }, () => client.callTool({ name: 'getFiats' })))
  const refused = results.find(({ isError }) => isError)!
  expect(JSON.parse(textOf(refused))).toMatchObject({ statusCode: 429, message: 'Rate limit exceeded' })
  expect(refused.content.at(-1)).toEqual({
    type: 'text',
    text: expect.stringMatching(/^Retry after \d+ seconds$/),
  })
})

test('over HTTP a client without a key gets 401, because the server has no key of its own', async () => {
  const client = await connectHttp({})
  expect((await client.listTools()).tools.length).toBeGreaterThan(10)
  const refused = await client.callTool({ name: 'getCoins' })
  expect([refused.isError, JSON.parse(textOf(refused))]).toMatchObject([true, { statusCode: 401 }])
  expect((await client.callTool({ name: 'getStatus' })).isError).toBeUndefined()
})

test('an invalid argument is a tool error, an unknown tool a protocol error', async () => {
  const client = await connectHttp({ 'x-api-key': key })
  expect(await client.callTool({ name: 'getCoins', arguments: { limits: 1 } })).toMatchObject({
    isError: true,
    content: [{ text: 'Unknown argument: limits' }],
  })
  await expect(client.callTool({ name: 'deletePortfolio' })).rejects.toThrow('Unknown tool: deletePortfolio')
})

test('a share token opens its portfolio', async () => {
  const owner = await sharingAccount(api, { portfolios: 1 })
  const { token } = await share(api, { portfolioId: owner.portfolioIds[0]!, passcode: '123456' })
  const client = await connectHttp({ 'x-api-key': key })
  const open = (passcode?: string) =>
    client.callTool({
      name: 'getPortfolioValue',
      arguments: { shareToken: token, ...(passcode && { passcode }) },
    })
  expect((await open()).isError).toBe(true)
  expect(JSON.parse(textOf(await open('123456')))).toHaveProperty('totalValue')
})

test('an API that does not answer is a tool error', async () => {
  const gone = await serveHttp({
    factory: createMcpServers({ routes, send: sendTo('http://127.0.0.1:1/v1'), key: null }),
    port: 0,
  })
  const client = new Client({ name: 'test', version: '1' })
  await client.connect(new StreamableHTTPClientTransport(new URL(gone.url)))
  expect(await client.callTool({ name: 'getCoins' })).toMatchObject({
    isError: true,
    content: [{ text: 'The API does not answer' }],
  })
  await gone.close()
})

describe('requests that a page in a browser of this machine could send', () => {
  /** Uses http.request, because fetch would set Host and Origin itself. */
  const send = (headers: Record<string, string>, path = '/mcp') =>
    new Promise<number>((resolve, reject) => {
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' })
      const accept = 'application/json, text/event-stream'
      const asked = request(served.url.replace('/mcp', path), {
        method: 'POST',
        headers: { 'content-type': 'application/json', accept, ...headers },
      })
      asked.on('error', reject)
      asked.on('response', (response) => {
        response.resume()
        resolve(response.statusCode!)
      })
      asked.end(body)
    })

  test.each([
    ['no header of a browser', {}, 200],
    ['a page of this machine', { origin: 'http://localhost:3000' }, 200],
    ['a page of another site', { origin: 'https://example.com' }, 403],
    ['a page without an origin', { origin: 'null' }, 403],
    ['a foreign host name that points here', { host: 'example.com' }, 403],
    ['a form', { 'content-type': 'text/plain' }, 415],
  ])('%s gets the expected status', async (_, headers, status) => {
    expect(await send(headers)).toBe(status)
  })

  test('other paths get 404', async () => {
    expect(await send({}, '/')).toBe(404)
  })
})

describe('sluice mcp', () => {
  test('ends with its client and prints nothing but the protocol', () => {
    const { status, stdout, stderr } = sluiceOn({ SLUICE_URL: url, SLUICE_API_KEY: key })('mcp')
    expect([status, stdout, stderr]).toEqual([0, '', ''])
  })

  test.each([
    ['without a key', [], { SLUICE_URL: url, SLUICE_API_KEY: '' }, 'set SLUICE_API_KEY'],
    ['without an API', [], { SLUICE_HOME: '/nonexistent', SLUICE_API_KEY: key }, 'no installation runs here'],
    [
      'with an invalid address',
      [],
      { SLUICE_API_KEY: key, SLUICE_URL: 'localhost' },
      'SLUICE_URL must be an http(s) address',
    ],
    [
      'with an invalid port',
      ['--http', '70000'],
      { SLUICE_URL: url },
      '--http must be a whole number from 0 to 65535',
    ],
  ])('%s says what to do', async (_, args, env, message) => {
    for (const [name, value] of Object.entries({ SLUICE_URL: '', ...env })) vi.stubEnv(name, value)
    await expect(runCommand('mcp', ...args)).rejects.toThrow(message)
    vi.unstubAllEnvs()
  })
})
