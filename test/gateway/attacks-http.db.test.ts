import { METHODS } from 'node:http'
import { afterAll, describe, expect, test } from 'vitest'
import { NETWORKS } from '../../db/values/networks.ts'
import { routes } from '../../api/routes.ts'
import { createApiKey } from '../../db/values/api-key.ts'
import { testDatabase } from '../setup/database.ts'
import { startFacilitator } from '../setup/facilitator.ts'
import { PAY_TO, PUBLIC_URL, startGateway } from '../setup/gateway.ts'
import { query } from '../setup/query.ts'
import { challengeOf, decode, encode, pay, paymentV2, send, signTransfer } from './pay.ts'
import { sendRaw } from './send-raw.ts'

// Attacks 21 to 24, 37 and 38 on paths, methods and headers.

const database = await testDatabase()
const facilitator = await startFacilitator()
afterAll(() => facilitator.stop())
const gateway = await startGateway({
  database,
  routes,
  facilitatorUrl: facilitator.url,
  rpcUrl: facilitator.rpcUrl,
})
const payer = await facilitator.newPayer()
const priced = routes.filter(({ x402 }) => x402 !== null)
/** The template with `bitcoin` for each parameter. */
const sample = (path: string) => path.replace(/\{\w+\}/g, 'bitcoin')

test('21. an API key does not change the answers', async () => {
  const key = { 'x-api-key': createApiKey(), authorization: 'Bearer x' }
  const plain = await challengeOf(gateway, '/coins')
  expect(await challengeOf(gateway, '/coins', key)).toEqual(plain)
  const { answer } = await pay(gateway, '/coins', { payer, headers: key })
  expect(answer).toMatchObject({ status: 200, receipt: { success: true } })
  expect(Object.fromEntries(answer.headers)).not.toHaveProperty('x-credits-cost')
  expect(await query(database.ownerUrl, 'select from ledger_entries')).toEqual([])
})

describe('22. only GET is allowed', () => {
  const others = METHODS.filter((method) => !['GET', 'OPTIONS', 'CONNECT'].includes(method))
  test.each(others)('%s gets 405, with and without a payment', async (method) => {
    const challenge = await challengeOf(gateway, '/coins')
    const payment = encode(paymentV2(challenge, await signTransfer({ challenge, payer })))
    for (const headers of [[], [`X-PAYMENT: ${payment}`]]) {
      const answer = await sendRaw(gateway, { method, target: '/coins', headers })
      expect(answer).toMatchObject({ status: 405, headers: { allow: 'GET, OPTIONS' } })
      expect(answer.headers).not.toHaveProperty('payment-required')
    }
    expect(await query(database.ownerUrl, 'select from payments where amount <> 1000')).toEqual([])
  })
  test('headers and parameters that override the method are ignored', async () => {
    const headers = { 'x-http-method-override': 'DELETE', 'x-method-override': 'HEAD' }
    expect((await challengeOf(gateway, '/coins?_method=DELETE', headers)).accepts[0]!.amount).toBe('1000')
  })
  test('OPTIONS is free and lists the allowed methods and headers', async () => {
    const response = await gateway.get('/coins', {
      method: 'OPTIONS',
      headers: { origin: 'https://a.example' },
    })
    expect([response.status, await response.text()]).toEqual([204, ''])
    expect(Object.fromEntries(response.headers)).toMatchObject({
      allow: 'GET, OPTIONS',
      'access-control-allow-origin': '*',
      'access-control-allow-headers':
        'X-PAYMENT, PAYMENT-SIGNATURE, sharetoken, passcode, Prefer, Access-Control-Expose-Headers',
      'access-control-expose-headers': expect.stringMatching(
        /PAYMENT-REQUIRED, PAYMENT-RESPONSE, X-PAYMENT-RESPONSE, .*X-Unknown-Parameters, Preference-Applied/,
      ),
    })
  })
})

describe('23. another spelling of a path has the same price or gets 400 or 404', () => {
  const spellings = [
    '//coins',
    '/%63oins',
    '/coins/',
    '/COINS',
    '/coins%2F',
    '/coins%2f',
    '/%2Fcoins',
    '/./coins',
    '/x/../coins',
    '/coins;a=b',
    '/coins%00',
    '/coins#',
    '/coins%3Flimit=1',
    '/coins//',
    '\\coins',
    '/coins/bitcoin%2Fcharts',
    '/coins/bitcoin/',
    '/coins/bitcoin//charts',
    '/coins/bitcoin/%63harts',
    '/v1/coins',
    '/v1/../coins',
    '/coins/..',
    '/coins/%2e%2e',
    '/coins/bitcoin',
    'http://evil/coins',
    'https://evil:1/coins?limit=1',
    '*',
    '/coins?',
    '/coins?%zz',
    '//coins//',
    'coins',
  ]
  test.each(spellings)('GET %s', async (target) => {
    const { status, headers, body } = await sendRaw(gateway, { target })
    expect([400, 402, 404]).toContain(status)
    if (status !== 402) return
    const { accepts, resource } = decode(headers['payment-required']!)
    expect(accepts).toMatchObject([{ amount: '1000', payTo: PAY_TO }])
    expect(resource.url).toMatch(new RegExp(`^${PUBLIC_URL}/coins(/[\\w%.]+)?(\\?|$)`))
    expect(JSON.parse(body)).toMatchObject({ statusCode: 402 })
  })
  test('fixed parts of a path have only one spelling', async () => {
    for (const target of ['//coins', '/%63oins', '/coins/', '/COINS', '/coins/bitcoin/%63harts'])
      expect([target, (await sendRaw(gateway, { target })).status]).toEqual([target, 404])
    for (const target of ['/coins', '/coins?', 'http://evil/coins'])
      expect([target, (await sendRaw(gateway, { target })).status]).toEqual([target, 402])
  })
})

describe('24. paths without a price do not exist', () => {
  const unpriced = routes.filter(({ path }) => !priced.some((route) => route.path === path))
  const paths = [
    ...unpriced.map(({ path }) => sample(path)),
    ...routes.map(({ path }) => `/v1${sample(path)}`),
    '/',
    '/v1',
    '/v1/',
    '/v1/openapi.json',
    '/v1/docs',
    '/docs',
    '/p/x',
    '/account',
    '/favicon.ico',
  ]
  test('get 404 with and without a payment', async () => {
    const challenge = await challengeOf(gateway, '/coins')
    const payment = encode(paymentV2(challenge, await signTransfer({ challenge, payer })))
    for (const path of paths)
      for (const headers of [{}, { 'x-payment': payment }]) {
        const response = await gateway.get(path, { headers })
        // Some match a parameter of a priced path: `/coins/charts` is the coin "charts".
        const isOther = priced.some((route) => matches(route.path, path))
        if (!isOther) expect([path, response.status]).toEqual([path, 404])
        else expect([path, [400, 402, 404].includes(response.status)]).toEqual([path, true])
      }
    expect(gateway.asked.settle).toBe(1)
  })
  const matches = (template: string, path: string) =>
    new RegExp(`^${template.replace(/\{\w+\}/g, '[^/]+')}$`).test(path)
})

describe('errors of a call are reported before it is paid', () => {
  test('every priced path as listed returns its price without payment and parameters', async () => {
    const PRICES: Record<string, string> = {
      '0.001': '1000',
      '0.003': '3000',
      '0.004': '4000',
      '0.04': '40000',
      '0.05': '50000',
    }
    for (const { path, x402, summary } of priced) {
      const challenge = await challengeOf(gateway, path)
      const url = `${PUBLIC_URL}${path.replace(/[{}]/g, encodeURIComponent)}`
      expect(challenge).toMatchObject({
        x402Version: 2,
        resource: { url, description: summary, mimeType: 'application/json' },
      })
      expect([path, challenge.accepts]).toEqual([
        path,
        [
          {
            scheme: 'exact',
            network: 'eip155:8453',
            amount: PRICES[x402!],
            payTo: PAY_TO,
            asset: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
            maxTimeoutSeconds: 60,
            extra: { name: 'USD Coin', version: '2' },
          },
        ],
      ])
    }
    expect(priced).toHaveLength(33)
  })

  test.each([
    ['/coins', 'Payment required'],
    ['/coins/{coinId}', 'coinId is required'],
    ['/portfolio/value', 'shareToken is required'],
    ['/portfolio/value?shareToken=in-the-address', 'shareToken is required'],
    ['/portfolio/chart', 'type, shareToken are required'],
    ['/wallet/balance', 'address is required'],
    [`/wallet/balance?address=${payer.address}`, 'connectionId is required'],
    ['/wallet/chart', 'address, type are required'],
    ['/coins/price/avg?coinId=bitcoin', 'timestamp is required'],
  ])('%s: the challenge of both versions contains "%s"', async (path, error) => {
    const response = await gateway.get(path)
    expect(response.status).toBe(402)
    expect(await response.json()).toMatchObject({ error, message: 'Payment required' })
    expect(decode(response.headers.get('payment-required'))).toMatchObject({ error })
  })

  test.each([
    ['/coins?limit=0', 'Invalid parameter: limit. It must be a whole number from 1 to 1000'],
    ['/coins?limit=5&limit=6', 'Invalid parameter: limit. It must be sent once'],
    ['/coins?%zz', 'Invalid query string'],
    ['/wallet/balance?address=nobody', 'Invalid parameter: address. It must be an EVM address'],
    [
      `/wallet/balance?address=${payer.address}&connectionId=nowhere`,
      `Invalid parameter: connectionId. It must be one of ${NETWORKS.length + 1} values, for example: `,
    ],
    ['/portfolio/chart?type=century', 'Invalid parameter: type. It must be one of: 24h, '],
    ['/wallet/chart?type=century', 'Invalid parameter: address. It is required'],
    [
      '/news/type/no-such-type',
      'Invalid parameter: type. It must be one of: handpicked, trending, latest, bullish, bearish',
    ],
  ])('%s gets 400 without a challenge', async (path, message) => {
    const response = await gateway.get(path)
    expect([response.status, response.headers.get('payment-required')]).toEqual([400, null])
    const body = (await response.json()) as { statusCode: number; message: string }
    expect([body.statusCode, body.message.slice(0, message.length)]).toEqual([400, message])
  })

  test('a malformed id gets 404 without a challenge', async () => {
    const response = await gateway.get('/coins/no%20coin')
    expect([response.status, response.headers.get('payment-required')]).toEqual([404, null])
    expect(await response.json()).toMatchObject({
      message: expect.stringMatching(/^Invalid parameter: coinId\. /),
    })
  })

  test('a misspelt parameter is named in a header, and is 400 for a client that prefers strict handling', async () => {
    const lenient = await gateway.get('/coins?limt=5')
    expect([lenient.status, lenient.headers.get('x-unknown-parameters')]).toEqual([
      402,
      'limt; did you mean limit?',
    ])
    const strict = await gateway.get('/coins?limt=5', { headers: { prefer: 'handling=strict' } })
    expect([strict.status, strict.headers.get('preference-applied')]).toEqual([400, 'handling=strict'])
    expect(await strict.json()).toMatchObject({
      message: 'Invalid parameter: limt. It is unknown here; did you mean limit?',
    })
  })
})

test('37. Host and forwarding headers change nothing', async () => {
  const plain = await sendRaw(gateway, { target: '/coins?limit=5' })
  expect(decode(plain.headers['payment-required']!).resource.url).toBe(`${PUBLIC_URL}/coins?limit=5`)
  const spoofed = await sendRaw(gateway, {
    target: 'http://evil.example.org/coins?limit=5',
    headers: [
      'Host: evil.example.org',
      'X-Forwarded-Host: evil.example.org',
      'X-Forwarded-Proto: http',
      'Forwarded: host=evil.example.org',
      'X-Original-URL: /wallet/defi',
      'X-Rewrite-URL: /fiats',
    ],
  })
  expect(spoofed.headers['payment-required']).toBe(plain.headers['payment-required'])
  const accepts = (text: string) => (JSON.parse(text) as { accepts: unknown }).accepts
  expect(accepts(spoofed.body)).toEqual(accepts(plain.body))
})

test('38. neither challenges nor answers may be cached', async () => {
  const unpaid = await gateway.get('/coins')
  const { answer, payment } = await pay(gateway, '/coins', { payer })
  const withCookie = await gateway.get('/coins', { headers: { cookie: answer.cookie! } })
  expect(withCookie.status).toBe(200)
  const missing = await gateway.get('/nothing')
  for (const { headers } of [unpaid, answer, withCookie, missing]) {
    expect(headers.get('cache-control')).toBe('private, no-store')
    expect(headers.get('access-control-allow-origin')).toBe('*')
    expect(headers.get('vary')).toBe('Cookie, X-PAYMENT, PAYMENT-SIGNATURE, sharetoken, passcode')
  }
  expect((await gateway.get('/coins')).status).toBe(402)
  expect((await send(gateway, '/coins', payment)).status).toBe(200)
})
