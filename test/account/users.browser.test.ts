import { TOTP } from 'otpauth'
import type { Page } from 'playwright-core'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { expect, test } from 'vitest'
import { resetUser } from '../../db/console/users.ts'
import { setOperator } from '../../db/metering/write.ts'
import { OPERATOR_SUBJECT } from '../../db/values/demo-names.ts'
import { probeRoutes } from '../api/probe-routes.ts'
import { testDatabase } from '../setup/database.ts'
import { OPERATOR_PASSWORD, startAccountWorld } from './account-world.ts'
import { expectAccessible, expectNames, expectToFit, openBrowser } from './browser.ts'
import { USER_PASSWORD as PASSWORD, usersWorld } from './users-world.ts'

const database = await testDatabase()
const world = await startAccountWorld({ database, routes: probeRoutes })
const { api, url, issuer } = world
const { invite } = usersWorld(world)
const { newPage, expectNoOffence } = await openBrowser()
await setOperator(api.owner, { issuer, subject: OPERATOR_SUBJECT, isOperator: true })
const { accountId } = await api.newAccount()

/** Expects that a page is fit for a phone, a keyboard and a screen reader. */
async function expectFit(page: Page): Promise<void> {
  await expectToFit(page)
  await expectNames(page)
  await expectAccessible(page)
}

async function signIn(page: Page, as: { name: string; password: string; at?: string }): Promise<void> {
  const { at = '/account' } = as
  await page.goto(`${url}${at}`)
  await signInHere(page, as)
}

/** Signs in from a page that offers it. */
async function signInHere(page: Page, { name, password }: { name: string; password: string }): Promise<void> {
  await page.getByRole('link', { name: 'Sign in' }).click()
  await page.getByLabel('User').fill(name)
  await page.getByLabel('Password').fill(password)
  await expectFit(page)
  await page.keyboard.press('Enter')
}

const signedIn = (page: Page) => page.getByRole('button', { name: 'Sign out test' }).waitFor()

/** The link that the console shows once. */
const linkOf = async (page: Page) => (await page.getByRole('status').locator('output').textContent())!

async function choosePassword(page: Page, link: string, password: string): Promise<void> {
  await page.goto(link)
  await expectFit(page)
  await page.getByLabel('Password').fill(password)
  await page.getByLabel('The same again').fill(password)
  await page.getByRole('button', { name: 'Set the password' }).click()
  await page.getByText('Your password is set').waitFor()
  await expectFit(page)
}

test('an operator invites a user on a phone, who chooses a password, signs in, is reset and comes back', async () => {
  const [console, phone] = [await newPage({ width: 390 }), await newPage({ width: 390 })]
  await signIn(console, { name: OPERATOR_SUBJECT, password: OPERATOR_PASSWORD, at: '/console' })
  await console.getByRole('navigation').getByRole('link', { name: 'Users' }).click()
  await expectFit(console)
  await console.getByLabel('Name').fill('ann')
  await console.getByLabel('Account').selectOption(accountId)
  await console.getByRole('button', { name: 'Make a link' }).click()
  const first = await linkOf(console)
  await expectFit(console)

  await choosePassword(phone, first, PASSWORD)
  await phone.getByRole('link', { name: 'Sign in' }).click()
  await phone.getByLabel('User').fill('ann')
  await phone.getByLabel('Password').fill('something else')
  await phone.keyboard.press('Enter')
  await phone.getByRole('alert').getByText('User or password is wrong').waitFor()
  await expectFit(phone)
  await phone.getByLabel('User').fill('ann')
  await phone.getByLabel('Password').fill(PASSWORD)
  await phone.keyboard.press('Enter')
  await signedIn(phone)

  await console.reload()
  await console.getByRole('button', { name: 'Reset ann' }).click()
  const second = await linkOf(console)
  await phone.reload()
  await phone.getByRole('link', { name: 'Sign in' }).waitFor()
  await phone.goto(first)
  await phone.getByText('This link was used before').waitFor()
  await expectFit(phone)
  await choosePassword(phone, second, 'another long password')
  await signIn(phone, { name: 'ann', password: 'another long password' })
  await signedIn(phone)

  await console.getByRole('button', { name: 'Disable ann' }).click()
  await console.getByText('ann is signed out and refused').waitFor()
  await expectFit(console)
  await phone.reload()
  await phone.getByRole('link', { name: 'Sign in' }).waitFor()
  expectNoOffence()
})

/** Turns an app on. Returns its secret and the recovery codes. */
async function setUpApp(page: Page): Promise<{ secret: string; recoveryCodes: string[] }> {
  await page.getByRole('navigation').getByRole('link', { name: 'Sign-in' }).click()
  await expectFit(page)
  await page.getByRole('button', { name: 'Set up an app' }).click()
  await page.getByRole('img', { name: 'QR code of the key' }).waitFor()
  await expectFit(page)
  const secret = (await page.locator('main code').textContent())!.replaceAll(' ', '')
  await page.getByLabel('Code that the app shows').fill('000000')
  await page.keyboard.press('Enter')
  await page.getByRole('alert').getByText('not the code of now').waitFor()
  await page.getByLabel('Code that the app shows').fill(new TOTP({ secret }).generate())
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'The app is on' }).waitFor()
  await expectFit(page)
  return { secret, recoveryCodes: await page.locator('li code').allTextContents() }
}

test('a user turns an app on, signs in with its code, with a recovery code, and is reset by an operator', async () => {
  const { name, link } = await invite()
  const page = await newPage({ width: 390 })
  await choosePassword(page, link, PASSWORD)
  await signIn(page, { name, password: PASSWORD })
  await signedIn(page)
  const { secret, recoveryCodes } = await setUpApp(page)

  const enter = async (code: string) => {
    await page.getByLabel('Code of your app, or a recovery code').fill(code)
    await page.keyboard.press('Enter')
  }
  const signOut = async () => {
    await page.goto(`${url}/account`)
    await page.getByRole('button', { name: 'Sign out test' }).click()
  }
  await signOut()
  await signInHere(page, { name, password: PASSWORD })
  await enter('123456')
  await page.getByRole('alert').getByText('The code is wrong').waitFor()
  await expectFit(page)
  // The code of now turned the app on; the next one is valid already.
  await enter(new TOTP({ secret }).generate({ timestamp: Date.now() + 30_000 }))
  await signedIn(page)
  await signOut()
  await signInHere(page, { name, password: PASSWORD })
  await enter(recoveryCodes[0]!)
  await signedIn(page)

  const token = await resetUser(api.owner, { name, operator: 'test' })
  await page.reload()
  await page.getByRole('link', { name: 'Sign in' }).waitFor()
  await choosePassword(page, `${issuer}/invitation/${token}`, 'another long password')
  await signIn(page, { name, password: 'another long password' })
  await signedIn(page)
  expectNoOffence()
})

test('a user adds the Ethereum account of the browser and signs in with it', async () => {
  const { name, link } = await invite()
  const page = await newPage({ width: 390 })
  const account = privateKeyToAccount(generatePrivateKey())
  // A wallet that agrees to everything. The key stays in the test.
  await page.exposeFunction('askTheWallet', (method: string, params?: `0x${string}`[]) =>
    method === 'personal_sign' ? account.signMessage({ message: { raw: params![0]! } }) : [account.address],
  )
  await page.addInitScript(
    'window.ethereum = { request: ({ method, params }) => window.askTheWallet(method, params) }',
  )
  await choosePassword(page, link, PASSWORD)
  await signIn(page, { name, password: PASSWORD })
  await signedIn(page)
  await page.getByRole('navigation').getByRole('link', { name: 'Sign-in' }).click()
  await page.getByRole('button', { name: 'Add the wallet of this browser' }).click()
  await page.getByText(`Let this account sign in the user ${name}.`).waitFor()
  await expectFit(page)
  // The message names the address too.
  const message = page.url()
  await page.getByRole('button', { name: 'Sign in the wallet' }).click()
  await page.waitForURL(({ href }) => href !== message)
  await page.getByText(account.address.toLowerCase()).waitFor()
  await expectFit(page)
  await page.goto(`${url}/account`)
  await page.getByRole('button', { name: 'Sign out test' }).click()
  await page.getByRole('link', { name: 'Sign in' }).click()
  await page.getByRole('button', { name: 'Sign in with Ethereum' }).click()
  await page.getByText('Sign in to Sluice.').waitFor()
  await expectFit(page)
  await page.getByRole('button', { name: 'Sign in the wallet' }).click()
  await signedIn(page)
  expectNoOffence()
})

test('invitation and sign-in work without scripts', async () => {
  const page = await newPage({ width: 390, javaScriptEnabled: false })
  const console = await newPage({ width: 1_024, javaScriptEnabled: false })
  await signInPlain(console, OPERATOR_SUBJECT, OPERATOR_PASSWORD, '/console')
  await console.goto(`${url}/console/users`)
  await console.getByLabel('Name').fill('bob')
  await console.getByLabel('Account').selectOption(accountId)
  await console.getByRole('button', { name: 'Make a link' }).click()
  await page.goto(await linkOf(console))
  await page.getByLabel('Password').fill(PASSWORD)
  await page.getByLabel('The same again').fill(PASSWORD)
  await page.getByRole('button', { name: 'Set the password' }).click()
  await signInPlain(page, 'bob', PASSWORD, '/account')
  await signedIn(page)
  expect(page.url()).toBe(`${url}/account`)
})

async function signInPlain(page: Page, name: string, password: string, at: string): Promise<void> {
  await page.goto(`${url}${at}`)
  await page.getByRole('link', { name: 'Sign in' }).click()
  await page.getByLabel('User').fill(name)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
}
