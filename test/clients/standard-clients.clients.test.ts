import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { sluiceOn } from '../cli/sluice-on.ts'
import { countCalls } from './count-calls.ts'
import { findRuby } from './find-ruby.ts'
import { type ByteRecorder, startByteRecorder } from './record-bytes.ts'
import { type Call, startStandardClient, type StandardClient } from './standard-client.ts'

// The standard clients of Ruby and Python make the calls, and a recorder between them and the installation
// keeps what they really send.

const { url, home, key, wallet } = inject('installation')
const FORM = { 'Content-Type': 'application/x-www-form-urlencoded' }
const JSON_BODY = { 'Content-Type': 'application/json' }
const auth = { 'X-API-KEY': key }
const SYNC = `/wallet/transactions?address=${wallet}&connectionId=ethereum`

const log = (line: string) => console.log(line)
const python = async () => 'python3'
const CLIENTS = [
  { name: 'Ruby net/http', script: 'net_http.rb', find: () => findRuby({ env: process.env, log }) },
  { name: 'Python urllib.request', script: 'urllib_request.py', find: python },
  { name: 'Python http.client', script: 'http_client.py', find: python },
]

describe.each(CLIENTS)('$name', ({ name, script, find }) => {
  let recorder: ByteRecorder
  /** One client asks the installation itself, the other one through the recorder. */
  let clients: { direct: StandardClient; recorded: StandardClient }
  let purchase: object
  beforeAll(async () => {
    const program = await find()
    // Fails with the reason where the program is missing.
    await promisify(execFile)(program, ['--version'])
    const address = new URL(url)
    recorder = await startByteRecorder(Number(address.port))
    address.port = String(recorder.port)
    const file = join(import.meta.dirname, script)
    const start = (to: string) => startStandardClient({ program, script: file, url: to })
    clients = { direct: start(url), recorded: start(address.href) }
    const { body } = await ask({ path: '/portfolio/list' })
    const { portfolioId } = body.result.find((one: any) => one.portfolioType === 'manual')
    purchase = { portfolioId, coinId: 'bitcoin', count: 0.25, price: 60_000, currency: 'USD' }
  })
  afterAll(async () => {
    await clients?.direct.stop()
    await clients?.recorded.stop()
    await recorder?.stop()
  })
  const calls = () => (clients ? clients.direct.calls() + clients.recorded.calls() : 0)
  const part = (what: string) => countCalls({ name, part: what, calls })

  type Asked = Omit<Call, 'method'> & { method?: Call['method'] }
  const ask = async (call: Asked, client = clients.direct) => {
    const { status, headers, body } = await client.call({
      method: 'GET',
      ...call,
      headers: { ...auth, ...call.headers },
    })
    return { status, headers, body: body === '' ? null : JSON.parse(body) }
  }
  /** Also returns what the client has sent. */
  const record = async (call: Asked) => {
    recorder.sent()
    const answer = await ask(call, clients.recorded)
    return { ...answer, sent: recorder.sent() }
  }
  /** An empty text, for which Ruby and urllib themselves send a form type. */
  const emptyForm = { body: '', ...(name === 'Python http.client' && { headers: FORM }) }
  const isEmptyForm = (sent: string) =>
    /^content-type: application\/x-www-form-urlencoded\r$/im.test(sent) &&
    /^content-length: 0\r$/im.test(sent)
  const json = (value: unknown) => ({ headers: JSON_BODY, body: JSON.stringify(value) })

  describe('reads', () => {
    part('reads')

    test('an answer with its credits and its age', async () => {
      const { status, headers, body } = await ask({ path: '/coins?limit=2' })
      expect([status, body.result.length, headers['x-credits-cost']]).toEqual([200, 2, '2'])
      expect(headers['content-type']).toMatch(/^application\/json/)
      expect(Number.isNaN(Date.parse(headers['x-data-as-of']!))).toBe(false)
    })

    test('GET with a form type and length 0', async () => {
      const { status, sent } = await record({ path: '/coins/bitcoin', ...emptyForm })
      expect([isEmptyForm(sent), status]).toEqual([true, 200])
    })

    test('HEAD has the headers of GET and no body, and the connection goes on', async () => {
      const read = await ask({ path: '/coins/bitcoin' })
      const head = await ask({ path: '/coins/bitcoin', method: 'HEAD' })
      expect([head.status, head.body]).toEqual([200, null])
      expect(head.headers['content-type']).toBe(read.headers['content-type'])
      expect(Number(head.headers['content-length'])).toBeGreaterThan(100)
      expect((await ask({ path: '/coins/bitcoin' })).body).toMatchObject({ id: 'bitcoin' })
    })

    test('a client that accepts gzip can read the answer', async () => {
      const accepted = name === 'Ruby net/http' ? {} : { 'Accept-Encoding': 'gzip' }
      const { sent, body } = await record({ path: '/coins?limit=100', headers: accepted })
      expect(sent).toMatch(/^accept-encoding: .*gzip/im)
      expect(body.result.length).toBeGreaterThan(2)
    })
  })

  describe('writes without a body', () => {
    part('writes without a body')
    const synced = { status: expect.stringMatching(/^(syncing|synced)$/) }

    test('PATCH to which the program gives no body', async () => {
      expect(await ask({ method: 'PATCH', path: SYNC })).toMatchObject({ status: 200, body: synced })
    })

    test('PATCH with a form type and length 0', async () => {
      const { status, body, sent } = await record({ method: 'PATCH', path: SYNC, ...emptyForm })
      expect([isEmptyForm(sent), status, body]).toEqual([true, 200, synced])
    })

    test.each([{}, { wallets: [] }])('PATCH with the body %j', async (empty) => {
      const answer = await ask({ method: 'PATCH', path: SYNC, ...json(empty) })
      expect(answer).toMatchObject({ status: 200, body: synced, headers: { 'x-credits-cost': '50' } })
    })

    test('PATCH of all portfolios with a form type and length 0', async () => {
      const { status, body } = await ask({ method: 'PATCH', path: '/portfolio/sync', ...emptyForm })
      expect([status, body]).toEqual([200, synced])
    })

    test.each([
      ['to which the program gives no body', () => ({}), false],
      ['with a form type and length 0', () => emptyForm, true],
      ['with the body {}', () => json({}), false],
    ])('DELETE %s', async (_how, given, isForm) => {
      const { body: added } = await ask({ method: 'POST', path: '/portfolio/transaction', ...json(purchase) })
      const path = `/portfolio/transaction/${added.id}`
      const { status, sent } = await record({ method: 'DELETE', path, ...given() })
      expect([isEmptyForm(sent), status]).toEqual([isForm, 200])
      expect((await ask({ method: 'DELETE', path, ...given() })).status).toBe(404)
    })
  })

  describe('writes with a body', () => {
    part('writes with a body')

    test('PATCH whose query and body name the same wallet is one sync at the price of one', async () => {
      const wallets = [{ address: wallet, connectionId: 'ethereum' }]
      const answer = await ask({ method: 'PATCH', path: SYNC, ...json({ wallets }) })
      expect(answer).toMatchObject({ status: 200, headers: { 'x-credits-cost': '50' } })
    })

    test('PATCH of a wallet on several networks in one item', async () => {
      const wallets = [{ address: wallet, connectionId: 'ethereum,base-wallet' }]
      const answer = await ask({ method: 'PATCH', path: '/wallet/transactions', ...json({ wallets }) })
      expect(answer).toMatchObject({ status: 200, headers: { 'x-credits-cost': '100' } })
    })

    test('POST of JSON, once for each idempotency key, PATCH and DELETE of what it made', async () => {
      const headers = { ...JSON_BODY, 'Idempotency-Key': randomUUID() }
      const adding = { ...json(purchase), method: 'POST', path: '/portfolio/transaction', headers } as const
      const first = await ask(adding)
      const again = await ask(adding)
      expect([first.status, again.status, again.body]).toEqual([200, 200, first.body])
      expect(again.headers['idempotency-replayed']).toBe('true')
      const path = `/portfolio/transaction/${first.body.id}`
      const corrected = await ask({ method: 'PATCH', path, ...json({ count: 0.5 }) })
      expect([corrected.status, corrected.body.coinData.count]).toEqual([200, 0.5])
      expect((await ask({ method: 'DELETE', path })).status).toBe(200)
    })
  })

  describe('errors', () => {
    part('errors')
    const wallets = [{ address: wallet, connectionId: 'base-wallet' }]
    const large = { wallets: [{ address: 'x'.repeat(1_100_000), connectionId: 'ethereum' }] }
    const packed = { headers: { ...JSON_BODY, 'Content-Encoding': 'gzip' }, body: '{"wallets":[]}' }

    test.each<[string, Asked, number, RegExp]>([
      ['of a wrong parameter', { path: '/coins?limit=0' }, 400, /^Invalid parameter: limit/],
      ['of a GET with a body', { path: '/coins/bitcoin', ...json({}) }, 400, /^Bad Request/],
      ['of broken JSON', { method: 'PATCH', path: SYNC, ...json({}), body: '{' }, 400, /^Invalid JSON body/],
      [
        'of a query and a body that differ',
        { method: 'PATCH', path: SYNC, ...json({ wallets }) },
        400,
        /query and body/,
      ],
      ['of a wrong key', { path: '/coins', headers: { 'X-API-KEY': 'wrong' } }, 401, /^Invalid API key/],
      ['of an unknown coin', { path: '/coins/no-such-coin' }, 404, /no-such-coin/],
      ['of an unknown path', { path: '/nothing' }, 404, /^Not Found/],
      ['of a wrong method', { method: 'DELETE', path: '/coins' }, 405, /^Method Not Allowed/],
      ['of a body above 1 MB', { method: 'PATCH', path: SYNC, ...json(large) }, 413, /^Payload Too Large/],
      [
        'of a form with content',
        { method: 'PATCH', path: SYNC, headers: FORM, body: 'a=b' },
        415,
        /^Unsupported Media Type/,
      ],
      ['of a compressed body', { method: 'PATCH', path: SYNC, ...packed }, 415, /^Unsupported Media Type/],
    ])('the body %s', async (_what, call, status, message) => {
      const answer = await ask(call)
      const [path] = call.path.split('?')
      expect(answer.body).toMatchObject({
        statusCode: status,
        message: expect.stringMatching(message),
        requestId: answer.headers['x-request-id'],
        path: `/v1${path}`,
      })
      expect([answer.status, answer.headers['x-credits-cost'] ?? '0']).toEqual([status, '0'])
      // The client is still of use.
      expect((await ask({ path: '/coins/bitcoin' })).status).toBe(200)
    })

    test('the time to wait of a client that asks too often', async () => {
      const headers = { 'X-API-KEY': newKey('--rps', '1') }
      let answer = await ask({ path: '/coins/bitcoin', headers })
      for (let asked = 1; answer.status === 200 && asked < 50; asked++)
        answer = await ask({ path: '/coins/bitcoin', headers })
      expect(answer.body).toMatchObject({ statusCode: 429, message: 'Rate limit exceeded' })
      expect(Number(answer.headers['retry-after'])).toBeGreaterThanOrEqual(1)
    })

    test('the end of the month of a client without credits, and no time to wait', async () => {
      const headers = { 'X-API-KEY': newKey('--credits', '1') }
      const { status, body, headers: told } = await ask({ path: '/coins?limit=1', headers })
      expect([status, body.message]).toEqual([429, 'Insufficient credits for this request'])
      expect([told['retry-after'], Number(told['x-credits-reset']) > 0]).toEqual([undefined, true])
    })
  })
})

/** Returns a key of a new account with these limits. */
function newKey(...limits: string[]): string {
  const sluice = (...args: string[]) => {
    const { status, stdout, stderr } = sluiceOn({ SLUICE_HOME: home })(...args, '--json')
    expect([status, stderr]).toEqual([0, ''])
    return JSON.parse(stdout)
  }
  const { accountId } = sluice('accounts', 'create', '--name', 'client', '--plan', 'free', ...limits)
  return sluice('keys', 'create', '--account', accountId, '--name', 'client').key
}
