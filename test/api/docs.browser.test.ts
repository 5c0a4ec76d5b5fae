import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { renderers } from '../../api/docs/docs-site.ts'
import { openApiDocument } from '../../api/openapi.ts'
import { routes } from '../../api/routes.ts'
import { expectAccessible, expectNames, expectToFit, openBrowser } from '../account/browser.ts'
import { startApi } from '../setup/api.ts'
import { testDatabase } from '../setup/database.ts'
import { insertCoin } from '../setup/factories.ts'

const database = await testDatabase()
const api = await startApi({ database, routes })
const { key } = await api.newAccount({ plan: 'pro' })
const { newPage, expectNoOffence } = await openBrowser()
const url = `http://127.0.0.1:${api.port}`
const NAME = `<img src=x onerror="document.title = 'broken'">`
const DOCS = [...renderers(openApiDocument(routes)).keys(), '/v1/docs/credits', '/v1/docs/search?q=wallet']

beforeAll(async () => {
  const at = new Date()
  await insertCoin(api.owner, { id: 'bitcoin', symbol: 'btc', name: NAME, priceUsd: '50000', at })
  await insertCoin(api.owner, { id: 'ethereum', symbol: 'eth', name: 'Ethereum', priceUsd: '3000', at })
})

const FIRST_S = 1_790_000_000
const minute = (seconds: number) => new Date(seconds * 1_000).toISOString().slice(0, 16).replace('T', ' ')

const answer = (page: Page) => page.getByRole('region', { name: 'Answer', exact: true })
const keyField = (page: Page) => page.getByLabel('API key', { exact: true })
const call = (page: Page) => page.getByRole('button', { name: /^Call / }).click()

test('a visitor finds an endpoint, calls it by keyboard and sees the answer, its cost and the command', async () => {
  const page = await newPage({ width: 1_024 })
  await page.goto(`${url}/docs`)
  expect(page.url()).toBe(`${url}/v1/docs`)
  await page.getByRole('link', { name: 'Coins', exact: true }).click()
  await page.getByRole('link', { name: 'One coin with its market data' }).click()
  expect(page.url()).toBe(`${url}/v1/docs/coins/getCoin`)
  expect(await page.getByLabel(/^coinId/).inputValue()).toBe('bitcoin')
  await keyField(page).fill(key)
  await page.getByLabel(/^coinId/).focus()
  await page.keyboard.press('Enter')
  await answer(page).waitFor()
  const body = JSON.parse((await answer(page).textContent())!)
  expect(body).toMatchObject({ id: 'bitcoin', name: NAME, price: 50_000 })
  const told = (await page.locator('.answer').textContent())!
  expect(told).toContain('200 OK')
  expect(told).toContain('x-credits-cost: 1')
  expect(await page.getByRole('region', { name: 'As a command' }).textContent()).toBe(
    `curl -s -H 'prefer: handling=strict' -H "X-API-KEY: $KEY" '${url}/v1/coins/bitcoin'`,
  )
  expect(await page.title()).not.toBe('broken')
  await expectNames(page)
  expectNoOffence()
})

test('the key is forgotten with the page, or kept for the tab if the visitor says so', async () => {
  const page = await newPage({ width: 1_024 })
  await page.goto(`${url}/v1/docs/coins/getCoin`)
  await keyField(page).fill(key)
  await page.reload()
  expect(await keyField(page).inputValue()).toBe('')
  await keyField(page).fill(key)
  await page.getByLabel('Keep the key').check()
  await page.goto(`${url}/v1/docs/coins/getCoins`)
  expect(await keyField(page).inputValue()).toBe(key)
  await page.getByLabel('Keep the key').uncheck()
  await page.reload()
  expect(await keyField(page).inputValue()).toBe('')
})

test('a list is shown as a table and a history as a chart', async () => {
  const page = await newPage({ width: 1_024 })
  await page.goto(`${url}/v1/docs/coins/getCoins`)
  await keyField(page).fill(key)
  await page.getByLabel('Keep the key').check()
  await call(page)
  await page.getByRole('button', { name: 'Table', exact: true }).click()
  const table = page.getByRole('region', { name: 'Table' })
  expect(await table.getByRole('columnheader', { name: 'symbol' }).count()).toBe(1)
  expect(await table.getByRole('row').count()).toBe(3)
  expect(await table.textContent()).toContain(NAME)
  await expectAccessible(page)

  // An answer with a history, without one of the database.
  const points = JSON.stringify([
    [FIRST_S, 1, 2, 3],
    [FIRST_S + 86_400, 4, 5, 6],
    [FIRST_S + 172_800, 2, 5, 6],
  ])
  await page.route('**/v1/coins/bitcoin/charts?*', (route) =>
    route.fulfill({ status: 200, contentType: 'application/json', body: points }),
  )
  await page.goto(`${url}/v1/docs/coins/getCoinCharts`)
  await call(page)
  await page.getByRole('button', { name: 'Chart', exact: true }).click()
  await page
    .getByRole('img', { name: `value from ${minute(FIRST_S)} to ${minute(FIRST_S + 172_800)}: 1 to 4` })
    .waitFor()
  await expectAccessible(page)
  expectNoOffence()
})

test('several values of a list are chosen, and ids are chosen from what the account has', async () => {
  const page = await newPage({ width: 1_024 })
  await page.goto(`${url}/v1/docs/wallets/getWalletBalance`)
  await page.getByLabel(/^connectionId/).selectOption(['ethereum', 'base-wallet'])
  await keyField(page).fill(key)
  await page.getByLabel('Keep the key').check()
  const asked = page.waitForRequest(/\/v1\/wallet\/balance\?/)
  await call(page)
  expect(new URL((await asked).url()).searchParams.get('connectionId')).toBe('ethereum,base-wallet')

  await page.goto(`${url}/v1/docs/coins/getCoinCharts`)
  await page.getByLabel(/^coinId/).fill('')
  await page.getByRole('button', { name: 'Choose from GET /coins' }).click()
  await page.getByText('2 found, 2 credits').waitFor()
  expect(['bitcoin', 'ethereum']).toContain(await page.getByLabel(/^coinId/).inputValue())
  expect(await page.locator('datalist option').count()).toBe(2)
  expectNoOffence()
})

test('errors of the API are shown unchanged, and a write is sent with its body and header', async () => {
  const page = await newPage({ width: 1_024 })
  await page.goto(`${url}/v1/docs/coins/getCoins`)
  await call(page)
  await answer(page).waitFor()
  expect(JSON.parse((await answer(page).textContent())!)).toMatchObject({ message: 'Invalid API key' })

  await page.goto(`${url}/v1/docs/wallets/patchWalletTransactions`)
  await keyField(page).fill(key)
  await page.getByLabel(/^Idempotency-Key/).fill(`o'clock`)
  await page.getByLabel(/^address/).fill('')
  await page.getByLabel(/^connectionId/).selectOption([])
  await page.getByLabel(/^Body/).fill('{"wallets": [null]}')
  await call(page)
  await answer(page).waitFor()
  expect(JSON.parse((await answer(page).textContent())!)).toMatchObject({
    statusCode: 400,
    message: 'Invalid parameter: wallets. In wallets[0]: It must be an object',
  })
  const command = await page.getByRole('region', { name: 'As a command' }).textContent()
  expect(command).toContain(`-X PATCH`)
  expect(command).toContain(`-H 'idempotency-key: o'\\''clock'`)
  expect(command).toContain(`-d '{"wallets": [null]}'`)
  expectNoOffence()
})

test('links to the anchors of the former single page lead to the page of the operation', async () => {
  const page = await newPage({ width: 1_024 })
  await page.goto(`${url}/v1/docs#getCoins`)
  await page.waitForURL(`${url}/v1/docs/coins/getCoins`)
  await page.goto(`${url}/v1/docs`)
  await page.evaluate(`location.hash = 'postWebhooks'`)
  await page.waitForURL(`${url}/v1/docs/webhooks/postWebhooks`)
  expectNoOffence()
})

test('every page fits on a phone and is accessible', async () => {
  const page = await newPage({ width: 320 })
  for (const path of DOCS) {
    await page.goto(url + path)
    await expectToFit(page)
  }
  for (const path of [
    '/v1/docs',
    '/v1/docs/coins',
    '/v1/docs/coins/getCoins',
    '/v1/docs/webhooks/postWebhooks',
  ]) {
    await page.goto(url + path)
    await expectNames(page)
    await expectAccessible(page)
  }
  await page.goto(`${url}/v1/docs/status/getStatus`)
  await call(page)
  await answer(page).waitFor()
  await expectToFit(page)
  expectNoOffence()
})

test('without JavaScript pages show everything, switch languages, and say that they cannot send calls', async () => {
  const page = await newPage({ width: 1_024, javaScriptEnabled: false })
  await page.goto(`${url}/v1/docs/coins/getCoin`)
  await page.getByText('Without JavaScript').waitFor()
  await page.getByRole('region', { name: 'Answer of the example' }).waitFor()
  const shown = (name: string) => page.getByRole('region', { name, exact: true }).isVisible()
  expect([await shown('curl'), await shown('Python')]).toEqual([true, false])
  await page.getByRole('radio', { name: 'Python' }).check()
  expect([await shown('curl'), await shown('Python')]).toEqual([false, true])
  expect(await page.getByRole('region', { name: 'Python' }).textContent()).toContain('sluice_client')
})

test('without JavaScript a visitor searches, reads the error that was found, and works out credits', async () => {
  const page = await newPage({ width: 1_024, javaScriptEnabled: false })
  await page.goto(`${url}/v1/docs`)
  await page.getByLabel('Search').fill('not synced')
  await page.keyboard.press('Enter')
  await page.getByRole('link', { name: '409: Transactions not synced' }).click()
  expect(page.url()).toBe(`${url}/v1/docs/errors#status-409`)
  await page.getByRole('heading', { name: '409' }).waitFor()

  await page.getByRole('link', { name: 'Credits', exact: true }).click()
  await page.getByLabel('Endpoint', { exact: true }).selectOption({ label: 'GET /coins/{coinId}' })
  await page.getByLabel('Calls a day').fill('1000')
  await page.getByRole('button', { name: 'Work it out' }).click()
  await page.getByText('30,000 credits.').waitFor()
  // What was worked out stays in the form, and a row for another endpoint follows.
  expect(await page.getByLabel('Calls a day').count()).toBe(2)
  expect(await page.getByLabel('Calls a day').first().inputValue()).toBe('1000')
  await page.getByRole('link', { name: 'Changelog' }).click()
  await page.getByRole('heading', { name: 'Unreleased' }).waitFor()
  expectNoOffence()
})

test('a page that does not exist is 404', async () => {
  for (const path of ['/v1/docs/nothing', '/v1/docs/coins/nothing', '/v1/docs/news/getCoins'])
    expect((await fetch(url + path)).status).toBe(404)
})
