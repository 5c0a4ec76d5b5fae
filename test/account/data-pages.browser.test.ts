import { readFile } from 'node:fs/promises'
import { parse } from 'csv-parse/sync'
import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { routes } from '../../api/routes.ts'
import { testDatabase } from '../setup/database.ts'
import { insertCoin } from '../setup/factories.ts'
import { query } from '../setup/query.ts'
import { PASSWORD, startAccountWorld } from './account-world.ts'
import { expectAccessible, expectNames, expectToFit, openBrowser } from './browser.ts'

// What owners do with their data, with a keyboard alone: import, state by hand, take along, close the account.

const database = await testDatabase()
const { api, url, openTo } = await startAccountWorld({ database, routes })
const { newPage, expectNoOffence } = await openBrowser()
const owner = await api.newAccount({ plan: 'pro' })
const HEADER = 'date,coin,count,price,currency,note\n'
const MANY = `${HEADER}${Array.from({ length: 60 }, (_, i) => `2026-01-02,unknown-${i},1,,,\n`).join('')}2026-01-03,btc,0.5,40000,USD,First\n`

beforeAll(async () => {
  await openTo(owner.accountId)
  for (const [id, symbol, rank] of [
    ['bitcoin', 'btc', 1],
    ['ethereum', 'eth', 2],
  ] as const)
    await insertCoin(api.owner, { id, symbol, rank, priceUsd: '40000', at: new Date(Date.now() - 60_000) })
})

async function signIn(page: Page): Promise<void> {
  await page.goto(`${url}/account/sign-in`)
  await page.getByLabel('Password').fill(PASSWORD)
  await page.getByRole('button', { name: 'Sign in' }).press('Enter')
  await page.getByRole('heading', { level: 1, name: 'Portfolio' }).waitFor()
}

/** Presses Tab until an element with this name has the focus, as somebody without a mouse does. */
async function tabTo(page: Page, name: string | RegExp): Promise<void> {
  for (let presses = 0; presses < 120; presses++) {
    await page.keyboard.press('Tab')
    const focused = (await page.evaluate(`(() => {
      const one = document.activeElement
      return (one.labels?.[0]?.firstChild ?? one).textContent.trim()
    })()`)) as string
    if (typeof name === 'string' ? focused.startsWith(name) : name.test(focused)) return
  }
  throw new Error(`Tab never reaches ${String(name)} on ${page.url()}`)
}

async function typeInto(page: Page, name: string, text: string): Promise<void> {
  await tabTo(page, name)
  await page.keyboard.press('ControlOrMeta+A')
  await page.keyboard.type(text)
}

const expectGood = async (page: Page): Promise<void> => {
  await expectToFit(page)
  await expectNames(page)
  await expectAccessible(page)
}

/** Presses Enter on a link to a file and returns the text of the file. */
async function download(page: Page, link: string | RegExp): Promise<{ name: string; text: string }> {
  const started = page.waitForEvent('download')
  await tabTo(page, link)
  await page.keyboard.press('Enter')
  const file = await started
  return { name: file.suggestedFilename(), text: await readFile(await file.path(), 'utf8') }
}

test('a transaction is added, refused beside its field and corrected with a keyboard alone', async () => {
  const page = await newPage({ width: 1_200 })
  await signIn(page)
  await page.goto(`${url}/account/portfolios`)
  await typeInto(page, 'Name', 'Paper')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name: 'New transaction' }).waitFor()
  await expectGood(page)
  await typeInto(page, 'Coin', 'eth')
  await typeInto(page, 'Amount', 'two')
  await tabTo(page, 'Time')
  for (const keys of ['01', '02', '2026']) await page.keyboard.type(keys)
  await page.keyboard.press('Tab')
  await page.keyboard.type('103015AM')
  await tabTo(page, /^Add \(/)
  await page.keyboard.press('Enter')

  const alert = page.getByRole('alert')
  await alert.filter({ hasText: 'Amount: It must be a number such as 0.5.' }).waitFor()
  await expectGood(page)
  await tabTo(page, 'Amount')
  await page.keyboard.press('Enter')
  const amount = page.getByLabel('Amount')
  expect(await amount.getAttribute('aria-invalid')).toBe('true')
  expect(await page.locator('#count-problem').textContent()).toContain('It must be a number such as 0.5')
  // The link has led into the field.
  expect(await page.evaluate('document.activeElement.id')).toBe('count')
  await page.keyboard.press('ControlOrMeta+A')
  await page.keyboard.type('2')
  await page.keyboard.press('Enter')
  await page.getByRole('status').filter({ hasText: 'The transaction is added.' }).waitFor()
  await expectAccessible(page)

  await tabTo(page, 'Correct')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name: 'Correct a transaction' }).waitFor()
  await typeInto(page, 'Amount', '3')
  await page.keyboard.press('Enter')
  await page.getByRole('status').filter({ hasText: 'is corrected' }).waitFor()
  expect(
    await query(database.ownerUrl, 'select coin_id, count::text, at::text from manual_transactions'),
  ).toEqual([{ coin_id: 'ethereum', count: '3', at: '2026-01-02 10:30:15+00' }])
  expectNoOffence()
})

test('a file is imported with a keyboard alone: refused lines are a file, repeats are left out or added anyway', async () => {
  const page = await newPage({ width: 360 })
  await signIn(page)
  const choose = async (text: string) => {
    await page.goto(`${url}/account/import`)
    await tabTo(page, 'Portfolio')
    await tabTo(page, 'File, CSV or JSON')
    await page
      .getByLabel('File, CSV or JSON')
      .setInputFiles({ name: 'own.csv', mimeType: 'text/csv', buffer: Buffer.from(text) })
    await tabTo(page, 'Preview')
    await page.keyboard.press('Enter')
  }
  const preview = async () => {
    await choose(MANY)
    await page.getByRole('heading', { level: 1, name: 'Import into Paper' }).waitFor()
    await expectGood(page)
  }
  await choose('a,b\n1,2\n')
  await page
    .getByRole('alert')
    .filter({ hasText: 'No line of the file is a header that is known.' })
    .waitFor()
  await expectGood(page)
  await preview()
  await page.getByText('The first 50 of 60.').waitFor()
  const refused = await download(page, 'All 60 as CSV')
  expect(refused.name).toBe('refused.csv')
  expect(parse(refused.text)).toHaveLength(61)
  await tabTo(page, /^Add 1 transaction /)
  await page.keyboard.press('Enter')
  await page.getByRole('status').filter({ hasText: 'Added 1 transaction.' }).waitFor()

  await preview()
  await page.getByRole('table', { name: 'Transactions that are there already' }).waitFor()
  expect(await page.getByRole('button', { name: /^Add/ }).count()).toBe(0)
  await tabTo(page, 'Add them anyway')
  await page.keyboard.press('Enter')
  await page.getByText('They are added a second time.').waitFor()
  await expectGood(page)
  await tabTo(page, /^Add 1 transaction /)
  await page.keyboard.press('Enter')
  await page.getByRole('status').filter({ hasText: 'Added 1 transaction.' }).waitFor()
  expect(
    await query(database.ownerUrl, `select from manual_transactions where coin_id = 'bitcoin'`),
  ).toHaveLength(2)
  expectNoOffence()
})

test('an owner takes the data along, then closes the account, with a keyboard alone', async () => {
  const page = await newPage({ width: 1_200 })
  await signIn(page)
  await page.goto(`${url}/account/data`)
  await expectGood(page)
  const all = await download(page, 'All transactions')
  expect([all.name, (parse(all.text) as string[][]).length]).toEqual(['transactions.csv', 4])
  const stated = await download(page, 'Transactions by hand')
  expect(stated.name).toBe('by-hand.csv')
  expect(parse(stated.text)).toContainEqual([
    '2026-01-03T00:00:00.000Z',
    'bitcoin',
    '0.5',
    '40000',
    'USD',
    'First',
    'Paper',
  ])
  const account = await download(page, 'The account')
  expect([account.name, JSON.parse(account.text)]).toEqual([
    'account.json',
    expect.objectContaining({ portfolios: [expect.objectContaining({ name: 'Paper' })] }),
  ])

  await typeInto(page, 'Type the name of the account', 'another name')
  await page.keyboard.press('Enter')
  await page.getByText('The name is not that of the account. Nothing was closed').waitFor()
  await expectGood(page)
  await page.goBack()
  await typeInto(page, 'Type the name of the account', 'test')
  await tabTo(page, 'Close the account for good')
  await page.keyboard.press('Enter')
  await page.getByText('Manage the keys, credits').waitFor()
  await expectGood(page)
  await page.goto(`${url}/account/data`)
  expect(await page.getByRole('link', { name: 'The account' }).count()).toBe(0)
  expectNoOffence()
})
