import { beforeEach, describe, expect, test } from 'vitest'
import { TOTP } from 'otpauth'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { parseSiweMessage } from 'viem/siwe'
import { resetUser, setUserEnabled } from '../../db/console/users.ts'
import { probeRoutes } from '../api/probe-routes.ts'
import { testDatabase } from '../setup/database.ts'
import { query } from '../setup/query.ts'
import { startAccountWorld } from './account-world.ts'
import { browse, type Page } from './browse.ts'
import { type Browser, usersWorld } from './users-world.ts'

const database = await testDatabase()
const world = await startAccountWorld({ database, routes: probeRoutes })
const { api, url, issuer } = world
const { newUser, begin, settingsOf } = usersWorld(world)
const sql = (text: string, values: unknown[] = []) =>
  query<Record<string, any>>(database.ownerUrl, text, values)
beforeEach(() => sql('delete from sign_in_tries'))

type Account = ReturnType<typeof privateKeyToAccount>
const newAccount = () => privateKeyToAccount(generatePrivateKey())

/** What a page asks the wallet to sign. */
function askedIn({ text }: Page): { message: string; nonce: string } {
  const message = /<pre>([^<]*)<\/pre>/.exec(text)![1]!
  return { message, nonce: /name="nonce" value="([^"]+)"/.exec(text)![1]! }
}

/** A user with an Ethereum account that was added as users do. */
async function userWithAccount() {
  const user = await newUser()
  const account = newAccount()
  const settings = await settingsOf(user.name)
  const added = await add(settings, account)
  expect(added.text).toContain(account.address.toLowerCase())
  return { ...user, account, settings }
}

async function add(
  { act, browser, at }: Awaited<ReturnType<typeof settingsOf>>,
  account: Account,
): Promise<Page> {
  const { message, nonce } = askedIn(await act('/ethereum', { address: account.address }))
  const signature = await account.signMessage({ message })
  const csrf = await browser.csrfOf(at(''))
  return browser.follow(await browser.post(at('/ethereum/signed'), { csrf, nonce, signature }), issuer)
}

/** Begins a sign-in with an account. `send` brings a signature. */
async function ask(account: Account, browser: Browser = browse(url)) {
  const form = await begin(browser)
  const page = await browser.post(`${form}/ethereum`, { address: account.address })
  const asked = askedIn(page)
  const send = async (signed: { nonce?: string; signature: string }) =>
    browser.follow(await browser.post(`${form}/ethereum/signed`, { nonce: asked.nonce, ...signed }), issuer)
  return { ...asked, send, browser, form }
}

const signedIn = expect.stringContaining('Sign out test')

describe('sign in with Ethereum', () => {
  test('a user signs in with the account, which signs a message of this place, this chain and one nonce', async () => {
    const { account } = await userWithAccount()
    const { message, nonce, send } = await ask(account)
    expect(parseSiweMessage(message)).toMatchObject({
      domain: new URL(issuer).host,
      uri: `${issuer}/`,
      address: account.address,
      chainId: 1,
      version: '1',
      nonce,
    })
    expect((await send({ signature: await account.signMessage({ message }) })).text).toEqual(signedIn)
  })

  test('a message signs in once, also if several requests bring it at the same moment', async () => {
    const { account } = await userWithAccount()
    const { message, send, browser, form, nonce } = await ask(account)
    const signature = await account.signMessage({ message })
    const answers = await Promise.all(
      Array.from({ length: 4 }, () => browser.post(`${form}/ethereum/signed`, { nonce, signature })),
    )
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([303, 401, 401, 401])
    expect((await send({ signature })).status).toBe(401)
  })

  test('a message of another sign-in, another page, or an old one does not', async () => {
    const { account, settings } = await userWithAccount()
    const [one, other] = [await ask(account), await ask(account)]
    const signature = await account.signMessage({ message: one.message })
    expect((await other.send({ nonce: one.nonce, signature })).status).toBe(401)
    const third = await ask(account)
    const added = askedIn(await settings.act('/ethereum', { address: account.address }))
    const forSettings = await account.signMessage({ message: added.message })
    expect((await third.send({ nonce: added.nonce, signature: forSettings })).status).toBe(401)
    const late = await ask(account)
    await sql('update wallet_challenges set expires_at = now()')
    const lateSignature = await account.signMessage({ message: late.message })
    expect((await late.send({ signature: lateSignature })).status).toBe(401)
  })

  test.each([
    ['another domain', (message: string) => message.replace(/^\S+/, 'evil.example')],
    ['another chain', (message: string) => message.replace('Chain ID: 1', 'Chain ID: 8453')],
    ['another nonce', (message: string) => message.replace(/Nonce: \w+/, 'Nonce: abcdefgh12345678')],
    ['another time', (message: string) => message.replace(/Issued At: \d{4}/, 'Issued At: 2031')],
  ])('a signature of a message with %s is refused', async (_what, change) => {
    const { account } = await userWithAccount()
    const { message, send } = await ask(account)
    expect(change(message)).not.toBe(message)
    expect((await send({ signature: await account.signMessage({ message: change(message) }) })).status).toBe(
      401,
    )
  })

  test('a signature of another key, or none, is refused', async () => {
    const { account } = await userWithAccount()
    for (const signature of [undefined, '', '0x', `0x${'1'.repeat(130)}`, 'text']) {
      const { message, send } = await ask(account)
      const given = signature ?? (await newAccount().signMessage({ message }))
      expect((await send({ signature: given })).status).toBe(401)
    }
  })

  test('an account that no user has signs nobody in, and makes no user', async () => {
    const before = await sql('select count(*) from users')
    const account = newAccount()
    const { message, send } = await ask(account)
    const answer = await send({ signature: await account.signMessage({ message }) })
    expect([answer.status, answer.text]).toEqual([401, expect.stringContaining('signs nobody in')])
    expect(await sql('select count(*) from users')).toEqual(before)
    const browser = browse(url)
    expect((await browser.post(`${await begin(browser)}/ethereum`, { address: '0x12' })).status).toBe(400)
  })

  test('a disabled, a reset and a removed account do not sign in', async () => {
    const enter = async (account: Account) => {
      const { message, send } = await ask(account)
      return (await send({ signature: await account.signMessage({ message }) })).status
    }
    const [disabled, reset, removed] = [
      await userWithAccount(),
      await userWithAccount(),
      await userWithAccount(),
    ]
    await setUserEnabled(api.owner, { name: disabled.name, enabled: false, operator: 'test' })
    await resetUser(api.owner, { name: reset.name, operator: 'test' })
    await removed.settings.act('/ethereum/remove', { address: removed.account.address.toLowerCase() })
    for (const { account } of [disabled, reset, removed]) expect(await enter(account)).toBe(401)
  })

  test('a user with an app enters its code as well', async () => {
    const { account, settings } = await userWithAccount()
    const page = await settings.act('/app')
    const secret = /Key: <code>([A-Z2-7 ]+)<\/code>/.exec(page.text)![1]!.replaceAll(' ', '')
    const app = new TOTP({ secret })
    await settings.act('/app/confirm', { code: app.generate() }, '/app')
    const { message, send, browser, form } = await ask(account)
    const landed = await send({ signature: await account.signMessage({ message }) })
    expect(landed.text).toContain('Code of your app')
    const answer = await browser.post(`${form}/code`, {
      // A code counts once, and that of the next period is good already.
      code: app.generate({ timestamp: Date.now() + 30_000 }),
    })
    expect((await browser.follow(answer, issuer)).text).toEqual(signedIn)
  })

  test('twenty wrong ones from one network stop it, and right ones do not count', async () => {
    const { account } = await userWithAccount()
    const { send } = await ask(newAccount())
    for (let i = 0; i < 20; i++) expect((await send({ signature: '0x' })).status).toBe(401)
    const { message, send: sendRight } = await ask(account)
    const signature = await account.signMessage({ message })
    expect((await sendRight({ signature })).status).toBe(429)
    await sql('delete from sign_in_tries')
    const again = await ask(account)
    await again.send({ signature: await account.signMessage({ message: again.message }) })
    expect(await sql(`select wrong from sign_in_tries where kind = 'address'`)).toEqual([{ wrong: 0 }])
  })
})

describe('adding an account', () => {
  test('it signs in one user only, and takes a signature of that account', async () => {
    const { account } = await userWithAccount()
    const other = await settingsOf((await newUser()).name)
    expect((await add(other, account)).text).toContain('signs in another user')
    const { message, nonce } = askedIn(await other.act('/ethereum', { address: newAccount().address }))
    const signature = await newAccount().signMessage({ message })
    const refused = await other.act('/ethereum/signed', { nonce, signature })
    expect([refused.status, refused.text]).toEqual([400, expect.stringContaining('signature is wrong')])
    expect((await other.act('/ethereum', { address: 'nonsense' })).status).toBe(400)
  })

  test('nobody removes the account of another user', async () => {
    const { account, settings } = await userWithAccount()
    const other = await settingsOf((await newUser()).name)
    await other.act('/ethereum/remove', { address: account.address.toLowerCase() })
    expect((await settings.browser.get(settings.at(''))).text).toContain(account.address.toLowerCase())
  })
})
