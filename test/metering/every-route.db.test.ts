import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { openApiDocument } from '../../api/openapi.ts'
import type { Quote } from '../../api/quote/quote-call.ts'
import { getQuote } from '../../api/quote/get-quote.ts'
import { routes } from '../../api/routes.ts'
import { x402UnitsOf } from '../../api/x402-price.ts'
import { startApi } from '../setup/api.ts'
import { testDatabase } from '../setup/database.ts'
import { endpoint, refusal } from '../setup/endpoint.ts'
import { query } from '../setup/query.ts'
import { untilServed } from '../setup/until-served.ts'
import { outboxOf } from '../setup/wallet-factories.ts'
import { targetsOf } from '../api/well-spelled-requests.ts'
import { type RandomRequest, requestsOf } from './random-requests.ts'

// Properties of every route around its handler: the quote equals the charge, and a write repeated under one
// key happens once. The handlers are replaced by ones that need no data, so that every route answers.

const database = await testDatabase()
const answered = routes.map((route) => {
  const { shared: _, figures: _f, ...unkept } = route
  const probe = async () => ({
    body: { nonce: Math.random() },
    asOf: null,
    ...(route.method !== 'GET' && {
      commands: [{ workflow: 'probe', workflowId: 'probe', input: {} }],
    }),
  })
  return { ...unkept, handler: route === getQuote ? route.handler : probe }
})
const api = await startApi({ database, routes: answered })
const multiplying = await startApi({ database, routes: answered, overrides: { x402Pricing: 'multiplied' } })
const { accountId, key } = await api.newAccount({ plan: 'enterprise', credits: 9_000_000_000_000_000 })
const document = openApiDocument(routes)

/** Valid requests. */
const SAMPLES: Record<string, string> = {
  ...Object.fromEntries(targetsOf(document).map(({ path, at }) => [`GET ${path}`, at()])),
  'PATCH /wallet/transactions': `/wallet/transactions?address=0x${'1'.repeat(40)}&connectionId=ethereum`,
  'PATCH /exchange/sync': '/exchange/sync?portfolioId=a',
  'PATCH /portfolio/sync': '/portfolio/sync?portfolioId=a',
  'DELETE /portfolio/{portfolioId}': '/portfolio/a',
  'DELETE /portfolio/transaction/{id}': '/portfolio/transaction/a',
}
function sampleOf(route: (typeof routes)[number]): RandomRequest {
  const path = SAMPLES[`${route.method} ${route.path}`]
  if (path === undefined) return fc.sample(requestsOf(document, route), 1)[0]!
  return { method: route.method, path, body: undefined }
}

const send = ({ method, path, body }: RandomRequest, as = key, headers: Record<string, string> = {}) =>
  api.get(path, as, {
    method,
    headers: { ...headers, ...(body !== undefined && { 'content-type': 'application/json' }) },
    ...(body !== undefined && { body }),
  })

const quotePath = ({ method, path, body }: RandomRequest) =>
  `/quote?${new URLSearchParams({ method, path, ...(body !== undefined && { body }) }).toString()}`
const askQuote = async (request: RandomRequest, server = api) => {
  const response = await server.get(quotePath(request), key)
  expect(response.headers.get('x-credits-cost')).toBe('0')
  return response
}

interface Entry {
  request_id: string
  credits: string
  price_input: string | null
  endpoint: string
}

describe('the quote of a call', () => {
  // Leaves out the quote itself: its refusals are those of the call it asks about.
  test.each(
    routes
      .filter((route) => route !== getQuote)
      .map((route) => [`${route.method} ${route.path}`, route] as const),
  )('C7 %s: equals the charge in the ledger, and is refused like the call', async (name, route) => {
    const quotes = new Map<string, Quote>()
    let refusals = 0
    const requests = [sampleOf(route), ...fc.sample(requestsOf(document, route), 5)]
    for (const request of requests) {
      const [quoted, called] = [await askQuote(request), await send(request)]
      const what = `${request.method} ${request.path} ${request.body}`
      expect([what, quoted.status]).toEqual([what, called.status])
      if (called.status !== 200) {
        expect([what, await refusal(quoted)]).toEqual([what, await refusal(called)])
        refusals++
      } else quotes.set(called.headers.get('x-request-id')!, (await quoted.json()) as Quote)
    }
    expect(refusals).toBeLessThan(requests.length)
    const entries = await query<Entry>(
      database.ownerUrl,
      'select request_id, credits, price_input, endpoint from ledger_entries where request_id = any($1)',
      [[...quotes.keys()]],
    )
    const charged = new Map(entries.map((entry) => [entry.request_id, entry]))
    for (const [id, quote] of quotes) {
      const entry = charged.get(id)
      expect(quote.endpoint).toBe(name)
      expect(quote.credits).toBe(Number(entry?.credits ?? 0))
      if (quote.credits > 0) expect(quote.multipliers).toBe(entry!.price_input)
      const units = x402UnitsOf(route, { credits: quote.credits, input: null }, 'flat')
      expect(quote.x402?.amount ?? null).toBe(units === null ? null : units.toString())
    }
  })

  test('names the price at the gateway, flat or multiplied by the setting of the operator', async () => {
    const address = `0x${'1'.repeat(40)}`
    const path = `/wallet/charts?type=1w&wallets=ethereum:${address},all:${address}`
    const request: RandomRequest = { method: 'GET', path, body: undefined }
    const flat = await endpoint(api, { route: getQuote, key })(quotePath(request))
    expect([flat.body, flat.credits]).toEqual([
      {
        endpoint: 'GET /wallet/charts',
        credits: 440,
        multipliers: '1 one, 1 all',
        x402: { amount: '4000', usdc: '0.004' },
      },
      0,
    ])
    const multiplied = (await (await askQuote(request, multiplying)).json()) as Quote
    expect(multiplied.x402).toEqual({ amount: '44000', usdc: '0.044' })
    const unsold = (await (await askQuote({ ...request, path: '/usage/credits' })).json()) as Quote
    expect(unsold).toMatchObject({ credits: 0, multipliers: null, x402: null })
  })

  test('accepts paths with and without /v1, escaped as in a call', async () => {
    for (const path of ['/coins/bitcoin', '/v1/coins/bitcoin', '/coins/%62itcoin', '/co%69ns/bitcoin']) {
      const response = await askQuote({ method: 'GET', path, body: undefined })
      expect(await response.json()).toMatchObject({ endpoint: 'GET /coins/{coinId}' })
    }
    const literal = await askQuote({ method: 'GET', path: '/coins/charts?', body: undefined })
    expect(await literal.json()).not.toMatchObject({ endpoint: 'GET /coins/{coinId}' })
  })

  test.each([
    ['GET', '/nope', 404, 'Not Found'],
    ['GET', '/', 404, 'Not Found'],
    ['GET', '/v1/v1/coins', 404, 'Not Found'],
    ['GET', '/coins/', 404, 'Invalid parameter: coinId'],
    ['GET', '/coins/%', 404, 'Not Found'],
    ['GET', `/coins/${'x'.repeat(201)}`, 404, 'Not Found'],
    ['GET', '/coins?page=0', 400, 'Invalid parameter: page'],
    ['GET', '/coins?page=%', 400, 'Invalid query string'],
    ['DELETE', '/coins', 404, 'Not Found'],
    ['GET', 'coins', 400, 'Invalid parameter: path'],
    ['GET', '/coins#a', 400, 'Invalid parameter: path'],
    ['HEAD', '/coins', 400, 'Invalid parameter: method'],
  ])('%s %s returns %i', async (method, path, status, message) => {
    const search = new URLSearchParams({ method, path }).toString()
    expect(await refusal(await api.get(`/quote?${search}`, key))).toEqual([status, message])
  })

  test('of a write with a fixed price needs no body and ignores one', async () => {
    const quote = await askQuote({ method: 'POST', path: '/exchange/balance', body: '{"connectionFields":' })
    expect(await quote.json()).toMatchObject({ endpoint: 'POST /exchange/balance', credits: 10 })
    for (const body of ['{"wallets":', '{"wallets":[]}'])
      expect((await askQuote({ method: 'PATCH', path: '/wallet/transactions', body })).status).toBe(400)
    expect((await askQuote({ method: 'GET', path: '/coins', body: '{}' })).status).toBe(400)
  })

  test('works without credits', async () => {
    const poor = await api.newAccount({ credits: 0 })
    expect((await api.get('/quote?path=/coins', poor.key)).status).toBe(200)
    expect((await api.get('/coins', poor.key)).status).toBe(429)
  })
})

describe('C5 one Idempotency-Key', () => {
  const writes = routes.filter(({ method }) => method !== 'GET')
  const sendUntilServed = (...request: Parameters<typeof send>) => untilServed(() => send(...request))

  test.each(writes.map((route) => [`${route.method} ${route.path}`, route] as const))(
    '%s 100 times at once: one charge, one effect, equal bodies; 400 with other parameters; keys per account',
    async (name, route) => {
      const request = sampleOf(route)
      const [one, other] = [await api.newAccount(), await api.newAccount()]
      const before = (await outboxOf(api.owner)).length
      const headers = { 'idempotency-key': 'same' }
      const answers = await Promise.all(
        Array.from({ length: 100 }, () => sendUntilServed(request, one.key, headers)),
      )
      const bodies = await Promise.all(answers.map((answer) => answer.text()))
      expect(answers.map(({ status }) => status)).toEqual(Array(100).fill(200))
      expect(new Set(bodies).size).toBe(1)
      expect(answers.filter((answer) => answer.headers.get('idempotency-replayed') !== 'true')).toHaveLength(
        1,
      )
      expect((await outboxOf(api.owner)).length).toBe(before + 1)
      const entries = await query<Entry>(
        database.ownerUrl,
        'select endpoint from ledger_entries where account_id = $1',
        [one.accountId],
      )
      expect(entries).toEqual([{ endpoint: name }])

      const changed = { ...request, path: `${request.path}${request.path.includes('?') ? '&' : '?'}more=1` }
      expect(await refusal(await send(changed, one.key, headers))).toEqual([
        400,
        'Idempotency-Key was used with other parameters',
      ])
      const [others, again] = [await send(request, other.key, headers), await send(request, one.key, headers)]
      expect(await others.text()).not.toBe(bodies[0])
      expect([await again.text(), again.headers.get('x-credits-cost')]).toEqual([bodies[0], '0'])
    },
  )

  test('is ignored on GET', async () => {
    const { accountId: id, key: as } = await api.newAccount()
    const request: RandomRequest = { method: 'GET', path: '/coins', body: undefined }
    const headers = { 'idempotency-key': 'same' }
    const bodies = [await send(request, as, headers), await send(request, as, headers)].map((one) =>
      one.text(),
    )
    expect(new Set(await Promise.all(bodies)).size).toBe(2)
    const rows = await query(database.ownerUrl, 'select from ledger_entries where account_id = $1', [id])
    expect(rows).toHaveLength(2)
  })
})

test('C3 the days and the periods add up to the ledger', async () => {
  const [wrong] = await query<{ days: string; periods: string; entries: string }>(
    database.ownerUrl,
    `select (select count(*) from (select account_id, endpoint, sum(credits) c, sum(calls) n from usage_days group by 1, 2) d
        full join (select account_id, endpoint, sum(credits) c, count(*) n from ledger_entries group by 1, 2) l
        using (account_id, endpoint) where d.c is distinct from l.c or d.n is distinct from l.n) as days,
       (select count(*) from credit_periods p where posted <> coalesce(
        (select sum(credits) from ledger_entries l where (l.account_id, l.n) = (p.account_id, p.n)), 0)) as periods,
       (select count(*) from ledger_entries) as entries`,
  )
  expect(wrong).toMatchObject({ days: '0', periods: '0' })
  expect(Number(wrong!.entries)).toBeGreaterThan(300)
  const usage = await query<{ credits: string }>(
    database.ownerUrl,
    `select sum(credits) as credits from usage_by_day($1, current_date - 1)`,
    [accountId],
  )
  const [spent] = await query<{ credits: string }>(
    database.ownerUrl,
    'select sum(credits) as credits from ledger_entries where account_id = $1',
    [accountId],
  )
  expect(usage).toEqual([spent])
})
