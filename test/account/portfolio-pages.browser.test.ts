import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { routes } from '../../api/routes.ts'
import { openDb } from '../../db/connect.ts'
import { DAY_MS } from '../../db/values/periods.ts'
import { portfolioWorld } from '../portfolios/portfolio-world.ts'
import { testDatabase } from '../setup/database.ts'
import { insertCoin, insertPrices } from '../setup/factories.ts'
import { PASSWORD, startAccountWorld } from './account-world.ts'
import { expectAccessible, expectNames, expectToFit, openBrowser } from './browser.ts'

// Two portfolios: one bought 2 bitcoin at 40,000 and sold one at 45,000; bitcoin rises by 1,000 a day to 50,000.
// The other one holds 10 ether at 2,000, bought at 1,500.

const database = await testDatabase()
const { api, url, openTo } = await startAccountWorld({ database, routes })
const { newPage, expectNoOffence } = await openBrowser()
const ingest = openDb({ url: database.ingestUrl, maxConnections: 4, applicationName: 'test' })
const owner = await api.newAccount({ plan: 'pro' })
let soldAt: Date

beforeAll(async () => {
  await openTo(owner.accountId)
  const now = new Date()
  const midnight = Math.floor(now.getTime() / DAY_MS) * DAY_MS
  const days = Array.from({ length: 10 }, (_, n) => new Date(midnight - (9 - n) * DAY_MS))
  for (const [id, symbol, name, priceOf] of [
    ['bitcoin', 'btc', 'Bitcoin', (n: number) => 41_000 + 1_000 * n],
    ['ethereum', 'eth', 'Ether', () => 2_000],
  ] as const) {
    await insertCoin(api.owner, { id, symbol, name, priceUsd: String(priceOf(9)), at: now })
    const points = days.map((at, n) => [at, String(priceOf(n))] as const)
    await insertPrices(api.owner, { coinId: id, resolution: 'day', points })
  }
  const world = portfolioWorld(database, { db: api.owner }, ingest, () => new Date())
  const bought = { at: days[2]!, coinId: 'bitcoin', count: 2, priceUsd: 40_000, note: 'From my savings' }
  soldAt = days[6]!
  const sold = { at: soldAt, coinId: 'bitcoin', count: -1, priceUsd: 45_000 }
  await world.manualPortfolio(owner.accountId, [bought, sold], { name: 'Savings' })
  const ether = { at: days[4]!, coinId: 'ethereum', count: 10, priceUsd: 1_500 }
  await world.manualPortfolio(owner.accountId, [ether], { name: 'Ledger' })
  return () => ingest.close()
})

async function signIn(page: Page): Promise<void> {
  await page.goto(`${url}/account`)
  await page.getByRole('link', { name: 'Sign in' }).click()
  await page.getByLabel('Password').fill(PASSWORD)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('heading', { level: 1, name: 'Portfolio' }).waitFor()
}

const tile = (page: Page, name: RegExp) => page.getByRole('link', { name }).innerText()
const row = (page: Page, region: string, name: RegExp) =>
  page.getByRole('table', { name: region }).getByRole('row', { name })
const read = (text: string) => text.replace(/\s+/g, ' ').trim()

test('the owner sees value, profit and coins after sign-in, and follows each figure to what explains it', async () => {
  const page = await newPage({ width: 1_200 })
  await signIn(page)
  expect(read(await tile(page, /^Value/))).toContain('$70,000.00')
  expect(read(await tile(page, /^Profit, 1m/))).toBe('Profit, 1m +$20,000.00 without deposits of +$50,000.00')
  expect(read(await tile(page, /^Last 24 hours/))).toContain('+$1,000.00')
  expect(read(await tile(page, /^Unrealised/))).toContain('+$15,000.00')
  expect(read(await tile(page, /^Realised/))).toContain('+$5,000.00 +12.5 %')
  const bitcoin = read(await row(page, 'Coins', /Bitcoin/).innerText())
  expect(bitcoin).toMatch(
    /1 \$50,000 \$50,000\.00 71\.4 % \$40,000\.00 \$40,000 \+\$1,000\.00 \+\$10,000\.00 \+\$5,000\.00/,
  )

  const figures = page.getByRole('region', { name: /in figures/ })
  await page.getByText('The chart in figures').click()
  const days = figures.getByRole('row')
  // 15,000 of ether came in at a worth of 20,000; bitcoin gained 2 x 1,000.
  expect(read(await days.nth(6).innerText())).toMatch(/\$112,000\.00 \+\$15,000\.00 \+\$7,000\.00$/)
  await days.nth(6).getByRole('link').click()
  expect(read(await page.locator('dl').innerText())).toMatch(
    /end, .* \$112,000\.00 less value at the start, .* \$90,000\.00 .* \$15,000\.00 is the profit \+\$7,000\.00$/,
  )
  expect(read(await row(page, 'Coins at both ends', /Ether/).innerText())).toContain('+$20,000.00')
  expect(read(await row(page, 'Deposits and withdrawals', /Ether/).innerText())).toMatch(
    /10 Ether at \$1,500 \(transaction\).*Ledger \+\$15,000\.00/,
  )
  await expectAccessible(page)

  await page.getByRole('link', { name: 'Back to the portfolio' }).click()
  await page.getByRole('link', { name: 'Bitcoin' }).click()
  await page.getByRole('heading', { level: 1, name: 'Bitcoin' }).waitFor()
  const sums = read(await page.locator('dl').innerText())
  expect(sums).toMatch(/is unrealised \+\$10,000\.00 \+25 %/)
  expect(sums).toMatch(
    /Proceeds of 1 sold, spent or sent \$45,000\.00 less their cost \$40,000\.00 is realised \+\$5,000\.00/,
  )
  await expectAccessible(page)
  await page.getByRole('table', { name: 'Months' }).getByRole('link').last().click()
  await page.getByRole('heading', { level: 1, name: 'Transactions' }).waitFor()
  expect(await page.getByRole('table', { name: 'Transactions' }).getByText('From my savings').count()).toBe(1)
  expect(await row(page, 'Transactions', /ETH/).count()).toBe(0)
  await expectAccessible(page)
  expectNoOffence()
})

test('one portfolio, another currency and another range are chosen without scripts, and links keep them', async () => {
  const page = await newPage({ width: 1_200, javaScriptEnabled: false })
  await signIn(page)
  await page.getByLabel('Portfolio').selectOption({ label: 'Ledger' })
  await page.getByLabel('Currency').selectOption('BTC')
  await page.getByRole('button', { name: 'Show' }).click()
  await page.getByRole('heading', { level: 1, name: 'Ledger' }).waitFor()
  expect(read(await tile(page, /^Value/))).toContain('0.4')
  expect(await row(page, 'Coins', /Bitcoin/).count()).toBe(0)
  await page.getByRole('link', { name: '1w' }).click()
  await page.getByRole('heading', { level: 1, name: 'Ledger' }).waitFor()
  expect(read(await tile(page, /^Profit, 1w/))).toContain('Profit, 1w')
  await page.getByRole('link', { name: 'Transactions', exact: true }).last().click()
  expect(await page.getByLabel('Portfolio').inputValue()).not.toBe('')
  expect(await row(page, 'Transactions', /Ledger/).count()).toBe(1)
  await page.goto(`${url}/account?currency=XXX`)
  await page.getByText(/Invalid parameter: currency/).waitFor()
  await page.goto(`${url}/account?portfolio=${crypto.randomUUID()}`)
  await page.getByText(/not found/).waitFor()
  expectNoOffence()
})

test('the tax report of a year is chosen by keys and printed without the frame of the page', async () => {
  const page = await newPage({ width: 1_200 })
  await signIn(page)
  await page.getByRole('link', { name: 'Transactions', exact: true }).first().click()
  await page.getByRole('link', { name: 'Tax report' }).click()
  const lastYear = new Date().getUTCFullYear() - 1
  await page.getByRole('heading', { level: 1, name: `Tax report ${lastYear}` }).waitFor()
  expect(await page.getByRole('table', { name: 'Disposals' }).count()).toBe(0)
  await page.getByLabel('Portfolio').focus()
  await page.keyboard.type('Savings')
  for (let field = 0; field < 2; field++) await page.keyboard.press('Tab')
  await page.keyboard.press('ControlOrMeta+A')
  await page.keyboard.type(String(soldAt.getUTCFullYear()))
  await page.keyboard.press('Tab')
  await page.keyboard.type('Germany')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await page.getByText('Rules: Germany').waitFor()
  expect(read(await row(page, 'Totals', /^All/).innerText())).toBe('All 1 $45,000.00 $40,000.00 +$5,000.00')
  expect(read(await row(page, 'Disposals', /BTC/).innerText())).toMatch(
    /BTC 1 unknown Unknown Trade \$45,000\.00 \$40,000\.00 \+\$5,000\.00|BTC 1 unknown Unknown Sent \$45,000\.00/,
  )
  expect(await page.getByText('not tax advice').count()).toBe(1)
  await expectAccessible(page)
  await expectNames(page)

  // A4 at the margins of a browser, in a dark theme.
  await page.setViewportSize({ width: 720, height: 1_000 })
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
  for (const hidden of ['header', 'form.filters']) expect(await page.locator(hidden).isVisible()).toBe(false)
  const heads = page.getByRole('table', { name: 'Disposals' }).getByRole('columnheader')
  expect(await heads.first().isVisible()).toBe(true)
  expect(await page.evaluate('getComputedStyle(document.body).backgroundColor')).toBe('rgb(255, 255, 255)')
  await expectToFit(page)
  await page.emulateMedia({ media: 'screen', colorScheme: null })
  await page.setViewportSize({ width: 360, height: 800 })
  await expectToFit(page)
  await page.goto(`${url}/account/report?country=uk`)
  await page.getByText(/There is no report: Invalid parameter: country/).waitFor()
  expectNoOffence()
})

test('the chart says its values under the pointer and by the arrow keys, and pages fit a phone', async () => {
  const page = await newPage({ width: 360 })
  await signIn(page)
  await expectToFit(page)
  await expectNames(page)
  await expectAccessible(page)
  const chart = page.getByRole('img', { name: /^Value in USD: from \$0\.00 to \$70,000\.00/ })
  const said = page.locator('figure output')
  await chart.hover()
  expect(await said.textContent()).toMatch(/^\d{4}-\d\d-\d\d · Value \$/)
  await chart.focus()
  await page.keyboard.press('Home')
  expect(await said.textContent()).toMatch(/· Value \$0\.00$/)
  await page.keyboard.press('ArrowRight')
  expect(await said.textContent()).toMatch(
    /· Value \$88,000\.00 · Deposits \+\$80,000\.00 · Profit \+\$8,000\.00$/,
  )
  await page.keyboard.press('End')
  expect(await said.textContent()).toMatch(/· Value \$70,000\.00 · Profit/)
  await page.getByRole('link', { name: 'Bitcoin' }).click()
  await page.getByRole('heading', { level: 1, name: 'Bitcoin' }).waitFor()
  await expectToFit(page)
  expectNoOffence()
})
