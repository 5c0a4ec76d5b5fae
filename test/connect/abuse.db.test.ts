import { expect, test } from 'vitest'
import { createConnectCode } from '../../db/values/connect-code.ts'
import { browse } from '../account/browse.ts'
import { refusal } from '../setup/endpoint.ts'
import { query } from '../setup/query.ts'
import { address } from '../setup/wallet-factories.ts'
import { APP, REDIRECTS, resultIn, startConnectWorld, WALLET } from './connect-world.ts'

// What somebody tries who knows a kit id: it is public.

const clock = { ms: 0 }
const { database, api, url, newKit, screen, submit, chooseWallet, redeem } = await startConnectWorld({
  overrides: { monotonicMs: () => clock.ms },
})
const partner = await api.newAccount()
const other = await api.newAccount()
const kitId = await newKit(partner.accountId, { redirectUrls: [`${APP}/cb`] })
const redirecting = await newKit(partner.accountId, REDIRECTS)
const GONE = 'Connection not found: the code is unknown, expired or redeemed'

const codes = () =>
  query<{ n: string }>(database.ownerUrl, 'select count(*) as n from connect_codes').then(([row]) => row!.n)

test.each([
  ['another site', 'https://evil.example/cb'],
  ['another scheme', 'http://app.example.com/cb'],
  ['another port', 'https://app.example.com:8443/cb'],
  ['a subdomain', 'https://x.app.example.com/cb'],
  ['a suffix', 'https://app.example.com.evil.example/cb'],
  ['a user in front', 'https://app.example.com@evil.example/cb'],
  ['a backslash', 'https://evil.example\\@app.example.com/cb'],
  ['a script', 'javascript:alert(1)//https://app.example.com'],
  ['a path alone', '/cb'],
  ['the null origin', 'null'],
  ['nothing', ''],
])('a popup does not open for an origin that the kit does not trust: %s', async (_what, callback) => {
  for (const at of ['', '/wallet', '/cancel']) {
    const path = screen(kitId, { at, callback })
    const answer = at === '/cancel' ? await browse(url).post(path, {}) : await browse(url).get(path)
    expect([answer.status, answer.location]).toEqual([400, null])
    expect(answer.text).not.toMatch(/evil\.example|data-origin|javascript:/)
  }
})

test.each([
  ['the trusted origin with another path', `${APP}/other`],
  ['another query', `${APP}/cb?from=evil`],
  ['an added query', `${APP}/cb?from=sluice&next=https://evil.example`],
  ['a fragment', `${APP}/cb?from=sluice#x`],
  ['dots', `${APP}/cb/../../cb2?from=sluice`],
  ['another site', 'https://evil.example/cb?from=sluice'],
  ['no scheme', '//evil.example/cb'],
])('a redirect never leaves for an address that the kit does not list: %s', async (_what, callback) => {
  for (const at of ['', '/wallet']) {
    const { status, location } = await browse(url).get(screen(redirecting, { at, callback }))
    expect([status, location]).toEqual([400, null])
  }
})

test('a callback or a state that is sent twice, and a long state, get 400', async () => {
  const evil = encodeURIComponent('https://evil.example')
  for (const more of [`&callback=${evil}`, '&state=a&state=b', `&state=${'x'.repeat(501)}`])
    expect((await browse(url).get(screen(kitId) + more)).status).toBe(400)
  for (const id of ['x', '00000000-0000-4000-8000-000000000000', `${kitId}'`])
    expect((await browse(url).get(screen(id))).status).toBe(404)
})

test('no screen can be framed, and scripts are ours', async () => {
  for (const at of ['', '/wallet']) {
    const { headers, text } = await browse(url).get(screen(kitId, { at }))
    const policy = headers.get('content-security-policy')!
    expect(policy).toMatch(/^default-src 'none'; style-src 'sha256-\S+' 'sha256-\S+'; img-src data:; /)
    expect(policy).toContain(`form-action 'self' https://app.example.com;`)
    expect(policy).not.toContain('unsafe')
    expect(policy).toContain(`frame-ancestors 'none'`)
    expect(headers.get('referrer-policy')).toBe('no-referrer')
    expect(headers.get('cache-control')).toBe('no-store')
    expect(text).not.toMatch(/\son\w+=|\sstyle=/i)
    for (const script of text.match(/<script[^>]*>/g) ?? [])
      expect(script).toBe('<script src="/connect/wallet.js" defer>')
  }
  const done = await chooseWallet(kitId)
  expect(done.headers.get('content-security-policy')).toMatch(/script-src 'self';.*frame-ancestors 'none'/)
  expect(done.text.match(/<script[^>]*>/g)).toEqual(['<script src="/connect/finish.js" defer>'])
})

test('another site cannot submit a screen in the name of its visitor', async () => {
  const before = await codes()
  const path = screen(kitId, { at: '/wallet' })
  const [victim, attacker] = [browse(url), browse(url)]
  await victim.get(path)
  const fields = { network: 'ethereum', address: WALLET }
  for (const csrf of [{}, { csrf: '' }, { csrf: await attacker.csrfOf(path) }])
    expect((await victim.post(path, { ...fields, ...csrf })).status).toBe(403)
  expect(await codes()).toBe(before)
})

test('a code works once, also for 20 requests at once', async () => {
  const { message } = resultIn(await chooseWallet(kitId))!
  const answers = await Promise.all(Array.from({ length: 20 }, () => redeem(partner.key, message['code'])))
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
    200,
    ...Array.from({ length: 19 }, () => 404),
  ])
  const charges = await query(
    database.ownerUrl,
    `select credits from ledger_entries where account_id = $1 and endpoint = 'POST /connect/redeem'`,
    [partner.accountId],
  )
  expect(charges).toHaveLength(1)
})

test('a repeated request with its Idempotency-Key gets the first answer', async () => {
  const { message } = resultIn(await chooseWallet(kitId, { address: address(5) }))!
  const headers = { 'idempotency-key': 'connect-1' }
  const bodies = []
  for (let i = 0; i < 2; i++) {
    const answer = await redeem(partner.key, message['code'], headers)
    expect(answer.status).toBe(200)
    bodies.push(await answer.json())
  }
  expect(bodies[1]).toEqual(bodies[0])
})

test('a code of the kit of another account, an expired one and a guessed one look the same', async () => {
  const { message } = resultIn(await chooseWallet(kitId))!
  expect(await refusal(await redeem(other.key, message['code']))).toEqual([404, GONE])
  for (let i = 0; i < 50; i++)
    expect(await refusal(await redeem(partner.key, createConnectCode()))).toEqual([404, GONE])
  await query(database.ownerUrl, 'update connect_codes set expires_at = now()')
  expect(await refusal(await redeem(partner.key, message['code']))).toEqual([404, GONE])
  expect(
    await query(database.ownerUrl, 'select from portfolios where account_id = $1', [other.accountId]),
  ).toEqual([])
})

test.each([undefined, '', 'x', 7, `${'a'.repeat(39)}'`, 'a'.repeat(41)])('code %s gets 400', async (code) => {
  expect((await redeem(partner.key, code)).status).toBe(400)
})

test('redeeming needs a key, and one that may write', async () => {
  expect((await redeem(undefined, createConnectCode())).status).toBe(401)
  expect((await redeem('sl_wrong', createConnectCode())).status).toBe(401)
})

test('the database does not hold the code', async () => {
  const { message } = resultIn(await chooseWallet(kitId))!
  const rows = await query(
    database.ownerUrl,
    `select from connect_codes c where c::text like '%' || $1 || '%'`,
    [message['code']],
  )
  expect(rows).toEqual([])
})

test('a removed kit opens nothing, and its codes are void', async () => {
  const gone = await newKit(partner.accountId)
  const { message } = resultIn(await chooseWallet(gone))!
  await query(database.ownerUrl, 'delete from connect_kits where id = $1', [gone])
  expect((await browse(url).get(screen(gone))).status).toBe(404)
  expect((await redeem(partner.key, message['code'])).status).toBe(404)
})

test('one network cannot make codes without end', async () => {
  clock.ms += 3_600_000
  const browser = browse(url)
  const path = screen(kitId, { at: '/wallet' })
  const csrf = await browser.csrfOf(path)
  const post = () => browser.post(path, { csrf, network: 'ethereum', address: WALLET })
  const made = []
  for (let round = 0; round < 7; round++) made.push(...(await Promise.all(Array.from({ length: 10 }, post))))
  expect(made.filter(({ status }) => status === 200)).toHaveLength(60)
  const refused = made.find(({ status }) => status === 429)!
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
  clock.ms += 5_000
  expect((await submit(path, { network: 'ethereum', address: WALLET })).status).toBe(200)
})
