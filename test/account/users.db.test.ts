import { setTimeout as sleep } from 'node:timers/promises'
import fc from 'fast-check'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { openDb } from '../../db/connect.ts'
import { createUsers } from '../../db/account/users.ts'
import { inviteUser, readUsers, resetUser, setUserEnabled } from '../../db/console/users.ts'
import { clientNetwork } from '../../web/issuer/client-network.ts'
import { hashPassword, isPassword } from '../../web/issuer/password.ts'
import { probeRoutes } from '../api/probe-routes.ts'
import { testDatabase } from '../setup/database.ts'
import { query } from '../setup/query.ts'
import { startAccountWorld } from './account-world.ts'
import { browse } from './browse.ts'
import { USER_PASSWORD as PASSWORD, usersWorld } from './users-world.ts'

const database = await testDatabase()
const world = await startAccountWorld({ database, routes: probeRoutes })
const { api, url, issuer, signIn } = world
const { invite, choose, newUser } = usersWorld(world)
const { pool, close } = openDb({ url: database.issuerUrl, maxConnections: 8, applicationName: 'test' })
afterAll(close)
const users = createUsers(pool)
const sql = (text: string, values: unknown[] = []) =>
  query<Record<string, any>>(database.ownerUrl, text, values)
const operator = 'test'

beforeEach(() => sql('delete from sign_in_tries'))

const isIn = ({ landed }: Awaited<ReturnType<typeof signIn>>) => landed.status === 200

describe('invitations', () => {
  test('a user chooses a password with the link, once, and opens the account with it', async () => {
    const { name, link } = await invite()
    const page = await browse(issuer).get(link)
    expect([page.status, page.text]).toEqual([200, expect.stringContaining(name)])
    expect(page.headers.get('referrer-policy')).toBe('no-referrer')
    expect((await choose(link, 'short')).status).toBe(400)
    expect((await choose(link, `${name} and more words`)).status).toBe(400)
    expect((await choose(link, PASSWORD, 'another password')).status).toBe(400)
    expect((await choose(link)).status).toBe(200)
    for (const again of [await choose(link, 'another password'), await browse(issuer).get(link)])
      expect([again.status, again.text]).toEqual([404, expect.stringContaining('used before')])
    const { landed } = await signIn({ as: name.toUpperCase(), password: PASSWORD })
    expect([landed.status, landed.text]).toEqual([200, expect.stringContaining('Sign out test')])
    const [row] = (await readUsers(api.owner)).filter((one) => one.name === name)
    expect(row).toMatchObject({ account: 'test', hasPassword: true, invitedUntil: null, seesConsole: false })
    expect(row!.signedInAt!.getTime()).toBeGreaterThan(Date.now() - 60_000)
  })

  test('of several uses of one link at the same moment one works', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 2, max: 6 }), async (requests) => {
        const { token } = await invite()
        const done = await Promise.all(
          Array.from({ length: requests }, (_, i) => users.accept(token, `hash ${i}`)),
        )
        expect(done.filter(Boolean)).toHaveLength(1)
      }),
      { numRuns: 10 },
    )
  })

  test('an old, a replaced and an invented link do not work, nor that of a disabled user', async () => {
    const [old, replaced, disabled] = [await invite(), await invite(), await invite()]
    await sql(
      `update user_invitations i set expires_at = now() from users u
      where u.subject = i.user_subject and u.name = $1`,
      [old.name],
    )
    await resetUser(api.owner, { name: replaced.name, operator })
    await setUserEnabled(api.owner, { name: disabled.name, enabled: false, operator })
    for (const { link } of [old, replaced, disabled, { link: `${issuer}/invitation/${'x'.repeat(43)}` }]) {
      expect((await browse(issuer).get(link)).status).toBe(404)
      expect((await choose(link)).status).toBe(404)
    }
  })

  test('a name is taken once, and one that no user can have is refused', async () => {
    const { name, accountId } = await invite()
    const again = { name, accountId, seesConsole: false, issuer, operator }
    expect(await inviteUser(api.owner, again)).toBeNull()
    await expect(inviteUser(api.owner, { ...again, name: 'Ann' })).rejects.toMatchObject({ code: '23514' })
  })

  test('neither the token nor the password is stored', async () => {
    const { token } = await newUser()
    for (const table of ['users', 'user_invitations', 'issuer_records', 'operator_actions'])
      expect(
        await sql(
          `select from ${table} t where t::text like '%' || $1 || '%' or t::text like '%' || $2 || '%'`,
          [token, PASSWORD],
        ),
      ).toEqual([])
  })
})

describe('wrong tries', () => {
  const from = (network: string, name: string) => users.beginSignIn({ name, network })

  test('the sixth in a row is refused, the right password too, and nobody learns whether the name exists', async () => {
    const { name } = await newUser()
    const attempts = async (as: string) => {
      const pages = []
      for (let i = 0; i < 6; i++) pages.push((await signIn({ as, password: 'wrong' })).landed)
      return pages.map(({ status, text }) => ({
        status,
        // The page names the sign-in to which its forms belong.
        text: text.replaceAll(/\/interaction\/[\w-]+/g, ''),
      }))
    }
    expect(await attempts(name)).toEqual(await attempts('nobody'))
    expect(isIn(await signIn({ as: name, password: PASSWORD }))).toBe(false)
    const [{ seconds }] = (await sql(
      `select extract(epoch from locked_until - last_at)::int as seconds from sign_in_tries where key = $1`,
      [name],
    )) as [Record<string, number>]
    expect(seconds).toBe(900)
    await sql(`update sign_in_tries set locked_until = now() where key = $1`, [name])
    expect(isIn(await signIn({ as: name, password: PASSWORD }))).toBe(true)
    expect(await sql('select from sign_in_tries where key = $1', [name])).toEqual([])
  })

  test('each five more lock twice as long, up to a day', async () => {
    const locks = []
    for (let i = 1; i <= 50; i++) {
      await from(`10.0.0.${i}`, 'slow')
      const [{ seconds }] = (await sql(
        `update sign_in_tries t set locked_until = now() from sign_in_tries o
         where t.key = 'slow' and o.key = t.key and o.kind = t.kind
         returning extract(epoch from o.locked_until - o.last_at)::int as seconds, o.wrong`,
      )) as [{ seconds: number | null }]
      if (i % 5 === 0) locks.push(seconds)
      else expect(seconds ?? 0).toBeLessThanOrEqual(0)
    }
    expect(locks).toEqual([900, 1_800, 3_600, 7_200, 14_400, 28_800, 57_600, 86_400, 86_400, 86_400])
  })

  test('twenty from one network stop it, whatever the names, and no other network', async () => {
    const { name } = await newUser()
    for (let i = 0; i < 20; i++) expect(await from('192.0.2.1', `guess${i}`)).not.toBeNull()
    expect(await from('192.0.2.1', name)).toBeNull()
    expect((await from('192.0.2.2', name))!.subject).not.toBeNull()
  })

  test('right ones do not count, and do not make up for wrong ones of the network', async () => {
    const { name } = await newUser()
    const network = '192.0.2.3'
    for (let i = 0; i < 30; i++) {
      expect((await from(network, name))!.subject).not.toBeNull()
      await users.passSignIn({ name, network })
    }
    for (let i = 0; i < 20; i++) await from(network, `guess${i}`)
    expect(await from(network, name)).toBeNull()
  })

  test('parallel tries do not exceed the limit', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 6, max: 24 }), async (tries) => {
        await sql('delete from sign_in_tries')
        const { name } = await newUser()
        const found = await Promise.all(Array.from({ length: tries }, (_, i) => from(`10.1.0.${i}`, name)))
        expect(found.filter((one) => one?.subject)).toHaveLength(5)
      }),
      { numRuns: 5 },
    )
  })

  test('an address without a trusted proxy is that of the connection, and IPv6 counts by /64', async () => {
    for (let i = 0; i < 20; i++) await signInFrom(`203.0.113.${i}`, `guess${i}`)
    expect((await signInFrom('203.0.113.99', 'other')).status).toBe(429)
    expect(clientNetwork('2001:db8:1:2:3:4:5:6')).toBe(clientNetwork('2001:db8:1:2::9'))
    expect(clientNetwork('2001:db8:1:2::9')).not.toBe(clientNetwork('2001:db8:1:3::9'))
    expect(clientNetwork('::ffff:192.0.2.1')).toBe('192.0.2.1')
  })

  async function signInFrom(address: string, user: string) {
    const browser = browse(url)
    const atIssuer = await browser.get((await browser.get('/account/sign-in')).location!)
    return browser.send(new URL(atIssuer.location!, issuer).href, {
      method: 'POST',
      headers: { 'x-forwarded-for': address },
      body: new URLSearchParams({ user, password: 'wrong' }),
    })
  }
})

describe('operators', () => {
  test('a disabled user is signed out everywhere and refused until enabled again', async () => {
    const { name } = await newUser()
    const { browser } = await signIn({ as: name, password: PASSWORD })
    expect((await browser.get('/account')).status).toBe(200)
    await setUserEnabled(api.owner, { name, enabled: false, operator })
    expect((await browser.get('/account')).status).toBe(401)
    // The session at the provider ended too: it asks for the password.
    const again = await browser.follow(await browser.get('/account/sign-in'), url)
    expect(again.text).toContain('current-password')
    expect(isIn(await signIn({ as: name, password: PASSWORD }))).toBe(false)
    await setUserEnabled(api.owner, { name, enabled: true, operator })
    expect(isIn(await signIn({ as: name, password: PASSWORD }))).toBe(true)
  })

  test('a user who is disabled between sign-in and code gets no session', async () => {
    const { name } = await newUser()
    const browser = browse(url)
    const form = await browser.get((await browser.get('/account/sign-in')).location!)
    const resume = await browser.post(new URL(form.location!, issuer).href, {
      user: name,
      password: PASSWORD,
    })
    const callback = await browser.get(new URL(resume.location!, issuer).href)
    expect(callback.location).toContain(`${url}/account/callback?code=`)
    await setUserEnabled(api.owner, { name, enabled: false, operator })
    expect((await browser.get(callback.location!)).status).toBe(400)
  })

  test('a reset user chooses another password; the former one and its sessions end', async () => {
    const { name } = await newUser()
    const { browser } = await signIn({ as: name, password: PASSWORD })
    const token = await resetUser(api.owner, { name, operator })
    expect((await browser.get('/account')).status).toBe(401)
    expect(isIn(await signIn({ as: name, password: PASSWORD }))).toBe(false)
    expect((await choose(`${issuer}/invitation/${token}`, 'a whole new password')).status).toBe(200)
    expect(isIn(await signIn({ as: name, password: 'a whole new password' }))).toBe(true)
    expect(await sql('select action from operator_actions where subject = $1 order by id', [name])).toEqual([
      { action: 'invite a user' },
      { action: 'reset a user' },
    ])
    expect(await resetUser(api.owner, { name: 'nobody', operator })).toBeNull()
    expect(await setUserEnabled(api.owner, { name: 'nobody', enabled: false, operator })).toBe(false)
  })

  test('the console invites, resets, disables and enables, with a row for each', async () => {
    const { name } = await newUser({ seesConsole: true })
    const { browser } = await signIn({ as: name, to: 'console', password: PASSWORD })
    const { accountId } = await api.newAccount()
    const page = await browser.submit('/console/users', '/console/users', { name: 'ann', account: accountId })
    const link = /<output>([^<]+)<\/output>/.exec(page.text)![1]!
    expect((await choose(link)).status).toBe(200)
    expect(isIn(await signIn({ as: 'ann', password: PASSWORD }))).toBe(true)
    const act = (action: string) => browser.submit('/console/users', `/console/users/ann/${action}`, {})
    expect((await act('disable')).text).toContain('ann is signed out and refused')
    expect((await act('enable')).text).toContain('ann can sign in again')
    expect((await act('reset')).text).toContain('/invitation/')
    for (const [form, text] of [
      [{ name: 'ann', account: accountId }, 'There is a user ann'],
      [{ name: 'Ann Ä', account: accountId }, 'Enter a name'],
      [{ name: 'bob', account: '' }, 'Choose an account'],
      [{ name: 'bob', account: '00000000-0000-0000-0000-000000000000' }, 'no such account'],
    ] as const) {
      const refused = await browser.submit('/console/users', '/console/users', form)
      expect([refused.status, refused.text]).toEqual([400, expect.stringContaining(text)])
    }
    const rows = await sql(`select operator, action from operator_actions where subject = 'ann' order by id`)
    expect(rows.map(({ action }) => action)).toEqual([
      'invite a user',
      'disable a user',
      'enable a user',
      'reset a user',
    ])
    const [{ subject }] = (await sql('select subject from users where name = $1', [name])) as [
      Record<string, string>,
    ]
    expect(new Set(rows.map((row) => row['operator']))).toEqual(new Set([subject]))
  })

  test('a user without the console is refused there', async () => {
    const { name } = await newUser()
    const { browser } = await signIn({ as: name, password: PASSWORD })
    expect((await browser.get('/console/users')).status).toBe(404)
  })

  test('with a closed account goes who owned it, but not an operator', async () => {
    const [owner, both] = [await newUser(), await newUser({ seesConsole: true })]
    for (const { accountId } of [owner, both]) await sql('select close_account($1)', [accountId])
    expect(await sql('select name from users where name = any($1)', [[owner.name, both.name]])).toEqual([
      { name: both.name },
    ])
  })
})

describe('the provider', () => {
  test('a code that two requests use at the same moment gives one session', async () => {
    const { name } = await newUser()
    for (let i = 0; i < 5; i++) {
      const browser = browse(url)
      const form = await browser.get((await browser.get('/account/sign-in')).location!)
      const resume = await browser.post(new URL(form.location!, issuer).href, {
        user: name,
        password: PASSWORD,
      })
      const { location } = await browser.get(new URL(resume.location!, issuer).href)
      const cookie = [...browser.cookies].map((pair) => pair.join('=')).join('; ')
      const both = await Promise.all(
        [1, 2].map(() => fetch(location!, { headers: { cookie }, redirect: 'manual' })),
      )
      expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([303, 400])
    }
  })

  test('it stores no id of a session or a code, and forgets what has expired', async () => {
    const { name } = await newUser()
    const { browser } = await signIn({ as: name, password: PASSWORD })
    const session = browser.cookies.get('issuer_session')!
    expect(session.length).toBeGreaterThan(20)
    expect(await sql(`select from issuer_records r where r::text like '%' || $1 || '%'`, [session])).toEqual(
      [],
    )
    const kinds = await sql('select distinct model from issuer_records order by 1')
    expect(kinds.map(({ model }) => model)).toEqual(
      expect.arrayContaining(['AuthorizationCode', 'Grant', 'Session']),
    )
    await sql('update issuer_records set expires_at = now()')
    await browse(url).get((await browse(url).get('/account/sign-in')).location!)
    await sleep(1)
    expect(await sql('select from issuer_records where expires_at <= now()')).toEqual([])
  })

  test('users keep their account when its address changes', async () => {
    const { name, accountId } = await newUser({ seesConsole: true })
    await sql(`update identities set issuer = 'http://before' where account_id = $1`, [accountId])
    await sql(`update operators set issuer = 'http://before'`)
    await users.adopt(issuer)
    expect(isIn(await signIn({ as: name, password: PASSWORD }))).toBe(true)
    expect(isIn(await signIn({ as: name, password: PASSWORD, to: 'console' }))).toBe(true)
  })
})

test('a password is hashed with its own salt, and the hash says how', async () => {
  const [one, other] = await Promise.all([hashPassword('Ünïcode pässword'), hashPassword('Ünïcode pässword')])
  expect(one).not.toBe(other)
  expect(one).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
  expect(await isPassword('Ünïcode pässword'.normalize('NFD'), one)).toBe(true)
  expect(await isPassword('ünïcode pässword', one)).toBe(false)
  await expect(isPassword('x', 'sha256')).rejects.toThrow('no hash')
})
