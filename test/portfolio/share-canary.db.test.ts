import { connect } from 'node:net'
import { pino } from 'pino'
import { afterEach, expect, test } from 'vitest'
import { routes } from '../../api/routes.ts'
import { createShareToken } from '../../db/values/share-token.ts'
import { startApi } from '../setup/api.ts'
import { testDatabase } from '../setup/database.ts'
import { query } from '../setup/query.ts'
import { comparable, share, shareProbe, sharingAccount } from './share-probe.ts'

// S5: whatever a request ends in, nothing that is written down or answered shows its token, its passcode or its key.

const database = await testDatabase()
const lines: string[] = []
const stream = { write: (line: string) => void lines.push(line) }
const api = await startApi({
  database,
  routes: [...routes, shareProbe],
  overrides: { logger: pino({ level: 'trace' }, stream) },
})
const PASSCODE = '739518'
const { key, portfolioIds } = await sharingAccount(api, { portfolios: 1 })
const { token } = await share(api, { portfolioId: portfolioIds[0]!, passcode: PASSCODE })
const [QUERY, PAYMENT, COOKIE] = ['canary-of-the-query', 'canary-of-a-payment', 'canary-of-a-cookie']
const search = `?shareToken=${token}&passcode=${PASSCODE}&more=${QUERY}`
const headers = {
  ...{ sharetoken: token, passcode: PASSCODE, cookie: `auth_token=${COOKIE}` },
  ...{ 'x-payment': PAYMENT, 'payment-signature': PAYMENT },
}

const secrets = new RegExp([token, PASSCODE, key, QUERY, PAYMENT, COOKIE].join('|'))
afterEach(() => expect(lines.filter((line) => secrets.test(line))).toEqual([]))

/** With the secrets in query and headers; what a test is about is the refusal. */
async function ask(
  path: string,
  change: { method?: string; headers?: Record<string, string>; key?: string } = {},
) {
  const { method = 'GET', headers: others, key: as = key } = change
  const response = await api.get(`${path}${search}`, as, { method, headers: { ...headers, ...others } })
  const answer = await comparable(response)
  expect(JSON.stringify(answer)).not.toMatch(secrets)
  return answer.status
}

test('S5 a success and every refusal', async () => {
  expect(await ask('/probe/selected')).toBe(200)
  expect(await ask('/probe/selected', { method: 'PUT' })).toBe(405)
  expect(await ask('/probe/selected', { headers: { passcode: '000000' } })).toBe(403)
  expect(await ask('/probe/selected', { headers: { sharetoken: `${token}x` } })).toBe(404)
  expect(await ask('/probe/nothing')).toBe(404)
  expect(await ask('/probe/selected', { key: `${key}x` })).toBe(401)
  const twice = await api.get(`/probe/selected${search}&shareToken=${token}`, key)
  expect([twice.status, secrets.test(await twice.text())]).toEqual([400, false])
  const poor = await api.newAccount({ credits: 0 })
  expect(await ask('/probe/selected', { key: poor.key })).toBe(429)
})

test('S5 every endpoint that takes a token', async () => {
  const shared = routes.filter(({ headers: declared }) => declared !== undefined)
  for (const { method, path } of shared)
    expect(await ask(path.replace(/\{\w+\}/g, 'x'), { method }), path).toBeLessThan(500)
})

test('S5 failures, which are logged', async () => {
  const rename = (from: string, to: string) =>
    query(database.ownerUrl, `alter function ${from}(bytea, bytea) rename to ${to}`)
  await rename('open_share', 'away')
  const before = lines.length
  expect(await ask('/probe/selected')).toBe(500)
  await rename('away', 'open_share')
  await query(
    database.ownerUrl,
    `create or replace function share_passcode_hash(share_id uuid, keyed bytea) returns bytea language plpgsql as
     $$ begin raise exception 'tried % of %', keyed, share_id using detail = keyed, hint = share_id; end $$`,
  )
  expect(await ask('/probe/selected')).toBe(500)
  const logged = lines.slice(before).map((line) => JSON.parse(line) as { endpoint: string })
  expect(logged.map(({ endpoint }) => endpoint)).toEqual(['/v1/probe/selected', '/v1/probe/selected'])
})

test('the page that links lead to says the same of every token, and shows none', async () => {
  const page = async (path: string, method = 'GET') => {
    const response = await fetch(`http://127.0.0.1:${api.port}${path}`, { method })
    const headers = [...response.headers].filter(([name]) => !['x-request-id', 'date'].includes(name))
    return { status: response.status, headers, text: await response.text() }
  }
  const known = await page(`/p/${token}`)
  expect(known).toMatchObject({ status: 200, text: expect.stringContaining('sharetoken') })
  expect(known.headers).toContainEqual(['referrer-policy', 'no-referrer'])
  for (const other of [createShareToken(), 'x', 'x'.repeat(200)])
    expect(await page(`/p/${other}`)).toEqual(known)
  for (const [path, method] of [
    [`/p/${token}`, 'POST'],
    [`/p/${token}/`, 'GET'],
    [`/v1/p/${token}`, 'GET'],
    [`/p/${'x'.repeat(200)}${token}`, 'GET'],
  ] as const) {
    const { status, text } = await page(path, method)
    expect([path, status, secrets.test(text)]).toEqual([path, method === 'POST' ? 405 : 404, false])
  }
})

test('S5 what the HTTP parser refuses', async () => {
  const send = (text: string) =>
    new Promise<string>((resolve) => {
      let answer = ''
      const socket = connect(api.port, '127.0.0.1', () => socket.write(text))
      socket.on('data', (part) => (answer += part.toString())).on('close', () => resolve(answer))
    })
  const head = `host: x\r\nx-api-key: ${key}\r\nsharetoken: ${token}\r\npasscode: ${PASSCODE}\r\nconnection: close`
  for (const text of [
    `GET /v1/probe/selected${search} HTTP/9.9\r\n${head}\r\n\r\n`,
    `GET /v1/probe/selected${search} HTTP/1.1\r\n${head}\r\nbad header\r\n\r\n`,
    `GET /v1/probe/selected${search} HTTP/1.1\r\n${head}\r\nx: ${'a'.repeat(20_000)}\r\n\r\n`,
    `TRACE /v1/probe/selected${search} HTTP/1.1\r\n${head}\r\n\r\n`,
  ]) {
    const answer = await send(text)
    expect(answer).toMatch(/^HTTP\/1\.1 4\d\d /)
    expect(answer).not.toMatch(secrets)
  }
})
