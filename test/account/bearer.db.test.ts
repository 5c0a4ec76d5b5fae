import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { SignJWT, exportSPKI } from 'jose'
import { linkIdentity, unlinkIdentity } from '../../db/metering/write.ts'
import { startApi } from '../setup/api.ts'
import { testDatabase } from '../setup/database.ts'
import { probeRoutes } from '../api/probe-routes.ts'
import { AUDIENCE, startTestIssuer } from './test-issuer.ts'

const issuer = await startTestIssuer()
afterAll(() => issuer.stop())
const database = await testDatabase()
/** `stoodMs`: fixed time of the rate limit clock; null: it runs. */
const clock = { skewMs: 0, stoodMs: null as number | null }
const realNow = Date.now
const api = await startApi({
  database,
  routes: probeRoutes,
  overrides: {
    issuer: { issuer: issuer.url, audience: AUDIENCE, tokenType: 'at+jwt' },
    now: () => new Date(realNow() + clock.skewMs),
    monotonicMs: () => clock.stoodMs ?? performance.now() + clock.skewMs,
  },
})
const { accountId, key } = await api.newAccount()
const rsa = await issuer.newKey('RS256', 'first')
rsa.publish()
const identity = { issuer: issuer.url, subject: 'someone' }

beforeAll(async () => {
  await linkIdentity(api.owner, { ...identity, accountId })
  await linkIdentity(api.owner, { issuer: 'http://elsewhere.example', subject: 'stranger', accountId })
})
afterEach(() => {
  issuer.state.broken = false
})

/** Advances the clock of the server and of the library that caches the keys. */
function passMs(ms: number): void {
  clock.skewMs += ms
  vi.spyOn(Date, 'now').mockImplementation(() => realNow() + clock.skewMs)
}
afterEach(() => void vi.restoreAllMocks())

const ask = (token: string, init: RequestInit = {}, headers: Record<string, string> = {}) =>
  api.get('/probe', undefined, { ...init, headers: { authorization: `Bearer ${token}`, ...headers } })
const status = async (token: string, init?: RequestInit) => (await ask(token, init)).status
const now = () => Math.floor((realNow() + clock.skewMs) / 1_000)

async function expectRefused(response: Response) {
  expect(response.status).toBe(401)
  expect(await response.json()).toEqual({
    statusCode: 401,
    message: 'Invalid API key',
    error: 'Unauthorized',
    path: '/v1/probe',
    requestId: response.headers.get('x-request-id'),
  })
  expect(response.headers.get('x-credits-cost')).toBeNull()
}

test('a token of the issuer opens the account linked to its subject and charges it', async () => {
  const before = await api.get('/probe', key)
  const response = await ask(await rsa.sign())
  expect(response.status).toBe(200)
  expect(Number(response.headers.get('x-credits-remaining'))).toBe(
    Number(before.headers.get('x-credits-remaining')) - 25,
  )
})

test.each(['PS256', 'ES256', 'ES512', 'EdDSA'])('a token signed with %s is accepted', async (alg) => {
  const other = await issuer.newKey(alg, alg)
  other.publish()
  passMs(11_000)
  expect(await status(await other.sign({}, {}, realNow() + clock.skewMs))).toBe(200)
})

describe('invalid tokens get the same 401', () => {
  const minutes = (n: number) => n * 60
  test.each([
    ['expired', () => rsa.sign({ exp: now() - 10 })],
    ['without an expiry', () => rsa.sign({ exp: undefined as never })],
    ['not valid yet', () => rsa.sign({ nbf: now() + minutes(1) })],
    ['of another issuer', () => rsa.sign({ iss: 'http://elsewhere.example', sub: 'stranger' })],
    ['for another audience', () => rsa.sign({ aud: 'sluice-account' })],
    ['without audience', () => rsa.sign({ aud: undefined as never })],
    ['without a subject', () => rsa.sign({ sub: undefined as never })],
    ['of a subject that is not linked to an account', () => rsa.sign({ sub: 'stranger' })],
    ['signed with an unknown key', async () => (await issuer.newKey('RS256', 'unknown')).sign()],
    ['signed with another key of the same id', async () => (await issuer.newKey('RS256', 'first')).sign()],
    ['with a critical extension', () => rsa.sign({}, { crit: ['exp'] }).catch(() => 'a.b.c')],
    ['with a changed signature', async () => (await rsa.sign()).replace(/.{6}$/, 'AAAAAA')],
    [
      'without algorithm',
      async () =>
        `${Buffer.from('{"alg":"none"}').toString('base64url')}.${(await rsa.sign()).split('.')[1]}.`,
    ],
    [
      'signed with the public key as a secret',
      async () =>
        new SignJWT({ sub: 'someone', scope: 'sluice:read' })
          .setProtectedHeader({ alg: 'HS256', kid: 'first', typ: 'at+jwt' })
          .setIssuer(issuer.url)
          .setAudience(AUDIENCE)
          .setExpirationTime('1h')
          .sign(Buffer.from(await exportSPKI(rsa.publicKey))),
    ],
    ['an ID token', () => rsa.sign({ nonce: 'n', scope: undefined }, { typ: 'JWT' })],
    ['an ID token with the claims of an access token', () => rsa.sign({}, { typ: 'JWT' })],
    ['an ID token without a type', () => rsa.sign({}, { typ: undefined as never })],
    ['a logout token', () => rsa.sign({}, { typ: 'logout+jwt' })],
    ['encrypted', async () => 'a.b.c.d.e'],
    ['too long', () => rsa.sign({ more: 'x'.repeat(9_000) })],
    ['no token at all', async () => 'a.b.c'],
  ])('token: %s', async (_name, make) => expectRefused(await ask(await make())))

  test('a valid token beside an API key of the same account', async () =>
    expectRefused(await ask(await rsa.sign(), {}, { 'x-api-key': key })))
  test('a valid token in X-API-KEY or in both headers', async () => {
    const token = await rsa.sign()
    await expectRefused(await api.get('/probe', token))
    await expectRefused(await ask(token, {}, { 'x-api-key': token }))
  })
})

test('the type of an access token may be written in full and in any letter case', async () => {
  for (const typ of ['application/at+jwt', 'AT+JWT'])
    expect(await status(await rsa.sign({}, { typ }))).toBe(200)
})

describe('OIDC_TOKEN_TYPE=JWT, for providers whose access tokens have no own type', () => {
  const CLIENT = 'sluice-account'
  let plain: typeof api
  beforeAll(async () => {
    const tokens = { issuer: issuer.url, audience: AUDIENCE, tokenType: 'JWT' as const, clientId: CLIENT }
    plain = await startApi({ database, routes: probeRoutes, overrides: { issuer: tokens } })
  })
  const asked = async (...given: Parameters<typeof rsa.sign>) => {
    const authorization = `Bearer ${await rsa.sign(...given)}`
    return (await plain.get('/probe', undefined, { headers: { authorization } })).status
  }

  test.each([
    ['typ JWT', {}, { typ: 'JWT' }],
    ['no typ', {}, { typ: undefined as never }],
    ['the claims of Keycloak', { typ: 'Bearer', azp: CLIENT, auth_time: 1 }, { typ: 'JWT' }],
    ['the claims of Auth0', { aud: [AUDIENCE, 'https://tenant.example/userinfo'] }, { typ: 'JWT' }],
    ['the claims of Okta', { scope: undefined, scp: ['sluice:read'] }, { typ: undefined as never }],
  ])('an access token with %s is accepted', async (_name, payload, header) =>
    expect(await asked(payload, header)).toBe(200),
  )

  test.each([
    ['without scopes', { scope: undefined }],
    ['with a nonce', { nonce: 'n' }],
    ['with the hash of an access token', { at_hash: 'h' }],
    ['with the hash of a code', { c_hash: 'h' }],
    ['with our client as a second audience', { aud: [AUDIENCE, CLIENT] }],
    ['of Keycloak', { typ: 'ID' }],
    ['of Cognito', { token_use: 'id' }],
  ])('an ID token %s gets 401', async (_name, payload) =>
    expect(await asked(payload, { typ: 'JWT' })).toBe(401),
  )

  test('a token of another type gets 401', async () => {
    for (const typ of ['logout+jwt', 'dpop+jwt', 'secevent+jwt']) expect(await asked({}, { typ })).toBe(401)
  })
})

test('tokens are accepted if clocks differ by 3 s', async () => {
  expect(await status(await rsa.sign({ exp: now() - 3 }))).toBe(200)
  expect(await status(await rsa.sign({ nbf: now() + 3 }))).toBe(200)
})

test.each([
  ['sluice:read', 200, 403],
  ['sluice:write', 403, 200],
  ['openid sluice:read sluice:write', 200, 200],
  ['', 403, 403],
  [undefined, 403, 403],
] as const)('a token with scope %s gets status %i for GET and %i for PATCH', async (scope, get, patch) => {
  const token = await rsa.sign({ scope })
  expect([await status(token), await status(token, { method: 'PATCH' })]).toEqual([get, patch])
})

test('scopes in the claim `scp` are accepted', async () => {
  expect(await status(await rsa.sign({ scope: undefined, scp: ['sluice:read'] }))).toBe(200)
})

test('a token of an unlinked identity gets 401 after 5 seconds', async () => {
  await linkIdentity(api.owner, { ...identity, subject: 'leaver', accountId })
  const token = await rsa.sign({ sub: 'leaver' })
  expect(await status(token)).toBe(200)
  expect(await unlinkIdentity(api.owner, { ...identity, subject: 'leaver' })).toBe(true)
  passMs(5_000)
  expect(await status(token)).toBe(401)
})

describe('rotation of signing keys', () => {
  test('new keys are fetched at most every 10 s, and a withdrawn key stops working after 10 min', async () => {
    const second = await issuer.newKey('RS256', 'second')
    const sign = (one: typeof second) => one.sign({}, {}, realNow() + clock.skewMs)
    passMs(11_000)
    expect(await status(await sign(rsa))).toBe(200)
    expect(await status(await sign(second))).toBe(401)
    second.publish()
    const asked = issuer.state.requests
    expect(await status(await second.sign({ n: 1 }, {}, realNow() + clock.skewMs))).toBe(401)
    expect(issuer.state.requests).toBe(asked)
    passMs(11_000)
    expect(await status(await sign(second))).toBe(200)
    expect(issuer.state.requests).toBe(asked + 1)
    second.withdraw()
    passMs(601_000)
    expect(await status(await sign(second))).toBe(401)
  })

  test('while the issuer is down, known keys work, an unknown key gets 503, and the issuer is asked once', async () => {
    passMs(601_000)
    const sign = (one: typeof rsa) => one.sign({}, {}, realNow() + clock.skewMs)
    expect(await status(await sign(rsa))).toBe(200)
    passMs(20_000)
    issuer.state.broken = true
    const stranger = await issuer.newKey('RS256', 'stranger')
    const asked = issuer.state.requests
    for (let i = 0; i < 3; i++)
      expect(await status(await stranger.sign({ i }, {}, realNow() + clock.skewMs))).toBe(503)
    expect(issuer.state.requests).toBe(asked + 1)
    expect(await status(await sign(rsa))).toBe(200)
    issuer.state.broken = false
    passMs(6_000)
    expect(await status(await sign(stranger))).toBe(401)
  })
})

test('invalid tokens count against the same limit as wrong keys', async () => {
  clock.stoodMs = performance.now() + clock.skewMs
  const statuses = new Set<number>()
  for (let i = 0; i < 1_400 && !statuses.has(429); i += 100)
    for (const one of await Promise.all(
      Array.from({ length: 100 }, (_, n) => status(`${'a'.repeat(20)}.${i + n}x.c`)),
    ))
      statuses.add(one)
  expect(statuses).toEqual(new Set([401, 429]))
})

test('S5 no token is logged', async () => {
  const lines: string[] = []
  const { pino } = await import('pino')
  const loud = await startApi({
    database,
    routes: probeRoutes,
    overrides: {
      issuer: { issuer: 'http://127.0.0.1:9', audience: AUDIENCE, tokenType: 'at+jwt' },
      logger: pino({ level: 'trace' }, { write: (line: string) => void lines.push(line) }),
    },
  })
  const token = await rsa.sign()
  const response = await loud.get('/probe', undefined, { headers: { authorization: `Bearer ${token}` } })
  expect(response.status).toBe(503)
  expect(lines.length).toBeGreaterThan(0)
  expect(lines.filter((line) => line.includes(token.slice(-20)))).toEqual([])
})
