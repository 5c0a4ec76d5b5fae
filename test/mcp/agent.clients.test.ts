import { type Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { afterAll, expect, inject, test, vi } from 'vitest'
import { ROOT } from '../../cli/folders.ts'
import { startedProgram } from '../events/started-program.ts'
import { freePort } from '../../cli/supervisor/free-port.ts'
import { blocksOf, readPage } from '../docs/read-page.ts'
import { countingAgent } from './counting-agent.ts'

// An agent is set up by docs/clients.md on a fresh installation: with the settings that stand there, and nothing else. It
// answers what the demo account is worth and why, with a budget of tokens.

const { url, key } = inject('installation')
const TOKENS = 15_000
/** Some data arrive minutes after the start. */
const PATIENCE = { timeout: 120_000, interval: 5_000 }

/** The settings of the page that contain a word, with the addresses and the key of this installation. */
function settings(word: string, values: Record<string, string>): any {
  const { text } = blocksOf(readPage('docs/clients.md')).find(
    ({ kind, text: one }) => kind === 'json' && one.includes('mcpServers') && one.includes(word),
  )!
  return JSON.parse(
    Object.entries(values).reduce((result, [name, value]) => result.replaceAll(name, value), text),
  ).mcpServers.sluice
}

const clients: Client[] = []
afterAll(() => Promise.all(clients.map((client) => client.close())))

async function startByStdio() {
  const { command, args, env } = settings('"command"', {
    '/path/to/sluice': ROOT,
    'http://127.0.0.1:8080/v1': url,
    'sl_...': key,
  })
  const agent = await countingAgent(new StdioClientTransport({ command, args, env }))
  clients.push(agent.client)
  return agent
}

test('an agent reviews the portfolio of the installation, explains a coin, and finds and pays what no task covers', async () => {
  const agent = await startByStdio()
  const { use } = agent
  const { tools } = await agent.client.listTools()
  const list = agent.read(JSON.stringify(tools))
  expect(list.length).toBeLessThan(20_000)
  const { messages } = await agent.client.getPrompt({ name: 'review-portfolio' })
  agent.read(JSON.stringify(messages))

  // A part that is not to be had for a moment, such as while figures are computed, is an error inside of the answer.
  const ask = (name: string, args: Record<string, unknown> = {}) =>
    vi.waitFor(async () => {
      const { answer, isError } = await use(name, args)
      expect([name, isError, /"error":.{0,200}/.exec(answer)?.[0]]).toEqual([name, false, undefined])
      return JSON.parse(answer)
    }, PATIENCE)
  const summary = await ask('portfolioSummary')
  expect(summary.value.totalValue).toBeGreaterThan(0)
  const coinId = summary.coins.result[0].coin.identifier as string
  const why = await ask('whyThisProfit', { coinId })
  expect(why.coin.figure.profit.unrealized.USD).toMatch(/^-?[\d.]+$/)
  expect(Object.keys(await ask('whyDidPortfolioChange')).length).toBeGreaterThan(0)

  const found = (await use('searchEndpoints', { words: 'portfolio transactions csv export' })).answer
  expect(found).toMatch(/^getPortfolioTransactions/m)
  expect((await use('describeEndpoint', { name: 'getPortfolioTransactions' })).answer).toMatch(/^GET \//)
  const paid = await use('callEndpoint', {
    name: 'getPortfolioTransactions',
    arguments: { limit: 5, currency: 'USD' },
    fields: ['data.date', 'data.transfers.items.coin.symbol', 'data.transfers.items.count'],
  })
  expect(JSON.parse(paid.answer).data.length).toBeGreaterThan(0)
  expect([agent.charged() > 0, paid.left! > 0]).toEqual([true, true])
  expect(agent.tokens()).toBeLessThan(TOKENS)
})

const port = await freePort()
const server = startedProgram({ program: process.execPath, file: `${ROOT}/cli/launch.mjs` })

test('an agent over HTTP on this machine reads the same list of tools and what is left of the credits', async () => {
  server.start({ SLUICE_URL: url }, ['mcp', '--http', String(port)])
  const { url: address, headers } = settings('"X-API-KEY"', {
    '127.0.0.1:8403': `127.0.0.1:${port}`,
    'sl_...': key,
  })
  const transport = () =>
    new StreamableHTTPClientTransport(new URL(address as string), { requestInit: { headers } })
  const agent = await vi.waitFor(() => countingAgent(transport()), PATIENCE)
  const stdio = await startByStdio()
  expect((await agent.client.listTools()).tools).toEqual((await stdio.client.listTools()).tools)
  const { credits } = JSON.parse((await agent.use('creditsLeft')).answer)
  expect(credits.remainingCredits).toBeGreaterThan(0)
})
