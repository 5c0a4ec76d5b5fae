import { beforeAll, describe, expect, test } from 'vitest'
import { linkIdentity, setDegen, unlinkIdentity } from '../../db/metering/write.ts'
import { OPERATOR_SUBJECT } from '../../db/values/demo-names.ts'
import { probeRoutes } from '../api/probe-routes.ts'
import { share, sharingAccount } from '../portfolios/share-probe.ts'
import { testDatabase } from '../setup/database.ts'
import { SHELL_SECRET, startAccountWorld } from './account-world.ts'
import { browse } from './browse.ts'

const database = await testDatabase()
const { api, url, issuer, openTo, signIn } = await startAccountWorld({ database, routes: probeRoutes })
const own = await sharingAccount(api, { portfolios: 2 })
const other = await sharingAccount(api, { portfolios: 1 })
let browser: ReturnType<typeof browse>

beforeAll(async () => {
  await openTo(own.accountId)
  const signedIn = await signIn()
  browser = signedIn.browser
  expect([signedIn.landed.status, signedIn.landed.text]).toEqual([
    200,
    expect.stringContaining('<h1>Portfolio</h1>'),
  ])
})

const statusOf = async (key: string, method = 'GET') => (await api.get('/probe', key, { method })).status
const keyIn = (text: string) => /<output>(sl_\w+)<\/output>/.exec(text)?.[1]
const tokenIn = (text: string) => /<output>http:\/\/[^/]+\/p\/(\w+)<\/output>/.exec(text)?.[1]

describe('sessions', () => {
  test('without a session every page shows only the sign-in link', async () => {
    for (const path of ['/account', '/account/keys', '/account/shares', '/account/connections']) {
      const { status, text } = await browse(url).get(path)
      expect([path, status, text.includes('href="/account/sign-in"')]).toEqual([path, 401, true])
    }
    expect((await browse(url).post('/account/keys', { name: 'x' })).status).toBe(401)
  })

  test('the session cookie is sealed and cannot be forged', async () => {
    const { cookies } = browser
    const session = cookies.get('sluice_session')!
    expect(session).toMatch(/^eyJ[\w.-]+$/)
    const forged = browse(url)
    for (const value of [session.replace(/.{4}$/, 'AAAA'), 'x', cookies.get('issuer_session') ?? 'y']) {
      forged.cookies.set('sluice_session', value)
      expect((await forged.get('/account')).status).toBe(401)
    }
    // A cookie that we sealed under another name.
    const begun = browse(url)
    await begun.get('/account/sign-in')
    forged.cookies.set('sluice_session', begun.cookies.get('sluice_sign_in')!)
    expect((await forged.get('/account')).status).toBe(401)
  })

  test('a callback without a matching sign-in signs nobody in', async () => {
    const stranger = browse(url)
    expect((await stranger.get('/account/callback?code=x&state=y')).status).toBe(400)
    await stranger.get('/account/sign-in')
    const { status, text } = await stranger.get('/account/callback?code=x&state=y')
    expect([status, text.includes('was not completed')]).toEqual([400, true])
    expect(stranger.cookies.has('sluice_session')).toBe(false)
  })

  test('an unlinked user is signed out and sees the reason after the next sign-in', async () => {
    await unlinkIdentity(api.owner, { issuer, subject: 'demo' })
    expect((await browser.get('/account')).status).toBe(401)
    const { status, text } = (await signIn()).landed
    expect([status, text]).toEqual([403, expect.stringContaining('sluice identities link')])
    await openTo(own.accountId)
    browser = (await signIn()).browser
    expect((await browser.get('/account')).status).toBe(200)
  })

  test('signing out requires the form and ends the session', async () => {
    const { browser: leaving } = await signIn()
    expect((await leaving.get('/account/sign-out')).status).toBe(405)
    const { text } = await leaving.submit('/account', '/account/sign-out', {})
    expect(text).toContain('Signed out')
    expect((await leaving.get('/account')).status).toBe(401)
  })
})

test('every page forbids scripts and frames, is not cached and loads nothing from other hosts', async () => {
  for (const path of ['/account/usage', '/account/keys', '/account/connections', '/account/shares']) {
    const { headers, text } = await browser.get(path)
    const policy = headers.get('content-security-policy')!
    expect(policy).toMatch(
      /^default-src 'none'; style-src 'sha256-[^']+'; img-src data:; form-action 'self';/,
    )
    expect(policy).toContain(`frame-ancestors 'none'`)
    expect(headers.get('cache-control')).toBe('no-store')
    expect(text).not.toMatch(/<script|\son\w+=|\sstyle=|src="http|javascript:/i)
  }
})

describe('CSRF', () => {
  const actions = ['/account/keys', '/account/shares', '/account/sign-out', '/account/keys/sl_aaaaa/revoke']
  test.each(actions)('%s without the CSRF token of this session does nothing', async (action) => {
    const { browser: another } = await signIn()
    const foreign = await another.csrfOf('/account/keys')
    const fields = { name: 'evil', portfolioId: own.portfolioIds[0]! }
    for (const csrf of [{}, { csrf: '' }, { csrf: foreign }])
      expect((await browser.post(action, { ...fields, ...csrf })).status).toBe(403)
    expect((await browser.get('/account/keys')).text).not.toContain('evil')
  })
})

describe('keys', () => {
  test('a key is shown once, works, and can be restricted, renamed and revoked', async () => {
    const made = await browser.submit('/account/keys', '/account/keys', {
      name: '<b>Bot</b>',
      readOnly: 'on',
    })
    const key = keyIn(made.text)!
    expect(made.text).toContain('&#60;b&#62;Bot')
    expect((await browser.get('/account/keys')).text).not.toContain(key)
    expect([await statusOf(key), await statusOf(key, 'PATCH')]).toEqual([200, 403])

    const address = `/account/keys/${key.slice(0, 8)}`
    const edit = await browser.get(address)
    expect(edit.text).toMatch(/name="readOnly" checked/)
    const saved = await browser.submit(address, address, {
      name: 'Reader',
      opens: ['GET /probe/networks', 'GET /probe/items/{id}'],
      expires: '2099-12-31',
    })
    expect(saved.text).toContain('Reader is saved')
    expect(saved.text).toContain('GET /probe/networks, GET /probe/items/{id}')
    expect(saved.text).toContain('2099-12-31, inclusive')
    await expect.poll(() => statusOf(key)).toBe(403)

    expect((await browser.submit(address, `${address}/revoke`, {})).text).toContain('is revoked')
    await expect.poll(() => statusOf(key)).toBe(401)
    expect((await browser.get(address)).status).toBe(404)
  })

  test.each([
    ['no name', { name: ' ' }],
    ['a long name', { name: 'x'.repeat(101) }],
    ['two names', { name: ['a', 'b'] }],
    ['an endpoint that does not exist', { name: 'a', opens: 'GET /nowhere' }],
    ['a property of objects', { name: 'a', opens: '__proto__' }],
    ['a day that does not exist', { name: 'a', expires: '2026-02-30' }],
    ['a timestamp instead of a day', { name: 'a', expires: '2026-02-03T00:00:00Z' }],
  ])('a key form with %s gets 400', async (_what, fields) => {
    const csrf = await browser.csrfOf('/account/keys')
    expect((await browser.post('/account/keys', { ...fields, csrf })).status).toBe(400)
  })

  test('a form that is too large gets 413', async () => {
    const csrf = await browser.csrfOf('/account/keys')
    expect((await browser.post('/account/keys', { csrf, name: 'x'.repeat(40_000) })).status).toBe(413)
  })

  test('parallel requests cannot create more than 100 keys', async () => {
    const full = await api.newAccount()
    await linkIdentity(api.owner, { issuer, subject: OPERATOR_SUBJECT, accountId: full.accountId })
    const { browser: another } = await signIn({ as: OPERATOR_SUBJECT })
    const csrf = await another.csrfOf('/account/keys')
    const made = await Promise.all(
      Array.from({ length: 110 }, (_, n) => another.post('/account/keys', { csrf, name: `key ${n}` })),
    )
    expect(made.filter(({ status }) => status === 303)).toHaveLength(99)
  })
})

describe('S1 objects of another account look unknown', () => {
  const unknown = 'sl_aaaaa'
  test('a foreign key gets the same answers as an unknown one', async () => {
    const csrf = await browser.csrfOf('/account/keys')
    const foreign = other.prefix
    for (const [path, fields] of [
      ['', { name: 'mine', csrf }],
      ['/revoke', { csrf }],
    ] as const) {
      const answers = await Promise.all(
        [foreign, unknown].map((prefix) => browser.post(`/account/keys/${prefix}${path}`, fields)),
      )
      expect(answers.map(({ status }) => status)).toEqual([404, 404])
      expect(bare(answers[0]!)).toBe(bare(answers[1]!))
    }
    expect((await browser.get(`/account/keys/${foreign}`)).status).toBe(404)
    expect(await statusOf(other.key)).toBe(200)
    expect((await browser.get('/account/keys')).text).not.toContain(foreign)
  })

  test('a foreign share or portfolio gets the same answers as an unknown one', async () => {
    const { shareId, token } = await share(api, { portfolioId: other.portfolioIds[0]! })
    const csrf = await browser.csrfOf('/account/shares')
    for (const action of ['rotate', 'revoke']) {
      const answers = await Promise.all(
        [shareId, '00000000-0000-7000-8000-000000000000', 'x'].map((id) =>
          browser.post(`/account/shares/${id}/${action}`, { csrf }),
        ),
      )
      expect(answers.map(({ status }) => status)).toEqual([404, 404, 404])
      expect(new Set(answers.map(bare)).size).toBe(1)
    }
    for (const portfolioId of [other.portfolioIds[0]!, '00000000-0000-7000-8000-000000000000', 'x'])
      expect((await browser.post('/account/shares', { csrf, portfolioId })).status).toBe(404)
    expect((await browser.get(`/p/${token}`)).text).toContain('Portfolio 0')
    expect((await browser.get('/account/shares')).text).not.toContain(shareId)
  })
})

/** Text of a page without its request id. */
const bare = ({ text }: { text: string }) => text.replace(/Request [0-9a-f-]{36}/, '')

describe('shares', () => {
  test('a link with a passcode is created, rotated and revoked', async () => {
    const fields = { portfolioId: own.portfolioIds[1]!, passcode: '271828' }
    const made = await browser.submit('/account/shares', '/account/shares', fields)
    const token = tokenIn(made.text)!
    expect((await browser.get('/account/shares')).text).not.toContain(token)
    const visitor = browse(url)
    const asked = await visitor.get(`/p/${token}`)
    expect([asked.status, asked.text]).toEqual([
      403,
      expect.stringContaining('Passcode required for this portfolio'),
    ])
    const opened = await visitor.post(`/p/${token}`, { passcode: '271828' })
    expect((await visitor.follow(opened, `${url}/p/${token}`)).text).toContain('<h1>Portfolio 1</h1>')

    const page = (await browser.get('/account/shares')).text
    const shareId = /shares\/([0-9a-f-]{36})\/rotate/.exec(page)![1]!
    const rotated = await browser.submit('/account/shares', `/account/shares/${shareId}/rotate`, {})
    expect((await visitor.get(`/p/${token}`)).status).toBe(404)
    const fresh = tokenIn(rotated.text)!
    expect((await visitor.get(`/p/${fresh}`)).status).toBe(403)
    await browser.submit('/account/shares', `/account/shares/${shareId}/revoke`, {})
    expect((await visitor.get(`/p/${fresh}`)).status).toBe(404)
  })

  test('without Degen no link is created and existing links show nothing', async () => {
    const { token } = await share(api, { portfolioId: own.portfolioIds[0]! })
    await setDegen(api.owner, { accountId: own.accountId, degen: false })
    const { text } = await browser.get('/account/shares')
    expect([text.includes('needs Degen'), text.includes('<select')]).toEqual([true, false])
    const csrf = await browser.csrfOf('/account/shares')
    expect((await browser.post('/account/shares', { csrf, portfolioId: own.portfolioIds[0]! })).status).toBe(
      403,
    )
    const shown = await browse(url).get(`/p/${token}`)
    expect([shown.status, shown.text]).toEqual([403, expect.stringContaining('Shared portfolio not found')])
    await setDegen(api.owner, { accountId: own.accountId, degen: true })
  })

  test.each(['12345', '1234567', 'abcdef', '١٢٣٤٥٦'])('passcode %s gets 400', async (passcode) => {
    const csrf = await browser.csrfOf('/account/shares')
    const fields = { csrf, portfolioId: own.portfolioIds[0]!, passcode }
    expect((await browser.post('/account/shares', fields)).status).toBe(400)
  })

  test('S7 the page and the API share the count of wrong passcodes: five lock both, even for the right one', async () => {
    const { token } = await share(api, { portfolioId: own.portfolioIds[0]!, passcode: '161803' })
    const visitor = browse(url)
    for (let i = 0; i < 5; i++)
      expect((await visitor.post(`/p/${token}`, { passcode: '000000' })).status).toBe(403)
    expect((await visitor.post(`/p/${token}`, { passcode: '161803' })).status).toBe(403)
    const headers = { sharetoken: token, passcode: '161803' }
    expect((await api.get('/probe', own.key, { headers })).status).toBe(200)
    const [row] = await api.owner
      .selectFrom('portfolio_shares')
      .select('wrong_passcodes')
      .where('locked_until', 'is not', null)
      .execute()
    expect(row).toEqual({ wrong_passcodes: 5 })
  })
})

test('usage shows credits spent by a shell token, and connections lists the portfolios', async () => {
  const answer = await fetch(`${issuer}/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${btoa(`sluice-shell:${encodeURIComponent(SHELL_SECRET)}`)}` },
    body: new URLSearchParams({ grant_type: 'client_credentials', scope: 'sluice:read' }),
  })
  const { access_token: token } = (await answer.json()) as { access_token: string }
  const authorization = `Bearer ${token}`
  expect((await api.get('/probe/spend?units=777', undefined, { headers: { authorization } })).status).toBe(
    200,
  )
  const { text } = await browser.get('/account/usage')
  expect(text).toMatch(/GET \/probe\/spend<\/th>\s*<td class="number">1<\/td>\s*<td class="number">777</)
  expect(text).toMatch(/<dt>Plan<\/dt>\s*<dd>\s*starter, with Degen/)
  expect((await browser.get('/account/connections')).text).toContain('Portfolio 1')
})

test('page views do not count against the rate limit', async () => {
  const poor = await api.newAccount({ requestsPerSecond: 1 })
  await linkIdentity(api.owner, { issuer, subject: OPERATOR_SUBJECT, accountId: poor.accountId })
  const { browser: another } = await signIn({ as: OPERATOR_SUBJECT })
  for (let i = 0; i < 5; i++) expect((await another.get('/account')).status).toBe(200)
  expect(await statusOf(poor.key)).toBe(200)
})
