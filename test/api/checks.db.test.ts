import { once } from 'node:events'
import { Agent, type IncomingMessage, request as httpRequest } from 'node:http'
import { describe, expect, test } from 'vitest'
import { createApiKey } from '../../db/values/api-key.ts'
import { routes } from '../../api/routes.ts'
import { startApi } from '../setup/api.ts'
import { testDatabase } from '../setup/database.ts'
import { query } from '../setup/query.ts'
import { probeRoutes } from './probe-routes.ts'

const database = await testDatabase()
const api = await startApi({ database, routes: [...routes, ...probeRoutes] })
const { key, accountId } = await api.newAccount()

/** A malformed id, or a path that no route has. */
const NO_ITEM = /^(Not Found|Invalid parameter: id\. .+)$/

/** Expects the error body of the contract and no charge. */
async function expectError(response: Response, statusCode: number, message: string, path: string) {
  const body = (await response.json()) as { requestId: string }
  expect({ status: response.status, body }).toEqual({
    status: statusCode,
    body: {
      statusCode,
      message,
      requestId: response.headers.get('x-request-id'),
      path: `/v1${path}`,
      ...(statusCode === 401 && { error: 'Unauthorized' }),
    },
  })
  expect(body.requestId).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8')
  expect(response.headers.get('x-credits-cost') ?? '0').toBe('0')
}

describe('public endpoints', () => {
  test('/status needs no key', async () => {
    const response = await api.get('/status')
    expect(response.status).toBe(200)
    expect(await response.json()).toEqual({
      status: 'ok',
      version: '1.0',
      timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
    })
  })
  test('the OpenAPI document and the API reference need no key', async () => {
    expect(await (await api.get('/openapi.json')).json()).toMatchObject({ openapi: '3.1.0' })
    const page = await api.get('/docs')
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'")
  })
})

describe('keys', () => {
  test('X-API-KEY and Bearer open the same account', async () => {
    expect((await api.get('/probe', key)).status).toBe(200)
    const bearer = { headers: { authorization: `Bearer ${key}` } }
    expect((await api.get('/probe', undefined, bearer)).status).toBe(200)
    expect((await api.get('/probe', key, bearer)).status).toBe(200)
  })

  const unknown = createApiKey()
  const wrongSum = key.slice(0, -1) + (key.endsWith('a') ? 'b' : 'a')
  test.each([
    ['none', {}],
    ['empty', { 'x-api-key': '' }],
    ['unknown', { 'x-api-key': unknown }],
    ['a wrong checksum', { 'x-api-key': wrongSum }],
    ['spaces inside', { 'x-api-key': `${key.slice(0, 10)} ${key.slice(10)}` }],
    ['twice in one field', { 'x-api-key': `${key}, ${key}` }],
    ['10 KB', { 'x-api-key': 'x'.repeat(10_000) }],
    ['Basic', { authorization: `Basic ${key}` }],
    ['Bearer without a token', { authorization: 'Bearer ' }],
    ['a JWT without algorithm', { authorization: 'Bearer eyJhbGciOiJub25lIn0.e30.' }],
    ['key and another Bearer', { 'x-api-key': key, authorization: `Bearer ${unknown}` }],
    ['key and broken Authorization', { 'x-api-key': key, authorization: 'nonsense' }],
    ['SQL', { 'x-api-key': "' or 1=1 --" }],
  ])('%s is 401', async (_name, headers) =>
    expectError(await api.get('/probe', undefined, { headers }), 401, 'Invalid API key', '/probe'),
  )
  test('a key in the query string is not accepted', async () =>
    expectError(await api.get(`/probe?X-API-KEY=${key}`), 401, 'Invalid API key', '/probe'))
})

describe('routes and methods', () => {
  test.each([
    '/nope',
    '/probe/',
    '//probe',
    '/PROBE',
    '/probe;x',
    '/probe/items',
    '/probe/items/known/x',
    '/probe%2Fitems/known',
    '/probe/items/%zz',
  ])('%s is 404 without a key', async (path) => expectError(await api.get(path), 404, 'Not Found', path))

  test.each([
    '',
    'UPPER',
    'a%00',
    'a%2Fb',
    'a%252e',
    '%2e%2e%2fknown',
    'a;b',
    '.',
    "'--",
    'x'.repeat(10_000),
    '%F0%9F%9A%80',
  ])('an id like %s is 404', async (id) => {
    // Sent as it is: fetch would resolve dots.
    const response = await api.get(`/probe/items/${id}`, key)
    expect(response.status).toBe(404)
    expect(await response.json()).toMatchObject({ message: expect.stringMatching(NO_ITEM) })
  })
  test('an unknown id is 404 with the message of its handler, and costs nothing', async () =>
    expectError(await api.get('/probe/items/other', key), 404, 'Probe not found', '/probe/items/other'))

  test.each(['PUT', 'DELETE', 'POST', 'PROPFIND', 'QUERY'])(
    '%s is 405 and Allow lists the methods of the path',
    async (method) => {
      const response = await api.get('/probe', key, { method })
      expect(response.headers.get('allow')).toBe('GET, PATCH, HEAD, OPTIONS')
      await expectError(response, 405, 'Method Not Allowed', '/probe')
    },
  )
  test('a header does not override the method', async () => {
    const response = await api.get('/probe', key, { headers: { 'x-http-method-override': 'DELETE' } })
    expect(response.status).toBe(200)
  })
  test('OPTIONS is 204 without a key', async () => {
    const response = await api.get('/probe', undefined, { method: 'OPTIONS' })
    expect(response.status).toBe(204)
    expect(response.headers.get('allow')).toBe('GET, PATCH, HEAD, OPTIONS')
  })
  test('HEAD is GET without its body, and costs the same', async () => {
    const response = await api.get('/probe', key, { method: 'HEAD' })
    expect(response.status).toBe(200)
    expect(response.headers.get('x-credits-cost')).toBe('25')
    expect(await response.text()).toBe('')
    expect((await api.get('/probe', undefined, { method: 'HEAD' })).status).toBe(401)
  })
})

describe('syntax', () => {
  test.each([
    ['page=0', 'Invalid parameter: page. It must be a whole number from 1 to 2147483647'],
    ['page=1&page=2', 'Invalid parameter: page. It must be sent once'],
    ['limit=1001', 'Invalid parameter: limit. It must be a whole number from 1 to 1000'],
    ['sort=ASC', 'Invalid parameter: sort. It must be one of: asc, desc'],
    ['sort=', 'Invalid parameter: sort. It must be one of: asc, desc'],
    ['sort=asc&page=x', 'Invalid parameter: page. It must be a whole number from 1 to 2147483647'],
    ['page=%zz', 'Invalid query string'],
    ['page=%00', 'Invalid query string'],
    ['other=%C0%AF', 'Invalid query string'],
  ])('?%s is 400', async (search, message) =>
    expectError(await api.get(`/probe?${search}`, key), 400, message, '/probe'),
  )
  test.each(['unknown=1&unknown=2', 'PAGE=0', 'page[]=0', '=1', '&&'])('?%s is ignored', async (search) =>
    expect(await (await api.get(`/probe?${search}`, key)).json()).toEqual({ page: 1, limit: 20 }),
  )
  test.each([
    ['limt=5', 'limt; did you mean limit?'],
    ['limt=5&limt=6&page=1', 'limt; did you mean limit?'],
    ['PAGE=0&other=1', 'PAGE; did you mean page?, other'],
    ['a%0D%0Ab=1&=1', 'a%0D%0Ab, ""'],
    ['__proto__=1', '__proto__'],
    [`${'x'.repeat(9_000)}=1`, 'x'.repeat(64)],
    [
      Array.from({ length: 12 }, (_, i) => `p${i}=`).join('&'),
      'p0, p1, p2, p3, p4, p5, p6, p7, p8, p9, and 2 more',
    ],
  ])('?%s is named in a header', async (search, named) => {
    const response = await api.get(`/probe?${search}`, key)
    expect([response.status, response.headers.get('x-unknown-parameters')]).toEqual([200, named])
    expect(response.headers.get('preference-applied')).toBeNull()
  })
  test('an unknown parameter is named also where another one is missing', async () => {
    const response = await api.get('/probe/networks?adress=0x0&connectionId=all', key)
    expect(response.headers.get('x-unknown-parameters')).toBe('adress; did you mean address?')
    await expectError(response, 400, 'Invalid parameter: address. It is required', '/probe/networks')
  })
  test('known parameters only: no header names them', async () => {
    const { headers } = await api.get('/probe?page=1&limit=5&sort=asc', key)
    expect(headers.get('x-unknown-parameters')).toBeNull()
  })
  test.each(['handling=strict', 'Handling = "strict"; a=b', 'respond-async, wait=10, handling=strict'])(
    'with Prefer: %s an unknown parameter is 400 and free',
    async (prefer) => {
      const refused = await api.get('/probe?limt=5', key, { headers: { prefer } })
      expect(refused.headers.get('preference-applied')).toBe('handling=strict')
      expect(refused.headers.get('x-unknown-parameters')).toBe('limt; did you mean limit?')
      const message = 'Invalid parameter: limt. It is unknown here; did you mean limit?'
      await expectError(refused, 400, message, '/probe')
      const served = await api.get('/probe?limit=5', key, { headers: { prefer } })
      expect([served.status, served.headers.get('preference-applied')]).toEqual([200, 'handling=strict'])
    },
  )
  test.each(['handling=lenient', 'handling=strictly', 'handling=lenient, handling=strict', 'strict', ''])(
    'with Prefer: %s an unknown parameter is ignored',
    async (prefer) => {
      const response = await api.get('/probe?limt=5', key, { headers: { prefer } })
      expect([response.status, response.headers.get('preference-applied')]).toEqual([200, null])
    },
  )
  test('a wrong key is reported before wrong parameters', async () =>
    expect((await api.get('/probe?page=0')).status).toBe(401))
  test('wrong parameters are reported before a missing plan', async () => {
    const free = await api.newAccount({ plan: 'free' })
    expect((await api.get('/probe/paid?x=%zz', free.key)).status).toBe(400)
    await expectError(await api.get('/probe/paid', free.key), 403, 'Forbidden resource', '/probe/paid')
    expect((await api.get('/probe/paid', key)).status).toBe(200)
  })
  test('a missing plan is reported before missing credits, and these before the sync state', async () => {
    const broke = await api.newAccount({ plan: 'free', credits: 5 })
    expect((await api.get('/probe/paid', broke.key)).status).toBe(403)
    expect((await api.get('/probe/unsynced', broke.key)).status).toBe(429)
    await expectError(
      await api.get('/probe/unsynced', key),
      409,
      'Transactions not synced',
      '/probe/unsynced',
    )
  })
})

describe('bodies', () => {
  const json = { 'content-type': 'application/json' }
  const patch = (body: string | null, headers: Record<string, string> = json) =>
    api.get('/probe', key, { method: 'PATCH', body, headers })

  test.each([
    ['none', null, {}],
    ['none, typed', null, json],
    ['JSON', '{"items":["a"]}', json],
    ['JSON in UTF-8', '{"items":["a"]}', { 'content-type': 'application/json; charset=UTF-8' }],
  ] as [string, string | null, Record<string, string>][])('%s is accepted', async (_name, body, headers) =>
    expect((await patch(body, headers)).status).toBe(200),
  )
  test.each([
    ['null', 'null', 'Invalid parameter: body. It must be an object'],
    ['[]', '[]', 'Invalid parameter: body. It must be an object'],
    ['a string', '"x"', 'Invalid parameter: body. It must be an object'],
    [
      'extra keys',
      '{"items":[],"more <b>":1}',
      'Invalid parameter: body. It has an unknown field: more%20%3Cb%3E. Known fields: items',
    ],
    ['a wrong type', '{"items":{}}', 'Invalid parameter: items. It must be a list'],
    ['null items', '{"items":[null]}', 'Invalid parameter: items. In items[0]: It must be text'],
    ['numbers', '{"items":["a",1e400]}', 'Invalid parameter: items. In items[1]: It must be text'],
    [
      '1,001 items',
      JSON.stringify({ items: Array(1_001).fill('a') }),
      'Invalid parameter: items. It must have at most 1000 items',
    ],
    ['truncated', '{"items":', 'Invalid JSON body'],
    ['a repeated key', '{"items":[],"items":["a"]}', 'Invalid JSON body'],
    ['__proto__', '{"__proto__":{"items":[]}}', 'Invalid JSON body'],
    ['33 levels', `{"items":${'['.repeat(33)}${']'.repeat(33)}}`, 'Invalid JSON body'],
    ['200,000 levels', '['.repeat(200_000), 'Invalid JSON body'],
  ])('%s is 400', async (_name, body, message) => expectError(await patch(body), 400, message, '/probe'))

  test('more than 1 MB is 413', async () =>
    expectError(
      await patch(JSON.stringify({ items: ['x'.repeat(1_100_000)] })),
      413,
      'Payload Too Large',
      '/probe',
    ))

  test('a client that is still sending more than 1 MB gets the answer and keeps its connection', async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    const send = async (method: string, body?: string) => {
      const headers = { ...json, 'x-api-key': key }
      const target = `http://127.0.0.1:${api.port}/v1/probe`
      const request = httpRequest(target, { agent, method, headers }).end(body)
      const [response] = (await once(request, 'response')) as [IncomingMessage]
      await once(response.resume(), 'end')
      return [response.statusCode, request.reusedSocket]
    }
    expect(await send('PATCH', JSON.stringify({ items: ['x'.repeat(1_100_000)] }))).toEqual([413, false])
    expect(await send('GET')).toEqual([200, true])
    agent.destroy()
  })

  test.each([
    ['text', { 'content-type': 'text/plain' }],
    ['a form', { 'content-type': 'application/x-www-form-urlencoded' }],
    ['multipart', { 'content-type': 'multipart/form-data; boundary=x' }],
    ['UTF-16', { 'content-type': 'application/json; charset=utf-16' }],
    ['gzip', { ...json, 'content-encoding': 'gzip' }],
    ['nonsense', { 'content-type': 'nonsense' }],
  ])('%s is 415', async (_name, headers) =>
    expectError(await patch('{"items":[]}', headers), 415, 'Unsupported Media Type', '/probe'),
  )
  const form = { 'content-type': 'application/x-www-form-urlencoded' }
  test.each<[string, Record<string, string>]>([
    ["Ruby's Net::HTTP and Python's urllib", { ...form, 'content-length': '0' }],
    ['a client that streams nothing', { ...form, 'transfer-encoding': 'chunked' }],
    [
      'a client with another charset',
      { 'content-type': 'application/json; charset=latin1', 'content-length': '0' },
    ],
    ['a client without a type', { 'content-length': '0' }],
  ])('an empty body needs no JSON type, as %s sends it', async (_name, headers) => {
    const request = httpRequest(`http://127.0.0.1:${api.port}/v1/probe`, {
      method: 'PATCH',
      headers: { ...headers, 'x-api-key': key },
    }).end()
    const [response] = (await once(request, 'response')) as [IncomingMessage]
    response.resume()
    expect(response.statusCode).toBe(200)
  })
  test('a body without a content type is 415', async () => {
    const response = await api.get('/probe', key, { method: 'PATCH', body: new Blob(['{}']) })
    expect(response.status).toBe(415)
  })
  test('a wrong key is reported before a wrong body', async () => {
    const response = await api.get('/probe', undefined, { method: 'PATCH', body: 'x'.repeat(2_000_000) })
    expect(response.status).toBe(401)
  })
})

describe('answers', () => {
  test('have headers for rate, credits, age and request id', async () => {
    const { headers } = await api.get('/probe', key)
    expect(headers.get('ratelimit-policy')).toBe('"rps";q=100000;w=1')
    expect(headers.get('ratelimit')).toMatch(/^"rps";r=\d+;t=\d+$/)
    expect(headers.get('x-credits-cost')).toBe('25')
    expect(headers.get('x-credits-remaining')).toMatch(/^\d+$/)
    expect(Number(headers.get('x-credits-reset'))).toBeGreaterThan(27 * 86_400)
    expect(headers.get('x-data-as-of')).toBe('2023-11-14T22:13:20.000Z')
    expect(headers.get('x-data-source')).toBeNull()
  })
  test('prepared JSON text is sent unchanged, and a deprecated endpoint names its successor', async () => {
    const response = await api.get('/probe/slow', key)
    expect(await response.text()).toBe('{"slow":true}')
    expect(response.headers.get('deprecation')).toBe('true')
    expect(response.headers.get('link')).toBe('</v1/probe>; rel="successor-version"')
  })
  test('an internal error is 500, reveals nothing and costs nothing', async () =>
    expectError(await api.get('/probe/broken', key), 500, 'Internal Server Error', '/probe/broken'))
  test('commands of a write are stored together with its charge', async () => {
    const before = await query(database.ownerUrl, 'select * from outbox')
    await api.get('/probe?note=zzz', key, { method: 'PATCH' })
    expect(await query(database.ownerUrl, 'select * from outbox')).toHaveLength(before.length)
    const response = await api.get('/probe', key, { method: 'PATCH' })
    expect(response.headers.get('x-credits-cost')).toBe('25')
    const after = await query(database.ownerUrl, 'select workflow, workflow_id, input from outbox')
    expect(after).toHaveLength(before.length + 1)
    expect(after.at(-1)).toEqual({ workflow: 'probe', workflow_id: 'probe:1', input: { a: 1 } })
  })
  test('no error response of this file was charged', async () => {
    const [row] = await query<{ charged: string; posted: string }>(
      database.ownerUrl,
      `select (select count(*) * 25 from ledger_entries where account_id = $1) as charged,
              (select sum(posted) from credit_periods where account_id = $1) as posted`,
      [accountId],
    )
    expect(row!.posted).toBe(row!.charged)
  })
})

test('responses with sandbox data have X-Data-Source', async () => {
  const sandbox = await startApi({ database, routes: probeRoutes, overrides: { sandbox: true } })
  expect((await sandbox.get('/probe', key)).headers.get('x-data-source')).toBe('sandbox')
  expect((await sandbox.get('/probe')).headers.get('x-data-source')).toBe('sandbox')
})
