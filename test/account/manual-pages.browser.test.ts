import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { routes } from '../../api/routes.ts'
import { testDatabase } from '../setup/database.ts'
import { insertCoin } from '../setup/factories.ts'
import { PASSWORD, startAccountWorld } from './account-world.ts'
import { expectAccessible, expectToFit, openBrowser } from './browser.ts'
import { FILES } from './import-files.ts'

const database = await testDatabase()
const { api, url, openTo } = await startAccountWorld({ database, routes })
const { newPage, expectNoOffence } = await openBrowser()
const owner = await api.newAccount({ plan: 'pro' })

beforeAll(async () => {
  await openTo(owner.accountId)
  for (const [id, symbol, rank] of [
    ['bitcoin', 'btc', 1],
    ['ethereum', 'eth', 2],
  ] as const)
    await insertCoin(api.owner, { id, symbol, rank, priceUsd: '40000', at: new Date(Date.now() - 60_000) })
})

async function signIn(page: Page): Promise<void> {
  await page.goto(`${url}/account`)
  await page.getByRole('link', { name: 'Sign in' }).click()
  await page.getByLabel('Password').fill(PASSWORD)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('heading', { level: 1, name: 'Portfolio' }).waitFor()
}

const rows = (page: Page, name: string) => page.getByRole('table', { name }).getByRole('row')

test('from nothing: an owner makes a portfolio, adds, corrects and deletes a transaction without scripts', async () => {
  const page = await newPage({ width: 1_200, javaScriptEnabled: false })
  await signIn(page)
  await page.getByRole('link', { name: 'Make a portfolio by hand' }).click()
  await page.getByLabel('Name').fill('Paper')
  await page.getByRole('button', { name: 'Make a portfolio' }).click()
  await page.getByRole('heading', { level: 1, name: 'New transaction' }).waitFor()
  await page.getByLabel('Coin, by id or symbol').fill('doge?')
  await page.getByLabel('Amount').fill('0.5')
  await page.getByLabel('Time, UTC').fill('2026-01-02T10:30:15')
  await page.getByLabel('Price of one').fill('40000')
  await page.getByRole('button', { name: /^Add/ }).click()
  await page.getByRole('alert').filter({ hasText: 'No coin has the id or symbol' }).waitFor()
  expect(await page.getByLabel('Amount').inputValue()).toBe('0.5')
  await page.getByLabel('Coin, by id or symbol').fill('BTC')
  await page.getByRole('button', { name: /^Add/ }).click()
  await page.getByRole('status').filter({ hasText: 'The transaction is added.' }).waitFor()
  expect(await rows(page, 'Transactions').filter({ hasText: '0.5 BTC' }).count()).toBe(1)

  await page.getByRole('link', { name: 'Correct' }).click()
  await page.getByLabel('What').selectOption('Sold, spent or sent')
  await page.getByRole('button', { name: /^Save/ }).click()
  await page.getByRole('status').filter({ hasText: 'is corrected' }).waitFor()
  expect(await rows(page, 'Transactions').filter({ hasText: 'Sell' }).count()).toBe(1)
  await page.getByRole('link', { name: 'Correct' }).click()
  await page.getByRole('button', { name: /^Delete/ }).click()
  await page.getByText('No transactions.').waitFor()
  expectNoOffence()
})

test('a file is imported on a phone, by keyboard, after its preview', async () => {
  const page = await newPage({ width: 360 })
  await signIn(page)
  await page.goto(`${url}/account/transactions`)
  await page.getByRole('link', { name: 'Import a file' }).press('Enter')
  await expectToFit(page)
  await expectAccessible(page)
  const file = {
    name: 'koinly.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(FILES.Koinly.replaceAll('EUR', 'USD')),
  }
  await page.getByLabel('File, CSV or JSON').setInputFiles(file)
  await page.getByRole('button', { name: 'Preview' }).press('Enter')
  await page.getByRole('heading', { level: 1, name: 'Import into Paper' }).waitFor()
  expect(await rows(page, 'Transactions to add').count()).toBe(6)
  expect(await rows(page, 'Lines that are no transactions').count()).toBe(3)
  await expectToFit(page)
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Add 5 transactions (20 credits)' }).press('Enter')
  await page.getByRole('status').filter({ hasText: 'Added 5 transactions.' }).waitFor()
  expect(await rows(page, 'Transactions').filter({ hasText: 'Bought' }).count()).toBe(1)
  await expectToFit(page)
  expectNoOffence()
})

test('the pages of portfolios and transactions fit a phone, are accessible, also in the dark', async () => {
  const page = await newPage({ width: 360, colorScheme: 'dark' })
  await signIn(page)
  for (const path of ['/account/portfolios', '/account/transaction', '/account/import', '/account/data']) {
    await page.goto(`${url}${path}`)
    await expectToFit(page)
    await expectAccessible(page)
  }
  await page.goto(`${url}/account/portfolios`)
  await page.getByRole('link', { name: 'Paper' }).click()
  await expectToFit(page)
  await expectAccessible(page)
  await page.getByLabel('Cost of what is sold').selectOption('Last in, first out (LIFO)')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('status').filter({ hasText: 'computed anew' }).waitFor()
  await page.getByLabel('Remove Paper for good').check()
  await page.getByRole('button', { name: /^Remove/ }).click()
  await page.getByRole('status').filter({ hasText: 'Paper is removed.' }).waitFor()
  expectNoOffence()
})
