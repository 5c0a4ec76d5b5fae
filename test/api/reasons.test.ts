import { describe, expect, test } from 'vitest'
import { ApiError } from '../../api/errors.ts'
import { parseInput } from '../../api/parse-input.ts'
import { parseQueryString } from '../../api/query-string.ts'
import { createMatchRoute } from '../../api/quote/match-route.ts'
import { routes } from '../../api/routes.ts'
import { NETWORKS } from '../../db/values/networks.ts'

// Errors name the parameter first and then say why it is refused.

const matchRoute = createMatchRoute(routes)
const WALLET = `0x${'a'.repeat(40)}`
const BITCOIN = 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq'

function refusalOf(call: { method?: string; target: string; body?: unknown }): [number, string] {
  const { method = 'GET', target, body } = call
  const [path, search = ''] = target.split('?') as [string, string?]
  const { rows, params } = matchRoute(path)!
  const route = rows.find((row) => row.method === method)!
  const input = () => parseInput(route, { path: params, query: parseQueryString(search), body, headers: {} })
  try {
    route.multiplied?.items(input())
    input()
  } catch (error) {
    if (error instanceof ApiError) return [error.statusCode, error.message]
    throw error
  }
  throw new Error('accepted')
}

describe('a refused query parameter is named with the reason', () => {
  test.each([
    ['/coins?limit=x', 'limit. It must be a whole number from 1 to 1000'],
    ['/coins?limit=1&limit=2', 'limit. It must be sent once'],
    ['/coins?includeRiskScore=yes', 'includeRiskScore. It must be one of: true, false'],
    ['/coins?riskScore~lessThan=5', 'includeRiskScore. It must be true for a filter by riskScore'],
    ['/coins?price~lessThan=1e5', 'price~lessThan. It must be a decimal number without an exponent'],
    ['/coins?currency=E%20R', 'currency. It must be the code of a currency in GET /currencies'],
    [
      '/coins?coinIds=bitcoin,,dogecoin',
      'coinIds. In item 2: It must be 1 to 144 letters, digits, dots, dashes and underscores, and start with a letter or digit',
    ],
    [`/coins?coinIds=${Array(1_001).fill('a').join()}`, 'coinIds. It must have at most 1000 items'],
    ['/token-risks?coinId=a&sortBy=name', 'sortBy. It must be severity'],
    ['/token-risks', 'coinId. Either it, or contractAddress and chain, is required'],
    ['/news?from=yesterday', 'from. It must be a date (YYYY-MM-DD) or an RFC 3339 timestamp with its zone'],
    ['/news?from=2026-02-01&to=2026-01-01', 'to. It must be after `from`'],
    ['/prediction/search?q=a', 'q. It must be at least 2 characters long'],
    ['/prediction/markets?minLiquidity=-1', 'minLiquidity. It must not be negative'],
    ['/wallet/transactions', 'address. Either it or `wallets` is required'],
    [`/wallet/transactions?address=${WALLET}`, 'connectionId. Either it or `blockchain` is required'],
    [
      `/wallet/balance?address=${BITCOIN}&connectionId=ethereum`,
      'address. It must be an address of each network that the request names, or of one of `all`',
    ],
    [
      `/wallet/pl?address=${WALLET}&connectionId=ethereum,base-wallet`,
      'connectionId. It must be one network, or all',
    ],
    ['/coins/charts?coinIds=bitcoin', 'period. It is required'],
  ])('GET %s: %s', (target, message) =>
    expect(refusalOf({ target })).toEqual([400, `Invalid parameter: ${message}`]),
  )

  test('of many allowed values the message lists the ten that are closest to the given one', () => {
    const target = `/wallet/balance?address=${WALLET}&connectionId=ethereum,polygon-`
    const [, message] = refusalOf({ target })
    expect(message).toMatch(
      `Invalid parameter: connectionId. In item 2: It must be one of ${NETWORKS.length + 1} values, for example: polygon-wallet, `,
    )
    expect(message.split(': ').at(-1)!.split(', ')).toHaveLength(10)
  })
})

test.each([
  ['/news/type/foo', 400, 'type. It must be one of: handpicked, trending, latest, bullish, bearish'],
  [
    '/coins/no%20coin',
    404,
    'coinId. It must be 1 to 144 letters, digits, dots, dashes and underscores, and start with a letter or digit',
  ],
  ['/news/1', 404, 'id. It must be 64 hexadecimal digits in lower case'],
  ['/insights/rainbow-chart/dogecoin', 404, 'coinId. It must be one of: bitcoin, ethereum'],
])('a refused path parameter is named: GET %s', (target, status, message) =>
  expect(refusalOf({ target })).toEqual([status, `Invalid parameter: ${message}`]),
)

describe('a refused field of a body is named with the reason', () => {
  const transaction = '/portfolio/transaction'
  test.each<[method: string, target: string, body: unknown, message: string]>([
    ['POST', transaction, undefined, 'body. It is required'],
    ['POST', transaction, { count: 1 }, 'coinId. It is required'],
    ['POST', transaction, { coinId: 'bitcoin', count: '1' }, 'count. It must be a number'],
    ['POST', transaction, { coinId: 'bitcoin', count: 0 }, 'count. It must not be 0'],
    ['POST', transaction, { coinId: 'bitcoin', count: 1, price: -1 }, 'price. It must be at least 0'],
    [
      'POST',
      transaction,
      { coinId: 'bitcoin', count: 1, fee: 1 },
      'body. It has an unknown field: fee. Known fields: coinId, count, date, price, currency, notes, portfolioId',
    ],
    ['PATCH', '/portfolio/transaction/1', {}, 'body. It must have at least one field'],
    [
      'PATCH',
      '/wallet/transactions',
      { wallets: [{ address: WALLET, connectionId: 'ethereum' }, { address: WALLET }] },
      'wallets. In wallets[1].connectionId: Either it or `blockchain` is required',
    ],
    [
      'PATCH',
      '/wallet/transactions',
      { wallets: [{ address: 1 }] },
      'wallets. In wallets[0].address: It must be text',
    ],
    ['PATCH', '/wallet/transactions', {}, 'address. It is required where the body names no wallets'],
    [
      'POST',
      '/exchange/balance',
      { connectionId: 'binance', connectionFields: { apiKey: 'a' } },
      'connectionFields. In connectionFields.apiSecret: It is required',
    ],
  ])('%s %s %j: %s', (method, target, body, message) =>
    expect(refusalOf({ method, target, body })).toEqual([400, `Invalid parameter: ${message}`]),
  )

  test('the network of a portfolio, of many, is one of the ten closest', () => {
    const body = { address: WALLET, connectionId: 'etherum' }
    const [status, message] = refusalOf({ method: 'POST', target: '/portfolio/wallet', body })
    expect(status).toBe(400)
    expect(message).toMatch(
      `Invalid parameter: connectionId. It must be one of ${NETWORKS.length} values, for example: ethereum, `,
    )
  })
})
