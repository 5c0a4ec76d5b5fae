import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { publishBatch } from '../../activities/events/publish-batch.ts'
import { routes } from '../../api/routes.ts'
import { openDb } from '../../db/connect.ts'
import { DAY_MS } from '../../db/values/periods.ts'
import { createSealingKey, sealingPublicKey } from '../../db/values/sealed-secret.ts'
import { portfolioWorld } from '../portfolios/portfolio-world.ts'
import { testDatabase } from '../setup/database.ts'
import { insertCoin, insertPrices } from '../setup/factories.ts'
import { query } from '../setup/query.ts'
import { PASSWORD, startAccountWorld } from './account-world.ts'
import { expectAccessible, expectNames, expectToFit, openBrowser } from './browser.ts'

const database = await testDatabase()
const webhooks = { sealKey: sealingPublicKey(createSealingKey()), allowed: new Set<string>() }
const { api, url, openTo } = await startAccountWorld({ database, routes, overrides: { webhooks } })
const { newPage, expectNoOffence } = await openBrowser()
const ingest = openDb({ url: database.ingestUrl, maxConnections: 4, applicationName: 'test' })
const owner = await api.newAccount({ plan: 'pro' })

const PASSCODE = '314159'
const SECTIONS = [
  'Portfolio',
  'Transactions',
  'Connections',
  'Usage',
  'Keys',
  'Webhooks',
  'Alerts',
  'Sharing',
  'Connect kits',
]

beforeAll(async () => {
  await openTo(owner.accountId)
  const now = new Date()
  const midnight = Math.floor(now.getTime() / DAY_MS) * DAY_MS
  const days = Array.from({ length: 10 }, (_, n) => [new Date(midnight - (9 - n) * DAY_MS), '50000'] as const)
  await insertCoin(api.owner, { id: 'bitcoin', symbol: 'btc', name: 'Bitcoin', priceUsd: '50000', at: now })
  await insertPrices(api.owner, { coinId: 'bitcoin', resolution: 'day', points: days })
  const world = portfolioWorld(database, { db: api.owner }, ingest, () => new Date())
  const bought = { at: days[4]![0], coinId: 'bitcoin', count: 2, priceUsd: 40_000 }
  await world.manualPortfolio(owner.accountId, [bought], { name: 'Savings' })
  return () => ingest.close()
})

async function signIn(page: Page): Promise<void> {
  await page.goto(`${url}/account`)
  await page.getByRole('link', { name: 'Sign in' }).click()
  await page.getByLabel('Password').fill(PASSWORD)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('heading', { level: 1, name: 'Portfolio' }).waitFor()
}

const open = (page: Page, section: string) =>
  page.getByRole('navigation', { name: 'Account' }).getByRole('link', { name: section, exact: true }).click()
const shownOnce = (page: Page) => page.getByRole('status').locator('output').textContent()

async function shareWithPasscode(page: Page): Promise<string> {
  await open(page, 'Sharing')
  await page.getByLabel('Portfolio').selectOption({ label: 'Savings' })
  await page.getByLabel('Passcode').fill(PASSCODE)
  await page.getByRole('button', { name: 'Make a link' }).click()
  return (await shownOnce(page))!
}

test('a user signs in, creates and uses a key, sees the usage, shares a portfolio and opens the link elsewhere', async () => {
  const page = await newPage({ width: 1_024 })
  await signIn(page)
  await open(page, 'Usage')
  expect(await page.getByText('Nothing was charged.').count()).toBeGreaterThan(0)

  await open(page, 'Keys')
  await page.getByLabel('Name').fill('Laptop')
  await page.getByLabel('Coins', { exact: true }).check()
  await page.getByRole('button', { name: 'Make a key' }).click()
  const key = (await shownOnce(page))!
  expect(key).toMatch(/^sl_\w{36}$/)
  await page.reload()
  expect(await page.content()).not.toContain(key)

  expect((await api.get('/coins', key)).status).toBe(200)
  expect((await api.get('/portfolio/value', key)).status).toBe(403)
  await open(page, 'Usage')
  const row = page
    .getByRole('region', { name: 'Credits by endpoint' })
    .getByRole('row', { name: /GET \/coins/ })
  expect(await row.textContent()).toMatch(/GET \/coins\s*1\s*\d+/)
  expect(
    await page
      .getByRole('img', { name: /Credits by day/ })
      .locator('rect')
      .count(),
  ).toBe(1)

  await open(page, 'Connections')
  expect(await page.getByRole('heading', { name: 'Savings' }).count()).toBe(1)

  const link = await shareWithPasscode(page)
  const visitor = await newPage({ width: 1_024 })
  await visitor.goto(link)
  await visitor.getByText('Passcode required for this portfolio').waitFor()
  await visitor.getByLabel('Passcode').fill('000000')
  await visitor.getByRole('button', { name: 'Show the portfolio' }).click()
  await visitor.getByText('Passcode required for this portfolio').waitFor()
  expect(await visitor.content()).not.toContain('Savings')
  await visitor.getByLabel('Passcode').fill(PASSCODE)
  await visitor.getByRole('button', { name: 'Show the portfolio' }).click()
  await visitor.getByRole('heading', { level: 1, name: 'Savings' }).waitFor()
  expect(await visitor.getByRole('definition').allTextContents()).toEqual(
    expect.arrayContaining(['$100,000.00', '$80,000.00', '$20,000.00']),
  )
  expect(await visitor.getByRole('row', { name: /Bitcoin/ }).textContent()).toMatch(
    /2\s*\$50,000\s*\$100,000\.00\s*\+\$20,000\.00/,
  )
  expect(await visitor.getByRole('img', { name: /^Value in USD: from .* to \$100,000\.00/ }).count()).toBe(1)
  expect(visitor.url()).toBe(link)

  await open(page, 'Sharing')
  await page.getByRole('button', { name: 'Revoke' }).click()
  await page.getByText('The link is revoked and no longer works.').waitFor()
  await visitor.reload()
  await visitor.getByText('Shared portfolio not found').waitFor()
  expectNoOffence()
})

test('a user sees the deliveries of a webhook, sends one again, changes its secret and watches events live', async () => {
  const ask = <Row extends object>(text: string, values?: unknown[]) =>
    query<Row>(database.ownerUrl, text, values)
  const created = await api.get('/webhooks', owner.key, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ url: 'https://hooks.example.com/in', types: ['wallet.synced'], wallets: 'all' }),
  })
  const { id } = (await created.json()) as { id: string }
  await publishBatch({ pool: ingest.pool })
  const given = `update deliveries set next_at = null, attempts = 10, status = 500, failure = 'status 500'`
  await ask(`${given} where endpoint_id = $1`, [id])

  const page = await newPage({ width: 1_024, javaScriptEnabled: false })
  await signIn(page)
  await open(page, 'Webhooks')
  await page.getByRole('link', { name: 'Deliveries and secret of https://hooks.example.com/in' }).click()
  const row = page.getByRole('region', { name: 'Deliveries' }).getByRole('row', { name: /test\.ping/ })
  expect(await row.textContent()).toMatch(/given up\s*10\s*status 500/)
  await row.getByRole('button', { name: /^Send \d+/ }).click()
  await page.getByText(/^Event \d+ is sent again\.$/).waitFor()
  expect(await row.textContent()).toMatch(/next attempt/)
  await page.getByRole('button', { name: 'Make another secret' }).click()
  const secret = (await shownOnce(page))!
  expect(secret).toMatch(/^whsec_/)
  await page.getByText(/The earlier one signs until/).waitFor()
  await page.reload()
  expect(await page.content()).not.toContain(secret)
  await ask(`update webhook_endpoints set state = 'disabled', reason = 'The receiver answered 410 Gone'`)
  await open(page, 'Webhooks')
  await page.getByText('disabled: The receiver answered 410 Gone').waitFor()
  await page.getByRole('link', { name: /^Deliveries and secret/ }).click()
  await page.getByRole('button', { name: /^Start again/ }).click()
  await page.getByText('A ping is sent.').waitFor()
  const costs = await ask<{ credits: number }>(
    `select sum(credits)::integer as credits from ledger_entries where account_id = $1 and endpoint like '%/webhooks/%'`,
    [owner.accountId],
  )
  expect(costs).toEqual([{ credits: 30 }])

  const watching = await newPage({ width: 1_024 })
  await signIn(watching)
  await open(watching, 'Webhooks')
  await watching.getByRole('button', { name: 'Watch events live' }).click()
  const events = watching.getByRole('region', { name: 'Events' }).getByRole('row', { name: /test\.ping/ })
  expect(await events.count()).toBe(1)
  await watching.getByText('Live.', { exact: true }).waitFor()
  await publishBatch({ pool: ingest.pool })
  await events.nth(1).waitFor()
  expectNoOffence()
})

test('a user adds alerts on a coin and a portfolio without scripts, sees them fire and removes one', async () => {
  const page = await newPage({ width: 1_024, javaScriptEnabled: false })
  await signIn(page)
  await open(page, 'Alerts')
  await page.getByText(/You have 0 of\s+[\d,]+\./).waitFor()
  const submit = (form: number) => page.getByRole('button', { name: 'Add the alert' }).nth(form).click()
  await page.getByLabel(/^Coin id/).fill('bitcoin')
  await page.getByLabel('Number', { exact: true }).fill('60000')
  await submit(0)
  await page.getByText('The alert is added.').waitFor()
  await page.getByLabel(/^Portfolio/).selectOption({ label: 'Savings' })
  await page.getByLabel('Fires when the value moves by percent').fill('2.5')
  await submit(1)
  const row = (name: RegExp) => page.getByRole('region', { name: 'Alerts' }).getByRole('row', { name })
  expect(await row(/bitcoin/).textContent()).toMatch(/the price rises to 60000 USD\s*armed\s*never/)
  expect(await row(/Savings/).textContent()).toMatch(/moves by 2\.5 %, once in 60 minutes at most/)

  await query(database.ownerUrl, `update coin_quotes set price_usd = 61000, at = now(), fetched_at = now()`)
  await page.reload()
  expect(await row(/bitcoin/).textContent()).toMatch(/past its limit\s*\d{4}-/)
  await row(/bitcoin/)
    .getByRole('button')
    .click()
  await page.getByText('The alert is removed.').waitFor()
  expect([await row(/bitcoin/).count(), await row(/Savings/).count()]).toEqual([0, 1])

  await page.getByLabel(/^Coin id/).fill('nothing')
  await page.getByLabel('Number', { exact: true }).fill('1')
  await submit(0)
  await page.getByText("Coin with id 'nothing' not found").waitFor()
  const costs = await query<{ credits: number }>(
    database.ownerUrl,
    `select sum(credits)::integer as credits from ledger_entries where account_id = $1 and endpoint like '%/alerts'`,
    [owner.accountId],
  )
  expect(costs).toEqual([{ credits: 30 }])
  expectNoOffence()
})

test('sign-in, key creation and sign-out work by keyboard alone', async () => {
  const page = await newPage({ width: 1_024 })
  await page.goto(`${url}/account`)
  const focused = () =>
    page.evaluate(
      `(({ innerText, labels, value }) => (labels?.[0]?.innerText || innerText || value || '').trim())(document.activeElement)`,
    )

  /** Presses Tab until the named element has the focus, and checks that the focus is visible. */
  async function tabTo(name: string | RegExp): Promise<void> {
    for (let i = 0; i < 60; i++) {
      await page.keyboard.press('Tab')
      const text = String(await focused())
      if (typeof name === 'string' ? text === name : name.test(text)) {
        expect(await page.evaluate(`getComputedStyle(document.activeElement).outlineStyle`)).not.toBe('none')
        return
      }
    }
    throw new Error(`Tab does not lead to ${String(name)}`)
  }

  await tabTo('Sign in')
  await page.keyboard.press('Enter')
  // The password field has the focus.
  await page.getByLabel('Password').waitFor()
  await page.keyboard.type(PASSWORD)
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name: 'Portfolio' }).waitFor()
  await tabTo('Skip to the content')
  await tabTo('Keys')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name: 'Keys' }).waitFor()
  await tabTo('Name')
  await page.keyboard.type('By keyboard')
  await tabTo('Read only')
  await page.keyboard.press('Space')
  await tabTo('Make a key')
  await page.keyboard.press('Enter')
  const key = (await shownOnce(page))!
  expect((await api.get('/coins', key)).status).toBe(200)
  await tabTo(/^Sign out/)
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name: 'Signed out' }).waitFor()
  await page.goto(`${url}/account/keys`)
  expect(await page.getByRole('link', { name: 'Sign in' }).count()).toBe(1)
  expectNoOffence()
})

test('pages fit a 360 px phone and name every element, and a share link works without scripts', async () => {
  const page = await newPage({ width: 360 })
  await signIn(page)
  for (const section of SECTIONS) {
    await open(page, section)
    await page.getByRole('heading', { level: 1, name: section }).waitFor()
    await expectToFit(page)
    await expectNames(page)
    await expectAccessible(page)
  }
  const link = await shareWithPasscode(page)
  await expectToFit(page)
  await open(page, 'Keys')
  await page
    .getByRole('link', { name: /^Change or revoke/ })
    .first()
    .click()
  await page.getByRole('heading', { level: 1, name: /^Key/ }).waitFor()
  await page.getByText('Single endpoints').click()
  await expectToFit(page)
  await expectNames(page)

  const visitor = await newPage({ width: 360, javaScriptEnabled: false })
  await visitor.goto(link)
  await visitor.getByLabel('Passcode').fill(PASSCODE)
  await visitor.getByRole('button', { name: 'Show the portfolio' }).click()
  await visitor.getByRole('heading', { level: 1, name: 'Savings' }).waitFor()
  await page.goto(`${url}/account/nowhere`)
  expectNoOffence()
})
