import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { serviceEnvironment } from '../../cli/service-environment.ts'
import { linkIdentity, setOperator, unlinkIdentity } from '../../db/metering/write.ts'
import { DEMO_SUBJECT, OPERATOR_SUBJECT } from '../../db/values/demo-names.ts'
import { probeRoutes } from '../api/probe-routes.ts'
import { testDatabase } from '../setup/database.ts'
import { query } from '../setup/query.ts'
import { startAccountWorld } from './account-world.ts'
import { browse } from './browse.ts'

const COOKIE = 'sluice_session'

/** The ACCOUNT_SECRET that `npm start` gives the API. */
const secretWith = (change: Record<string, string> = {}, ports: Record<string, number> = { issuer: 1 }) =>
  serviceEnvironment({
    run: { ports, temporalAddress: '127.0.0.1:1', sources: 'live' },
    secrets: {
      owner: 'o',
      ingest: 'i',
      api: 'a',
      meter: 'm',
      gateway: 'g',
      accountSecret: 'secret of the cookies',
      demoPassword: 'of the demo',
      operatorPassword: 'of the operator',
      ...change,
    },
  })['ACCOUNT_SECRET']!

const database = await testDatabase()
const { api, url, issuer, openTo, signIn, another } = await startAccountWorld({
  database,
  routes: probeRoutes,
  secret: secretWith(),
})
const [own, other] = [await api.newAccount(), await api.newAccount()]
const second = await another()
const demo = { issuer, subject: DEMO_SUBJECT }
const operator = { issuer, subject: OPERATOR_SUBJECT }

beforeAll(() => openTo(own.accountId))
beforeEach(async () => {
  await linkIdentity(api.owner, { ...demo, accountId: own.accountId })
  await setOperator(api.owner, { ...operator, isOperator: true })
})

const asDemo = async () => (await signIn()).browser
const asOperator = async () => (await signIn({ as: OPERATOR_SUBJECT, to: 'console' })).browser

/** Statuses of the session cookie in another client, at both API processes. */
async function copied(browser: ReturnType<typeof browse>, path: string): Promise<number[]> {
  const cookie = `${COOKIE}=${browser.cookies.get(COOKIE)}`
  const answers = [url, second].map((origin) => fetch(`${origin}${path}`, { headers: { cookie } }))
  return (await Promise.all(answers)).map(({ status }) => status)
}
const OPEN = [200, 200]
const ENDED = [401, 401]

describe('a copied cookie opens nothing after sign-out, at any API process', () => {
  test.each([
    ['/account', asDemo],
    ['/console', asOperator],
  ])('at %s', async (path, enter) => {
    const [browser, twin] = [await enter(), await enter()]
    const copy = browse(url)
    copy.cookies.set(COOKIE, browser.cookies.get(COOKIE)!)
    expect(await copied(copy, path)).toEqual(OPEN)
    expect((await browser.submit(path, `${path}/sign-out`, {})).text).toContain('Signed out')
    expect(await copied(copy, path)).toEqual(ENDED)
    // The other session of the same user stays open.
    expect(await copied(twin, path)).toEqual(OPEN)
  })

  test('signing out at /account also ends the session at /console', async () => {
    await linkIdentity(api.owner, { ...operator, accountId: own.accountId })
    const browser = await asOperator()
    const copy = browse(url)
    copy.cookies.set(COOKIE, browser.cookies.get(COOKIE)!)
    await browser.submit('/account', '/account/sign-out', {})
    expect(await copied(copy, '/console')).toEqual(ENDED)
    await unlinkIdentity(api.owner, operator)
  })
})

describe('ending all sessions of a subject', () => {
  test('"sluice identities sign-out" ends them, and nobody else is signed out', async () => {
    const [first, last, stranger] = [await asDemo(), await asDemo(), await asOperator()]
    const before = await query(database.ownerUrl, 'select from page_sessions where subject = $1', [
      DEMO_SUBJECT,
    ])
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ['cli/main.ts', 'identities', 'sign-out', DEMO_SUBJECT, '--issuer', issuer],
      { env: { ...process.env, DATABASE_URL: database.ownerUrl } },
    )
    expect(stdout).toBe(`${before.length} sessions of demo of ${issuer} ended\n`)
    for (const browser of [first, last]) expect(await copied(browser, '/account')).toEqual(ENDED)
    expect(await copied(stranger, '/console')).toEqual(OPEN)
  })

  test.each([
    ['unlinked', () => unlinkIdentity(api.owner, demo)],
    ['linked to another account', () => linkIdentity(api.owner, { ...demo, accountId: other.accountId })],
    ['made an operator', () => setOperator(api.owner, { ...demo, isOperator: true })],
    ['removed as an operator', () => setOperator(api.owner, { ...demo, isOperator: false })],
  ])('ends them when the subject is %s', async (_what, change) => {
    const browser = await asDemo()
    expect(await copied(browser, '/account')).toEqual(OPEN)
    await change()
    expect(await copied(browser, '/account')).toEqual(ENDED)
  })

  test('a command that changes nothing, such as at each start, ends none', async () => {
    const browsers = [await asDemo(), await asOperator()] as const
    await linkIdentity(api.owner, { ...demo, accountId: own.accountId })
    await setOperator(api.owner, { ...operator, isOperator: true })
    expect(await copied(browsers[0], '/account')).toEqual(OPEN)
    expect(await copied(browsers[1], '/console')).toEqual(OPEN)
  })
})

test('a sign-in ends the former session of the browser and starts another', async () => {
  const planted = await asDemo()
  const victim = await asOperator()
  victim.cookies.set(COOKIE, planted.cookies.get(COOKIE)!)
  const again = await victim.get('/account/sign-in?to=console')
  await victim.follow(await victim.get(again.location!), issuer)
  expect(victim.cookies.get(COOKIE)).not.toBe(planted.cookies.get(COOKIE))
  expect(await copied(victim, '/console')).toEqual(OPEN)
  expect(await copied(planted, '/account')).toEqual(ENDED)
})

test('a changed password of the embedded issuer ends all sessions at the next start', async () => {
  const browser = await asDemo()
  const cookie = `${COOKIE}=${browser.cookies.get(COOKIE)}`
  const statusAfter = async (change: Record<string, string>) =>
    (await fetch(`${await another(secretWith(change))}/account`, { headers: { cookie } })).status
  expect(await statusAfter({})).toBe(200)
  expect(await statusAfter({ demoPassword: 'another' })).toBe(401)
  expect(await statusAfter({ operatorPassword: 'another' })).toBe(401)
  // With an external provider these passwords do not matter.
  expect(secretWith({ demoPassword: 'another' }, {})).toBe('secret of the cookies')
})

test('a session of another issuer is not valid', async () => {
  const browser = await asDemo()
  await query(database.ownerUrl, `update page_sessions set issuer = 'https://former.example'`)
  expect(await copied(browser, '/account')).toEqual(ENDED)
})

test('an expired session is refused even with a valid cookie, and the next sign-in deletes it', async () => {
  const browser = await asDemo()
  await query(database.ownerUrl, `update page_sessions set expires_at = now() - interval '1 second'`)
  expect(await copied(browser, '/account')).toEqual(ENDED)
  await asDemo()
  expect(await query(database.ownerUrl, 'select subject from page_sessions')).toEqual([{ subject: 'demo' }])
})
