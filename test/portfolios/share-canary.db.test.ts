import { connect } from 'node:net'
import { pino } from 'pino'
import { afterEach, expect, test } from 'vitest'
import { routes } from '../../api/routes.ts'
import { createShareToken } from '../../db/values/share-token.ts'
import { startApi } from '../setup/api.ts'
import { testDatabase } from '../setup/database.ts'
import { query } from '../setup/query.ts'
import { comparable, share, shareProbe, sharingAccount } from './share-probe.ts'
import { shareHeaders } from '../../api/portfolios/share-params.ts'

// S5: no log line and no response shows the token, passcode or key of a request, whatever its outcome.

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
  sharetoken: token,
  passcode: PASSCODE,
  cookie: `auth_token=${COOKIE}`,
  'x-payment': PAYMENT,
  'payment-signature': PAYMENT,
}

const secrets = new RegExp([token, PASSCODE, key, QUERY, PAYMENT, COOKIE].join('|'))
afterEach(() => expect(lines.filter((line) => secrets.test(line))).toEqual([]))

/** Sends a request with secrets in query and headers, and returns its status. */
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

test('S5 a success and every refusal show no secrets', async () => {
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

test('S5 every endpoint that takes a token shows no secrets', async () => {
  const shared = routes.filter(({ headers: declared }) => declared === shareHeaders)
  for (const { method, path } of shared)
    expect(await ask(path.replace(/\{\w+\}/g, 'x'), { method }), path).toBeLessThan(500)
})

test('S5 the shared page shows neither token nor passcode, and answers all unknown tokens alike', async () => {
  const page = async (path: string, init: RequestInit = {}) => {
    const response = await fetch(`http://127.0.0.1:${api.port}${path}`, { redirect: 'manual', ...init })
    const headers = [...response.headers].filter(([name]) => !['x-request-id', 'date'].includes(name))
    return { status: response.status, headers, text: await response.text() }
  }
  const unknown = await page(`/p/${createShareToken()}`)
  expect(unknown).toMatchObject({ status: 404, text: expect.stringContaining('Shared portfolio not found') })
  expect(unknown.headers).toContainEqual(['referrer-policy', 'no-referrer'])
  for (const other of ['x', 'x'.repeat(200)]) expect(await page(`/p/${other}`)).toEqual(unknown)
  const tried = (digits: string) =>
    page(`/p/${token}`, { method: 'POST', body: new URLSearchParams({ passcode: digits }) })
  const answers = [
    await page(`/p/${token}`),
    await tried('000000'),
    await page(`/p/${token}/`),
    await page(`/v1/p/${token}`),
    await page(`/p/${'x'.repeat(200)}${token}`),
    await page(`/p/${token}`, { method: 'PUT' }),
  ]
  expect(answers.map(({ status }) => status)).toEqual([403, 403, 404, 404, 404, 405])
  expect(answers[1]).toEqual(answers[0])
  for (const { text } of answers) expect(text).not.toMatch(secrets)
  const right = await tried(PASSCODE)
  expect(right).toMatchObject({ status: 303, text: '' })
  const cookie = new Map(right.headers).get('set-cookie')!
  expect(cookie).toMatch(/^sluice_passcode=[^;]+; Max-Age=3600; Path=\/p\/\w+; HttpOnly; SameSite=Lax$/)
  expect(cookie).not.toContain(PASSCODE)
  const shown = await page(`/p/${token}`, { headers: { cookie: cookie.split(';')[0]! } })
  expect(shown).toMatchObject({ status: 200, text: expect.stringContaining('Portfolio 0') })
  expect(shown.text).not.toMatch(secrets)
})

test('S5 logged failures show no secrets', async () => {
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

test('S5 requests that the HTTP parser refuses show no secrets', async () => {
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
