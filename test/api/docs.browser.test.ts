import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { routes } from '../../api/routes.ts'
import { expectNames, expectToFit, openBrowser } from '../account/browser.ts'
import { startApi } from '../setup/api.ts'
import { testDatabase } from '../setup/database.ts'
import { insertCoin } from '../setup/factories.ts'

const database = await testDatabase()
const api = await startApi({ database, routes })
const { key } = await api.newAccount({ plan: 'pro' })
const { newPage, expectNoOffence } = await openBrowser()
const url = `http://127.0.0.1:${api.port}`
const NAME = `<img src=x onerror="document.title = 'broken'">`

beforeAll(() =>
  insertCoin(api.owner, { id: 'bitcoin', symbol: 'btc', name: NAME, priceUsd: '50000', at: new Date() }),
)

const opened = (page: Page) => page.locator('details[open]')
const answer = (page: Page) => opened(page).getByRole('region', { name: 'Answer' })

test('a visitor with a key fills in a form by keyboard and sees the answer, its cost and the command', async () => {
  const page = await newPage({ width: 1_024 })
  await page.goto(`${url}/docs`)
  expect(page.url()).toBe(`${url}/v1/docs`)
  await page.getByLabel('API key', { exact: true }).fill(key)
  const summary = page.locator('#getCoin summary')
  await summary.focus()
  await page.keyboard.press('Enter')
  await page.keyboard.press('Tab')
  await page.keyboard.type('bitcoin')
  await page.keyboard.press('Enter')
  await answer(page).waitFor()
  const body = JSON.parse((await answer(page).textContent())!)
  expect(body).toMatchObject({ id: 'bitcoin', name: NAME, price: 50_000 })
  const told = (await opened(page).locator('.answer').textContent())!
  expect(told).toContain('200 OK')
  expect(told).toContain('x-credits-cost: 1')
  expect(await opened(page).getByRole('region', { name: 'As a command' }).textContent()).toBe(
    `curl -s -H 'prefer: handling=strict' -H "X-API-KEY: $KEY" '${url}/v1/coins/bitcoin'`,
  )
  expect(await page.title()).not.toBe('broken')
  await page.reload()
  expect(await page.getByLabel('API key', { exact: true }).inputValue()).toBe('')
  await expectNames(page)
  expectNoOffence()
})

test('errors of the API are shown unchanged, and a write is sent with its body and header', async () => {
  const page = await newPage({ width: 1_024 })
  await page.goto(`${url}/v1/docs#getCoins`)
  await opened(page).getByRole('button').click()
  await answer(page).waitFor()
  expect(JSON.parse((await answer(page).textContent())!)).toMatchObject({ message: 'Invalid API key' })

  await page.getByLabel('API key', { exact: true }).fill(key)
  await page.goto(`${url}/v1/docs#patchWalletTransactions`)
  const form = page.locator('#patchWalletTransactions')
  await form.getByLabel('Idempotency-Key').fill(`o'clock`)
  await form.getByLabel('Body').fill('{"wallets": [null]}')
  await form.getByRole('button').click()
  await form.getByRole('region', { name: 'Answer' }).waitFor()
  expect(JSON.parse((await form.getByRole('region', { name: 'Answer' }).textContent())!)).toMatchObject({
    statusCode: 400,
    message: 'Invalid parameter: wallets. In wallets[0]: It must be an object',
  })
  const command = await form.getByRole('region', { name: 'As a command' }).textContent()
  expect(command).toContain(`-X PATCH`)
  expect(command).toContain(`-H 'idempotency-key: o'\\''clock'`)
  expect(command).toContain(`-d '{"wallets": [null]}'`)
  expectNoOffence()
})

test('everything fits on a phone, also with open sections and answers', async () => {
  const page = await newPage({ width: 320 })
  await page.goto(`${url}/v1/docs#getStatus`)
  await expectToFit(page)
  await opened(page).getByRole('button').click()
  await answer(page).waitFor()
  await page.evaluate(`document.querySelectorAll('details').forEach((one) => (one.open = true))`)
  await expectToFit(page)
  expectNoOffence()
})

test('without JavaScript the page shows everything and says that it cannot send calls', async () => {
  const page = await newPage({ width: 1_024, javaScriptEnabled: false })
  await page.goto(`${url}/v1/docs`)
  await page.getByText('Without JavaScript').waitFor()
  expect(await page.locator('details').count()).toBe(routes.length)
})
