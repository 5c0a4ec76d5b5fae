import fc from 'fast-check'
import { TOTP } from 'otpauth'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { rotateUserCodes } from '../../db/account/rotate-user-codes.ts'
import { createUserCodes } from '../../db/account/user-codes.ts'
import { openDb } from '../../db/connect.ts'
import { resetUser } from '../../db/console/users.ts'
import { createSealingKey, sealingPublicKey, sealSecret } from '../../db/values/sealed-secret.ts'
import { appSecret, checkCode } from '../../web/issuer/second-step.ts'
import { newRecoveryCodes, newTotpSecret, totpStep } from '../../web/issuer/totp.ts'
import { probeRoutes } from '../api/probe-routes.ts'
import { testDatabase } from '../setup/database.ts'
import { query } from '../setup/query.ts'
import { startAccountWorld } from './account-world.ts'
import { browse } from './browse.ts'
import { USER_PASSWORD, usersWorld } from './users-world.ts'

const database = await testDatabase()
const world = await startAccountWorld({ database, routes: probeRoutes })
const { api, url, issuer } = world
const { newUser, withPassword, settingsOf } = usersWorld(world)
const { pool, close } = openDb({ url: database.issuerUrl, maxConnections: 8, applicationName: 'test' })
afterAll(close)
const codes = createUserCodes(pool)
const sql = (text: string, values: unknown[] = []) =>
  query<Record<string, any>>(database.ownerUrl, text, values)
beforeEach(() => sql('delete from sign_in_tries'))

const PERIOD_MS = 30_000
const codeAt = (secret: string, atMs = Date.now()) => new TOTP({ secret }).generate({ timestamp: atMs })
/** Newer than that of now, and good for two periods, so a test may go on while one ends. */
const nextCode = (secret: string) => codeAt(secret, Date.now() + PERIOD_MS)

/** A user with an app, turned on at `startMs`, without the pages. `check` enters a code at a time. */
async function withApp(startMs: number) {
  const { name } = await newUser()
  const [{ subject }] = (await sql('select subject from users where name = $1', [name])) as [
    { subject: string },
  ]
  const key = createSealingKey()
  const secret = newTotpSecret()
  const context = { userSubject: subject }
  await codes.keep(subject, sealSecret({ secret, context, publicKey: sealingPublicKey(key) }))
  const recoveryCodes = newRecoveryCodes()
  expect(await codes.confirm(subject, Math.floor(startMs / PERIOD_MS), recoveryCodes)).toBe(true)
  const check = (code: string, atMs: number, network = '192.0.2.1') =>
    checkCode({ codes, sealingKeys: [key], now: () => new Date(atMs) }, { subject, code, network })
  return { name, subject, key, secret, recoveryCodes, check }
}

describe('codes of an app', () => {
  test('none is accepted twice, nor one older than the last, at whatever times they are entered', async () => {
    const startMs = Date.UTC(2026, 0, 1)
    const entries = fc.array(
      fc.record({ made: fc.integer({ min: 0, max: 12 }), late: fc.integer({ min: -3, max: 3 }) }),
      { minLength: 3, maxLength: 14 },
    )
    await fc.assert(
      fc.asyncProperty(entries, async (tried) => {
        await sql('delete from sign_in_tries')
        const { secret, check } = await withApp(startMs)
        let newest = 0
        for (const { made, late } of tried) {
          await sql('delete from sign_in_tries')
          const madeMs = startMs + made * PERIOD_MS
          const outcome = await check(codeAt(secret, madeMs), madeMs + late * PERIOD_MS)
          const isGood = Math.abs(late) <= 1 && made > newest
          expect([made, late, outcome]).toEqual([made, late, isGood ? 'right' : 'wrong'])
          if (isGood) newest = made
        }
      }),
      { numRuns: 12 },
    )
  })

  test('of one code at the same moment in several requests one is accepted', async () => {
    const { secret, check } = await withApp(0)
    const now = Date.now()
    const outcomes = await Promise.all(
      Array.from({ length: 5 }, (_, i) => check(codeAt(secret, now), now, `192.0.2.${i}`)),
    )
    expect(outcomes.filter((one) => one === 'right')).toHaveLength(1)
  })

  test('five wrong ones in a row lock them, the right one too, and the right password does not undo it', async () => {
    const { name, secret, check } = await withApp(0)
    const wrong = codeAt(newTotpSecret())
    for (let i = 0; i < 5; i++) expect(await check(wrong, Date.now(), `192.0.2.${i}`)).toBe('wrong')
    await withPassword(name)
    expect(await check(codeAt(secret), Date.now(), '192.0.2.9')).toBe('wrong')
    await sql(`update sign_in_tries set locked_until = now() where kind = 'code'`)
    expect(await check(codeAt(secret), Date.now(), '192.0.2.9')).toBe('right')
    expect(await sql(`select from sign_in_tries where kind = 'code'`)).toEqual([])
  })

  test('wrong ones count for the network as well', async () => {
    const [one, other] = [await withApp(0), await withApp(0)]
    for (let i = 0; i < 20; i++) await codes.begin(`subject ${i}`, '192.0.2.1')
    expect(await one.check(codeAt(one.secret), Date.now())).toBe('too many')
    expect(await other.check(codeAt(other.secret), Date.now(), '192.0.2.2')).toBe('right')
  })

  test('six digits alone are a code', () => {
    const secret = newTotpSecret()
    for (const code of ['', '12345', '1234567', 'abcdef', '-12345', '1e5000', '１２３４５６'])
      expect(totpStep({ secret, code, at: new Date() })).toBeNull()
  })

  test('the secret is sealed for its user, and rotation moves it to another key', async () => {
    await sql('delete from user_totp')
    const [one, other] = [await withApp(0), await withApp(0)]
    expect(await sql(`select from user_totp t where t::text like '%' || $1 || '%'`, [one.secret])).toEqual([])
    const key = createSealingKey()
    const rotated = await rotateUserCodes(api.owner, [key, one.key, other.key])
    expect(rotated).toEqual({ rotated: 2 })
    const opened = await appSecret({ codes, sealingKeys: [key] }, one.subject)
    expect(opened).toEqual({ text: one.secret, isConfirmed: true })
    await sql(
      `update user_totp t set (key_id, wrapped_key, ciphertext) = (o.key_id, o.wrapped_key, o.ciphertext)
       from user_totp o where t.user_subject = $1 and o.user_subject = $2`,
      [one.subject, other.subject],
    )
    await expect(appSecret({ codes, sealingKeys: [key] }, one.subject)).rejects.toThrow()
  })
})

describe('recovery codes', () => {
  test('each signs in once, whatever its case and separators, also if several requests bring it', async () => {
    const { recoveryCodes, check } = await withApp(0)
    expect(new Set(recoveryCodes).size).toBe(10)
    const [first, second, third] = recoveryCodes as [string, string, string]
    const now = Date.now()
    expect(await check(first, now)).toBe('right')
    expect(await check(first, now)).toBe('wrong')
    expect(await check(second.toLowerCase().replaceAll('-', ' '), now)).toBe('right')
    const outcomes = await Promise.all(Array.from({ length: 4 }, (_, i) => check(third, now, `192.0.2.${i}`)))
    expect(outcomes.filter((one) => one === 'right')).toHaveLength(1)
    expect(await check('AAAA-AAAA-AAAA-AAAA', now)).toBe('wrong')
  })

  test('those of another user do not work, and only hashes are stored', async () => {
    const [one, other] = [await withApp(0), await withApp(0)]
    expect(await one.check(other.recoveryCodes[0]!, Date.now())).toBe('wrong')
    expect(
      await sql(`select from user_recovery_codes c where c::text like '%' || $1 || '%'`, [
        one.recoveryCodes[0],
      ]),
    ).toEqual([])
  })
})

describe('the pages', () => {
  /** Sets up an app as a user does. `used` is the code that turned it on. */
  async function setUp(name: string) {
    const { act, browser, at } = await settingsOf(name)
    const page = await act('/app')
    expect(page.text).toContain('aria-label="QR code of the key"')
    const secret = /Key: <code>([A-Z2-7 ]+)<\/code>/.exec(page.text)![1]!.replaceAll(' ', '')
    const used = codeAt(secret)
    const on = await act('/app/confirm', { code: used }, '/app')
    const recoveryCodes = [...on.text.matchAll(/<li><code>([A-Z2-7-]{19})<\/code>/g)].map(([, code]) => code!)
    expect(recoveryCodes).toHaveLength(10)
    return { act, browser, at, secret, used, recoveryCodes }
  }

  test('a user turns an app on and then enters a code after the password', async () => {
    const { name } = await newUser()
    const { act } = await settingsOf(name)
    await act('/app')
    // Until its first code the app is off.
    expect((await withPassword(name)).landed.text).toContain('Sign out test')
    expect((await act('/app/confirm', { code: '000000' }, '/app')).status).toBe(400)
    const { secret, used, recoveryCodes } = await setUp(name)
    const { browser, form, landed } = await withPassword(name)
    expect(landed.text).toContain('Code of your app')
    expect((await browser.get('/account')).status).toBe(401)
    const enter = async (code: string) => browser.follow(await browser.post(`${form}/code`, { code }), issuer)
    expect([(await enter(used)).status, (await enter('123')).status]).toEqual([401, 401])
    expect((await enter(nextCode(secret))).text).toContain('Sign out test')
    const again = await withPassword(name)
    const answer = await again.browser.post(`${again.form}/code`, { code: recoveryCodes[0]! })
    expect((await again.browser.follow(answer, issuer)).text).toContain('Sign out test')
    expect(
      (
        await sql(
          'select count(*)::int as left from user_recovery_codes c join users u on u.subject = c.user_subject where u.name = $1',
          [name],
        )
      )[0],
    ).toEqual({ left: 9 })
  })

  test('the page of the code is no way around the password', async () => {
    const { name } = await newUser()
    const { secret } = await setUp(name)
    const browser = browse(url)
    const { begin } = usersWorld(world)
    const form = await begin(browser)
    const answer = await browser.post(`${form}/code`, { code: codeAt(secret) })
    expect([answer.status, answer.location]).toEqual([303, new URL(form).pathname])
    expect((await browser.get('/account')).status).toBe(401)
  })

  test('settings need a sign-in of this moment, and their forms the token of its session', async () => {
    const { name } = await newUser()
    expect((await browse(issuer).get('/security')).status).toBe(401)
    const { browser, at } = await settingsOf(name)
    expect((await browser.post(at('/app/remove'), { csrf: 'forged' })).status).toBe(403)
    expect((await browser.post(at('/app/remove'), {})).status).toBe(403)
    await sql(`update issuer_records set payload = payload || jsonb_build_object('loginTs', (payload ->> 'loginTs')::int - 901)
      where model = 'Session'`)
    expect([(await browser.get(at(''))).status, (await browser.post(at('/app'), {})).status]).toEqual([
      401, 401,
    ])
  })

  test('a user removes the app, makes new recovery codes and changes the password', async () => {
    const { name } = await newUser()
    const { act, browser, at, recoveryCodes } = await setUp(name)
    const renewed = await act('/recovery-codes')
    expect(renewed.text).not.toContain(recoveryCodes[0])
    await act('/app/remove')
    expect(
      await sql(
        'select from user_recovery_codes c join users u on u.subject = c.user_subject where u.name = $1',
        [name],
      ),
    ).toEqual([])
    const change = (current: string) =>
      act('/password', { current, password: 'quite another one', again: 'quite another one' })
    expect((await change('wrong')).text).toContain('The password of now is wrong')
    expect((await change(USER_PASSWORD)).text).toContain('The password is changed')
    expect((await browser.get(at(''))).status).toBe(401)
    expect((await browser.get('/account')).status).toBe(401)
    expect((await withPassword(name)).landed.status).toBe(401)
    expect((await world.signIn({ as: name, password: 'quite another one' })).landed.status).toBe(200)
  })

  test('an operator resets who lost the app', async () => {
    const { name } = await newUser()
    await setUp(name)
    const token = await resetUser(api.owner, { name, operator: 'test' })
    await browse(issuer).post(`${issuer}/invitation/${token}`, {
      password: USER_PASSWORD,
      again: USER_PASSWORD,
    })
    expect((await withPassword(name)).landed.text).toContain('Sign out test')
  })
})
