import { mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createRemoteJWKSet, decodeProtectedHeader, jwtVerify } from 'jose'
import { afterAll, expect, test } from 'vitest'
import { freePort } from '../../cli/supervisor/free-port.ts'
import { testDatabase } from '../setup/database.ts'
import { startEmbeddedIssuer } from './embedded-issuer.ts'

const home = await mkdtemp(join(tmpdir(), 'sluice-issuer-'))
const issuer = `http://127.0.0.1:${await freePort()}`
const keysFile = join(home, 'keys.json')
const { issuerUrl } = await testDatabase()
const config = {
  issuer,
  databaseUrl: issuerUrl,
  keysFile,
  demoUsers: { demo: 'right', operator: 'hers' },
  shellSecret: 'shell secret',
  client: { id: 'sluice-account', secret: 'client secret', url: 'http://127.0.0.1:1' },
}
let running = await startEmbeddedIssuer(config)
afterAll(async () => {
  await running.close()
  await rm(home, { recursive: true })
})

const discovery = async () =>
  (await (await fetch(`${issuer}/.well-known/openid-configuration`)).json()) as Record<string, any>

function token(secret: string, form: Record<string, string> = {}) {
  return fetch(`${issuer}/token`, {
    method: 'POST',
    headers: {
      authorization: `Basic ${btoa(`sluice-shell:${encodeURIComponent(secret)}`)}`,
    },
    body: new URLSearchParams({ grant_type: 'client_credentials', scope: 'sluice:read', ...form }),
  })
}

test('the shell client gets an API token with the requested scopes, signed by a published key', async () => {
  expect(await discovery()).toMatchObject({ issuer, code_challenge_methods_supported: ['S256'] })
  const response = await token('shell secret')
  const { access_token: text, expires_in: seconds } = (await response.json()) as any
  const jwks = createRemoteJWKSet(new URL((await discovery())['jwks_uri']))
  const { payload } = await jwtVerify(text, jwks, { issuer, audience: 'urn:sluice:api' })
  expect(payload).toMatchObject({ sub: 'sluice-shell', scope: 'sluice:read' })
  const { alg, typ } = decodeProtectedHeader(text)
  expect([alg, typ, seconds]).toEqual(['RS256', 'at+jwt', 3_600])
  expect((await token('wrong')).status).toBe(401)
  // Unknown scopes are not granted.
  expect(await (await token('shell secret', { scope: 'sluice:everything' })).json()).not.toHaveProperty(
    'scope',
  )
})

test('the keys survive a restart, and only their owner may read the file', async () => {
  const before = await readFile(keysFile, 'utf8')
  expect((await stat(keysFile)).mode & 0o777).toBe(0o600)
  await running.close()
  running = await startEmbeddedIssuer(config)
  expect(await readFile(keysFile, 'utf8')).toBe(before)
  const { keys } = (await (await fetch((await discovery())['jwks_uri'])).json()) as any
  expect(keys.map(({ alg }: any) => alg).sort()).toEqual(['ES256', 'RS256'])
  expect(keys.filter((key: any) => 'd' in key)).toEqual([])
})

const authorize = (change: Record<string, string>) => {
  const query = new URLSearchParams({
    client_id: 'sluice-account',
    response_type: 'code',
    scope: 'openid',
    state: 's',
    redirect_uri: 'http://127.0.0.1:1/account/callback',
    code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
    code_challenge_method: 'S256',
    ...change,
  })
  return fetch(`${issuer}/auth?${query.toString()}`, { redirect: 'manual' })
}

test('a failed sign-in does not reveal whether user or password is wrong', async () => {
  const begun = await authorize({})
  expect(begun.status).toBe(303)
  const form = new URL(begun.headers.get('location')!, issuer)
  const cookie = begun.headers
    .getSetCookie()
    .map((one) => one.split(';')[0])
    .join('; ')
  const send = (body: Record<string, string>) =>
    fetch(form, { method: 'POST', headers: { cookie }, body: new URLSearchParams(body), redirect: 'manual' })
  const shown = await fetch(form, { headers: { cookie } })
  expect(shown.headers.get('content-security-policy')).toContain(`form-action 'self' http://127.0.0.1:1;`)
  expect(await shown.text()).toContain('autocomplete="current-password"')
  for (const wrong of [
    { user: 'demo', password: 'wrong' },
    { user: 'other', password: 'right' },
    { user: 'operator', password: 'right' },
    { user: 'demo' },
  ]) {
    const response = await send(wrong as Record<string, string>)
    expect([response.status, await response.text()]).toEqual([401, expect.stringContaining('is wrong.')])
  }
  const resumed = await send({ user: 'demo', password: 'right' })
  expect(resumed.status).toBe(303)
  expect(new URL(resumed.headers.get('location')!).origin).toBe(issuer)
  // Without the cookie the sign-in is not that of this browser.
  expect((await fetch(form)).status).toBe(400)
})

test('a request without PKCE or with another redirect URI gets no code', async () => {
  const bare = await authorize({ code_challenge: '', code_challenge_method: '' })
  expect(new URL(bare.headers.get('location')!).searchParams.get('error')).toBe('invalid_request')
  const elsewhere = await authorize({ redirect_uri: 'http://evil.example/' })
  expect([elsewhere.status, elsewhere.headers.get('location')]).toEqual([400, null])
})
