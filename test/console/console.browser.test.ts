import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { setOperator } from '../../db/metering/write.ts'
import { OPERATOR_SUBJECT } from '../../db/values/demo-names.ts'
import { OPERATOR_PASSWORD, startAccountWorld } from '../account/account-world.ts'
import { expectAccessible, expectNames, expectToFit, openBrowser } from '../account/browser.ts'
import { probeRoutes } from '../api/probe-routes.ts'
import { testDatabase } from '../setup/database.ts'
import { query } from '../setup/query.ts'
import { HOSTILE, insertMoney, insertSources } from './console-data.ts'

const database = await testDatabase()
const { api, url, issuer } = await startAccountWorld({ database, routes: probeRoutes })
const { newPage, expectNoOffence } = await openBrowser()
let ids: Awaited<ReturnType<typeof insertSources>>

beforeAll(async () => {
  ids = await insertSources(api.owner)
  const [big, small] = [await api.newAccount(), await api.newAccount()]
  await insertMoney(database.ownerUrl, { big: big.accountId, small: small.accountId })
  await setOperator(api.owner, { issuer, subject: OPERATOR_SUBJECT, isOperator: true })
})

async function signIn(page: Page): Promise<void> {
  await page.goto(`${url}/console`)
  await page.getByRole('link', { name: 'Sign in' }).click()
  await page.getByLabel('User').fill(OPERATOR_SUBJECT)
  await page.getByLabel('Password').fill(OPERATOR_PASSWORD)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
}

const open = (page: Page, section: string) =>
  page.getByRole('navigation').getByRole('link', { name: section }).click()
const bars = (page: Page, name: RegExp) => page.getByRole('img', { name }).locator('rect').count()
const write = (sql: string) => query(database.ownerUrl, sql)

test('an operator signs in, sees a source recover, retries a quarantined row and sees credits and payments', async () => {
  const page = await newPage({ width: 1_280 })
  await signIn(page)
  await page.evaluate('window.untouched = true')
  expect(await bars(page, /^Requests to all sources by hour in the last 24 hours, 110 in all/)).toBe(5)
  const source = page
    .getByRole('table', { name: 'Sources of prices' })
    .getByRole('row', { name: /frankfurter/ })
  expect(await source.textContent()).toMatch(/paused for 10 d, late.*status 500/s)
  await source.getByRole('img', { name: /^10 d of 10 min, late/ }).waitFor()
  await page.getByText('Sources that are off').click()
  await page.getByText('Live, every 5 seconds.').waitFor()

  await write(
    `update source_states set last_success_at = now(), next_request_at = now() where source = 'frankfurter'`,
  )
  await expect.poll(() => source.textContent()).not.toMatch(/late|paused|status 500/)
  await source.getByRole('img', { name: /^\d+ s of 10 min$/ }).waitFor()
  await page.getByRole('link', { name: /Sources 4 on 0 late, 0 failing, 0 paused, 1 off/ }).waitFor()
  // Opened details stay open, and the page was not reloaded.
  expect(await page.getByText('OPENSEA_API_KEY').isVisible()).toBe(true)
  expect(await page.evaluate('window.untouched')).toBe(true)

  await expectAccessible(page)

  await open(page, 'Quarantine')
  await expectAccessible(page)
  await page.getByRole('combobox', { name: 'Source' }).selectOption('coingecko')
  await page.getByRole('button', { name: 'Show' }).click()
  await page.getByRole('link', { name: `Row ${ids.retryable} with its payload` }).click()
  const payload = page.getByRole('region', { name: 'Payload' })
  expect(JSON.parse((await payload.textContent())!)).toEqual({ id: 'evil', name: HOSTILE })
  expect(await page.title()).toBe(`Quarantined row ${ids.retryable} · Sluice`)
  await page.getByRole('button', { name: `Retry row ${ids.retryable}` }).click()
  await page.getByText('being retried, requested').waitFor()
  expect(await write('select workflow from outbox')).toEqual([{ workflow: 'retryQuarantined' }])
  // The worker deletes the row when it passes.
  await write(`delete from quarantine where id = ${ids.retryable}`)
  await page.getByText('This row is not in quarantine').waitFor()

  await open(page, 'Money')
  expect(await bars(page, /^Credits by day in the last 30 days, 1,610 in all/)).toBe(2)
  expect(await bars(page, /^Payments by day in the last 30 days, 2 settled/)).toBeGreaterThanOrEqual(3)
  expect(await page.getByRole('table', { name: 'Open payments' }).textContent()).toMatch(/9\d min ago/)
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Sign out operator' }).click()
  await page.getByRole('heading', { level: 1, name: 'Signed out' }).waitFor()
  expectNoOffence()
})

test('pages fit a 360 px phone without scripts, and every element has a name', async () => {
  const page = await newPage({ width: 360, javaScriptEnabled: false })
  await signIn(page)
  for (const section of ['Overview', 'Quarantine', 'Money']) {
    await open(page, section)
    await page.getByRole('heading', { level: 1, name: section }).waitFor()
    await page.getByText('Reload for newer figures.').waitFor()
    await expectToFit(page)
    await expectNames(page)
  }
  await page.goto(`${url}/console/quarantine/${ids.large}`)
  await expectToFit(page)
  await expectNames(page)
  expectNoOffence()
})

test('an operator reads what is wrong and what to do, and acknowledges it with the keyboard, on a phone too', async () => {
  await write(`insert into incidents (rule, subject, severity, summary, since, fired_at)
    values ('OutboxStuck', '', 'page', 'An accepted command has waited for 5 min', now(), now())`)
  const page = await newPage({ width: 360 })
  await signIn(page)
  await page.getByRole('table', { name: 'What is wrong now' }).getByText('has waited for 5 min').waitFor()
  await expectToFit(page)
  await expectAccessible(page)
  await page.getByRole('link', { name: 'Runbook of OutboxStuck' }).click()
  await page.getByRole('heading', { level: 1, name: 'OutboxStuck' }).waitFor()
  await expectToFit(page)
  await expectAccessible(page)
  await page.getByRole('link', { name: 'All incidents' }).click()
  await page.getByRole('button', { name: 'Acknowledge: OutboxStuck' }).focus()
  await page.keyboard.press('Enter')
  await page.getByText(`acknowledged by ${OPERATOR_SUBJECT}`).waitFor()
  await page.getByRole('table', { name: 'What operators did' }).getByText('acknowledge an incident').waitFor()
  await expectAccessible(page)
  expectNoOffence()
})
