import { describe, expect, test } from 'vitest'
import { openApiDocument } from '../../api/openapi.ts'
import { routes } from '../../api/routes.ts'
import { inputSchemaOf, toolsOf } from '../../clients/mcp/tool.ts'
import { toolRequest } from '../../clients/mcp/tool-request.ts'

const document = openApiDocument(routes)
const tools = toolsOf(document)
const named = (name: string) => tools.find((tool) => tool.name === name)!

test('every GET route that answers with JSON is one tool, whose name is unique, short, and that of its operation', () => {
  const reads = routes.filter(({ method, kind }) => method === 'GET' && kind !== 'stream')
  expect(tools.map(({ path }) => path).sort()).toEqual(reads.map(({ path }) => path).sort())
  const names = tools.map(({ name }) => name)
  expect(new Set(names).size).toBe(names.length)
  for (const { name, path } of tools) {
    expect(name).toMatch(/^[A-Za-z0-9_-]{1,64}$/)
    expect(document.paths[path]!['get']!.operationId).toBe(name)
  }
})

// Users of clients have allowed tools by these names, so they must not change.
test.each([
  ['/wallet/balance', 'getWalletBalance'],
  ['/coins/{coinId}/charts', 'getCoinCharts'],
  ['/portfolio/pl/history', 'getPortfolioPlHistory'],
])('the tool of %s is %s', (path, name) => {
  expect(named(name).path).toBe(path)
})

test('every tool says what it returns and costs, and no two arguments differ only by case', () => {
  for (const tool of tools) {
    expect(tool.description).toContain(tool.title)
    expect(tool.description).toMatch(/Costs \d+ credits|Free/)
    const names = tool.arguments.map(({ name }) => name.toLowerCase())
    expect(new Set(names).size).toBe(names.length)
  }
})

test('every parameter of the OpenAPI document is an argument with its schema; path parameters are required', () => {
  for (const tool of tools) {
    const { parameters } = document.paths[tool.path]!['get']!
    const schema = inputSchemaOf(tool)
    // `price~equals` is also `price-equals`, because models accept no `~` in a name.
    const wanted = new Set(parameters.map(({ name }) => name.toLowerCase().replace('~', '-')))
    expect(new Set(Object.keys(schema.properties).map((name) => name.toLowerCase()))).toEqual(wanted)
    for (const name of Object.keys(schema.properties)) expect(name).toMatch(/^[a-zA-Z0-9_.-]{1,64}$/)
    for (const { name, in: place, required, schema: own } of parameters) {
      if (place === 'header' || name.includes('~')) continue
      expect(schema.properties[name]).toMatchObject(own)
      expect(schema.required?.includes(name) ?? false).toBe(required)
      if (place === 'path') expect(required).toBe(true)
    }
  }
})

describe('a call', () => {
  test('sends arguments where the API expects them, lists as one value, and leaves out null', () => {
    const targetOf = (name: string, args: Record<string, unknown>) => toolRequest(named(name), args).target
    expect(targetOf('getCoinCharts', { coinId: 'a/b?c', period: '24h' })).toBe(
      '/coins/a%2Fb%3Fc/charts?period=24h',
    )
    expect(targetOf('getCoins', { limit: 5, coinIds: ['bitcoin', 'ethereum'], name: null })).toBe(
      '/coins?limit=5&coinIds=bitcoin%2Cethereum',
    )
    expect(targetOf('getCoins', { includeRiskScore: true })).toBe('/coins?includeRiskScore=true')
  })

  test('sends share token and passcode as headers, never in the URL', () => {
    const { target, headers } = toolRequest(named('getPortfolioValue'), {
      shareToken: 'token',
      passcode: '123456',
    })
    expect(target).toBe('/portfolio/value')
    expect(Object.fromEntries(headers)).toEqual({ sharetoken: 'token', passcode: '123456' })
  })

  test.each([
    ['an unknown argument', 'getCoins', { limit: 1, limits: 1 }, 'Unknown argument: limits'],
    ['a missing argument', 'getCoin', {}, 'Missing argument: coinId'],
    ['a path of dots', 'getCoin', { coinId: '..' }, 'Invalid argument: coinId'],
    ['an empty part of a path', 'getCoin', { coinId: '' }, 'Invalid argument: coinId'],
    ['half a character', 'getCoin', { coinId: '\ud800' }, 'Invalid argument: coinId'],
    ['an object', 'getCoins', { limit: { $gt: 1 } }, 'Invalid argument: limit'],
    ['a list for one value', 'getCoins', { limit: [1] }, 'Invalid argument: limit'],
    [
      'a second header in a header',
      'getPortfolioValue',
      { shareToken: 'a\r\nx-api-key: b' },
      'Invalid argument: shareToken',
    ],
  ])('refuses %s', (_, name, args, message) => {
    expect(() => toolRequest(named(name), args)).toThrow(message)
  })
})
