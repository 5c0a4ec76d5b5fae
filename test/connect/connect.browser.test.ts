import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ROOT } from '../../cli/folders.ts'
import { freePort } from '../../cli/supervisor/free-port.ts'
import { PASSWORD } from '../account/account-world.ts'
import { expectAccessible, expectNames, expectToFit, openBrowser } from '../account/browser.ts'
import { query } from '../setup/query.ts'
import { startConnectWorld, WALLET } from './connect-world.ts'

// The example app with a connect kit, end to end in a real browser: as its users and as attackers see it.

const world = await startConnectWorld()
const { api, url, database, openTo, newKit, screen } = world
const { newPage, expectNoOffence } = await openBrowser()
const partner = await api.newAccount()
const owned = privateKeyToAccount(`0x${'33'.repeat(32)}`)
const portfolios = () =>
  query(
    database.ownerUrl,
    'select address, network_id from portfolios where account_id = $1 order by created_at',
    [partner.accountId],
  )

const apps: ChildProcess[] = []
afterAll(() => apps.forEach((one) => one.kill()))

/** Starts the example app. */
async function startApp(kitId: string, port: number): Promise<string> {
  const app = spawn(process.execPath, [join(ROOT, 'clients/connect-kit/server.mjs')], {
    env: { SLUICE_URL: url, SLUICE_KIT: kitId, SLUICE_API_KEY: partner.key, PORT: String(port) },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  apps.push(app)
  await once(app.stdout, 'data')
  return `http://127.0.0.1:${port}`
}

/** The owner makes a kit on the account page. */
async function makeKit(app: string): Promise<string> {
  const page = await newPage({ width: 1_024 })
  await page.goto(`${url}/account`)
  await page.getByRole('link', { name: 'Sign in' }).click()
  await page.getByLabel('Password').fill(PASSWORD)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('link', { name: 'Connect kits' }).click()
  await page.getByLabel('Name of your app').fill('Paper Hands')
  await page.getByLabel('Accent colour').fill('#ffee00')
  await page.getByLabel('Trusted origins').fill(app)
  await page.getByRole('button', { name: 'Make a connect kit' }).click()
  await page.getByRole('status').waitFor()
  return (await page.getByRole('main').locator('section code').first().textContent())!
}

let app: string
beforeAll(async () => {
  await openTo(partner.accountId)
  const port = await freePort()
  app = await startApp(await makeKit(`http://127.0.0.1:${port}`), port)
})

/** Opens the app and its popup. */
async function openPopup(page: Page): Promise<Page> {
  await page.goto(app)
  const opened = page.waitForEvent('popup')
  await page.getByRole('button', { name: /^Connect/ }).click()
  const popup = await opened
  await popup.getByRole('heading', { level: 1, name: 'Connect your accounts' }).waitFor()
  return popup
}

async function expectUsable(page: Page): Promise<void> {
  await expectToFit(page)
  await expectNames(page)
  await expectAccessible(page)
}

const said = (page: Page, text: string | RegExp) =>
  page.getByRole('status').filter({ hasText: text }).waitFor()

test.each([1_024, 360])('at %i px a user connects a wallet, and the app redeems its code', async (width) => {
  const page = await newPage({ width })
  const popup = await openPopup(page)
  await popup.setViewportSize({ width: Math.min(width, 480), height: 760 })
  await expectUsable(popup)
  await popup.getByRole('link', { name: 'Connect an exchange account' }).click()
  await expectUsable(popup)
  await popup.getByRole('link', { name: 'Kraken' }).click()
  await popup.getByText('Query Ledger Entries').waitFor()
  await expectUsable(popup)
  await popup.goBack()
  await popup.goBack()
  await popup.getByRole('link', { name: 'Connect a wallet' }).click()
  await popup.getByLabel('Address').fill('0x12')
  await popup.getByRole('button', { name: 'Connect the wallet' }).click()
  await popup.getByRole('alert').filter({ hasText: 'This is no address.' }).waitFor()
  await expectUsable(popup)
  await popup.getByLabel('Address').fill(WALLET)
  const closed = popup.waitForEvent('close')
  await popup.getByRole('button', { name: 'Connect the wallet' }).click()
  await closed
  await said(page, new RegExp(`Connected ${WALLET} as [0-9a-f-]{36}`))
  expect(await portfolios()).toEqual([{ address: WALLET, network_id: 'ethereum' }])
  expectNoOffence()
})

test('a user signs in with the wallet of the browser', async () => {
  const page = await newPage({ width: 1_024 })
  const context = page.context()
  await context.exposeFunction('signWithTheWallet', async (raw: `0x${string}`) =>
    owned.signMessage({ message: { raw } }),
  )
  await context.addInitScript(`window.ethereum = {
    request: ({ method, params }) =>
      method === 'personal_sign' ? window.signWithTheWallet(params[0]) : Promise.resolve(['${owned.address}']),
  }`)
  const popup = await openPopup(page)
  await popup.getByRole('link', { name: 'Connect a wallet' }).click()
  await popup.getByRole('button', { name: 'Use the wallet of this browser' }).click()
  await popup.getByText('wants you to sign in with your Ethereum account').waitFor()
  await expectUsable(popup)
  await popup.getByRole('button', { name: 'Sign in the wallet' }).click()
  await said(page, `Connected ${owned.address.toLowerCase()}, with a signature`)
  expectNoOffence()
})

test('the screens work by keyboard alone, and cancelling or closing tells the app', async () => {
  const page = await newPage({ width: 1_024 })
  const popup = await openPopup(page)
  const tabTo = async (name: string) => {
    for (let i = 0; i < 20; i++) {
      await popup.keyboard.press('Tab')
      if ((await popup.evaluate('document.activeElement.innerText')) === name) {
        expect(await popup.evaluate('getComputedStyle(document.activeElement).outlineStyle')).not.toBe('none')
        return
      }
    }
    throw new Error(`Tab does not lead to ${name}`)
  }
  await tabTo('Connect a wallet')
  await popup.keyboard.press('Enter')
  await popup.getByRole('heading', { level: 1, name: 'Connect a wallet' }).waitFor()
  await popup.goBack()
  await tabTo('Cancel')
  await popup.keyboard.press('Enter')
  await said(page, 'Cancelled.')
  const second = await openPopup(page)
  await second.close()
  await said(page, 'Cancelled.')
  expectNoOffence()
})

test('a redirect goes through the screens without a script and comes back with the state of the app', async () => {
  const port = await freePort()
  const origin = `http://127.0.0.1:${port}`
  const redirectUrls = [`${origin}/connected`]
  const kitId = await newKit(partner.accountId, { mode: 'redirect', origins: [], redirectUrls })
  await startApp(kitId, port)
  const page = await newPage({ width: 360 })
  await page.goto(origin)
  await page.getByRole('button', { name: /^Connect/ }).click()
  await page.getByRole('link', { name: 'Connect a wallet' }).click()
  await page.getByLabel('Network').first().selectOption('base-wallet')
  await page.getByLabel('Address').fill(WALLET)
  await page.getByRole('button', { name: 'Connect the wallet' }).click()
  await said(page, /Connected 0x\w+ as/)
  expect(page.url()).toBe(`${origin}/connected`)
  // Somebody else's result: this browser did not ask for it.
  await page.goto(`${origin}/connected?portfolioId=x&code=y&state=z`)
  await said(page, 'This browser did not ask to connect.')

  const bare = await newPage({ width: 360, javaScriptEnabled: false })
  await bare.goto(`${url}${screen(kitId, { callback: redirectUrls[0]!, state: 's' })}`)
  await bare.getByRole('link', { name: 'Connect a wallet' }).click()
  await bare.getByLabel('Address').fill(WALLET)
  await bare.getByRole('button', { name: 'Connect the wallet' }).click()
  await bare.waitForURL(/\/connected\?portfolioId=[^&]+&code=\w{40}&state=s$/)
  expectNoOffence()
})

// These pages do what is forbidden, so the browser complains.
test('a foreign page gets no message and can frame no screen', async () => {
  const kitId = await newKit(partner.accountId, { origins: [app] })
  const target = `${url}${screen(kitId, { callback: app })}`
  const evil = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html' }).end(`<script>
      window.got = []
      addEventListener('message', ({ data }) => window.got.push(data))
    </script><iframe src="${target.replaceAll('&', '&amp;')}"></iframe>`)
  })
  const port = await freePort()
  evil.listen(port, '127.0.0.1')
  await once(evil, 'listening')
  const page = await newPage({ width: 1_024 })
  await page.goto(`http://127.0.0.1:${port}`)
  const frame = page.frames().find((one) => one !== page.mainFrame())!
  expect(await frame.getByText('Connect a wallet').count()).toBe(0)

  const opened = page.waitForEvent('popup')
  await page.evaluate(`void window.open(${JSON.stringify(target)})`)
  const popup = await opened
  await popup.getByRole('link', { name: 'Connect a wallet' }).click()
  await popup.getByLabel('Address').fill(WALLET)
  const closed = popup.waitForEvent('close')
  await popup.getByRole('button', { name: 'Connect the wallet' }).click()
  await closed
  expect(await page.evaluate('window.got')).toEqual([])
  evil.close()
  evil.closeAllConnections()
})
