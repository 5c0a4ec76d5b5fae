import { StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { beforeAll, describe, expect, test } from 'vitest'
import { routes } from '../../api/routes.ts'
import { sendTo } from '../../clients/mcp/call-api.ts'
import { createMcpServers } from '../../clients/mcp/mcp-server.ts'
import { serveHttp } from '../../clients/mcp/serve-http.ts'
import { openDb } from '../../db/connect.ts'
import { DAY_MS } from '../../db/values/periods.ts'
import { portfolioWorld } from '../portfolios/portfolio-world.ts'
import { startApi } from '../setup/api.ts'
import { testDatabase } from '../setup/database.ts'
import { insertCoin, insertPrices } from '../setup/factories.ts'
import { countingAgent } from './counting-agent.ts'

// An agent with the official client has a key, a budget of tokens and a budget of credits, and knows nothing else. Its
// owner has 120 coins, bought in as many transactions.

const COINS = 120
const database = await testDatabase()
const api = await startApi({ database, routes })
const url = `http://127.0.0.1:${api.port}/v1`
const CREDITS = 200
const { key, accountId } = await api.newAccount({ plan: 'starter', credits: CREDITS })
const ingest = openDb({ url: database.ingestUrl, maxConnections: 2, applicationName: 'test' })
let mcp: string

beforeAll(async () => {
  const now = new Date()
  const midnight = Math.floor(now.getTime() / DAY_MS) * DAY_MS
  const days = Array.from({ length: 6 }, (_, n) => new Date(midnight - (5 - n) * DAY_MS))
  const bought = []
  for (let n = 0; n < COINS; n++) {
    const coinId = `coin-${n}`
    await insertCoin(api.owner, {
      id: coinId,
      symbol: `c${n}`,
      name: `Coin ${n}`,
      rank: n + 1,
      priceUsd: '20',
      at: now,
    })
    const points = days.map((at) => [at, '10'] as const)
    await insertPrices(api.owner, { coinId, resolution: 'day', points })
    bought.push({ at: days[1]!, coinId, count: n + 1, priceUsd: 10, note: 'A note of the owner' })
  }
  const portfolios = portfolioWorld(database, { db: api.owner }, ingest, () => new Date())
  await portfolios.manualPortfolio(accountId, bought, { name: 'Everything' })
  const factory = createMcpServers({ routes, send: sendTo(url), key: null })
  const served = await serveHttp({ factory, port: 0 })
  mcp = served.url
  return async () => {
    await served.close()
    await ingest.close()
  }
})

const startAgent = (apiKey: string) =>
  countingAgent(
    new StreamableHTTPClientTransport(new URL(mcp), { requestInit: { headers: { 'x-api-key': apiKey } } }),
  )

const usedCredits = async (of: string) =>
  ((await (await api.get('/usage/credits', of)).json()) as { usedCredits: number }).usedCredits

describe('an agent with 15,000 tokens and 200 credits', () => {
  test('reviews the portfolio, explains a coin, finds and quotes what no task covers, and pays for it with its key', async () => {
    const agent = await startAgent(key)
    const { use } = agent
    const { tools } = await agent.client.listTools()
    agent.read(JSON.stringify(tools))
    const { messages } = await agent.client.getPrompt({ name: 'review-portfolio' })
    agent.read(JSON.stringify(messages))
    expect(agent.tokens()).toBeLessThan(5_000)

    const summary = await use('portfolioSummary')
    const { value, coins } = JSON.parse(summary.answer)
    const held = (COINS * (COINS + 1)) / 2
    expect([value.totalValue, value.totalCost]).toEqual([held * 20, held * 10])
    expect(coins.result[0]).toMatchObject({ coin: { identifier: `coin-${COINS - 1}` }, count: COINS })
    const coinId = coins.result[0].coin.identifier as string
    const why = JSON.parse((await use('whyThisProfit', { coinId })).answer)
    expect(why.coin.figure.profit.unrealized.USD).toBe(String(COINS * 10))

    const found = (await use('searchEndpoints', { words: 'portfolio transactions csv export' })).answer
    expect(found).toMatch(/^getPortfolioTransactions/m)
    expect((await use('describeEndpoint', { name: 'getQuote' })).answer).toMatch(/^GET \/quote\n/)
    const priced = await use('callEndpoint', {
      name: 'getQuote',
      arguments: { method: 'GET', path: '/portfolio/transactions?limit=100&currency=USD' },
    })
    const quote = JSON.parse(priced.answer) as { credits: number }
    const paid = await use('callEndpoint', {
      name: 'getPortfolioTransactions',
      arguments: { limit: 100, currency: 'USD' },
      fields: ['data.date', 'data.transfers.items.coin.symbol', 'data.transfers.items.count', 'meta'],
    })
    expect(JSON.parse(paid.answer).data).toHaveLength(20)
    expect(paid.notes[0]).toBe(
      'Left out: data has 100 items, and 20 are here. Ask for a page, filter, or raise maxItems.',
    )
    expect(paid.notes[1]).toMatch(new RegExp(`^Credits: ${quote.credits} charged, `))
    expect(agent.charged()).toBe(await usedCredits(key))
    expect(paid.left).toBe(CREDITS - agent.charged())
    expect(agent.tokens()).toBeLessThan(15_000)
  })

  test('is told when its credits end, for nothing, and still reads what is left', async () => {
    const { key: poor } = await api.newAccount({ credits: 3 })
    const agent = await startAgent(poor)
    const refused = await agent.use('portfolioTransactions')
    expect([refused.isError, JSON.parse(refused.answer)]).toMatchObject([
      true,
      { transactions: { error: { statusCode: 429, message: 'Insufficient credits for this request' } } },
    ])
    const { answer } = await agent.use('creditsLeft')
    expect(JSON.parse(answer).credits).toMatchObject({ usedCredits: 0, remainingCredits: 3 })
    expect(agent.charged()).toBe(0)
  })
})

test('no answer of a task is more than an agent can read, however much the owner has', async () => {
  const agent = await startAgent(key)
  for (const name of [
    'portfolioProfit',
    'portfolioTransactions',
    'whyDidPortfolioChange',
    'listPortfolios',
  ]) {
    const before = agent.tokens()
    const { answer, isError } = await agent.use(name)
    expect([name, isError, isError ? answer : '']).toEqual([name, false, ''])
    expect([name, agent.tokens() - before < 8_000]).toEqual([name, true])
  }
})
