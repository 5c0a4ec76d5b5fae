import { userInfo } from 'node:os'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { OPERATOR_SUBJECT } from '../../db/values/demo-names.ts'
import { expectAccessible, expectNames, expectToFit, openBrowser } from '../account/browser.ts'
import { runCommand } from '../cli/run-command.ts'
import { insertCoin } from '../setup/factories.ts'
import { query } from '../setup/query.ts'
import { insertSources } from './console-data.ts'
import { startOperatorWorld } from './operator-world.ts'

const { api, url, signIn, actionsOn, database } = await startOperatorWorld()
const { newPage, expectNoOffence } = await openBrowser()
const asked = () => query(database.ownerUrl, `select workflow, input from outbox order by id`)
const span = { fromMs: Date.parse('2024-01-01'), toMs: Date.parse('2026-01-01') }

beforeAll(async () => {
  vi.stubEnv('DATABASE_URL', database.ownerUrl)
  await insertSources(api.owner)
  for (const id of ['bitcoin', 'ethereum']) await insertCoin(api.owner, { id, at: new Date() })
  await query(
    database.ownerUrl,
    `update coins set source = 'coingecko';
     insert into coin_mappings (source, upstream_id, coin_id) select 'coingecko', id, id from coins
     on conflict do nothing`,
  )
})
afterAll(() => vi.unstubAllEnvs())

test('an operator sees requests and time of a back-fill before it is asked for; it leaves a row', async () => {
  const page = await newPage({ width: 360 })
  await signIn(page)
  await page.getByRole('navigation').getByRole('link', { name: 'Back-fill' }).click()
  await page.getByLabel('First day').fill('2024-01-01')
  await page.getByLabel('Until').fill('2026-01-01')
  await page.getByLabel('Prices').selectOption('hour')
  await page.getByLabel('Coins').fill('bitcoin')
  await page.getByRole('button', { name: 'Estimate' }).click()
  // 731 days in parts of 89, at two requests a second.
  const row = page.getByRole('table', { name: 'What it takes' }).getByRole('row', { name: 'coingecko' })
  expect(await row.locator('[data-name="Requests"]').textContent()).toBe('9')
  expect(await row.locator('[data-name="At least"]').textContent()).toMatch(/^[45] s$/)
  expect(await asked()).toEqual([])
  await expectToFit(page)
  await expectNames(page)
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Fetch them' }).click()
  await page.getByText('The prices of 1 coins are asked for.').waitFor()
  expect(await asked()).toEqual([
    { workflow: 'fillPriceHistory', input: { resolution: 'hour', coinIds: ['bitcoin'], ...span } },
  ])
  const action = 'back-fill prices by hour of 1 coins'
  expect(await actionsOn('2024-01-01 to 2026-01-01')).toEqual([{ operator: OPERATOR_SUBJECT, action }])
  await page.goto(`${url}/console/backfill?from=2026-01-02&to=2026-01-01`)
  await page.getByText('The span ends before it begins.').waitFor()
  expectNoOffence()
})

test('sluice gives the same estimate, and leaves the same row', async () => {
  const log = vi.spyOn(console, 'log').mockImplementation(() => {})
  await runCommand('backfill', '--from', '2024-01-01', '--to', '2026-01-01', '--json')
  const printed = JSON.parse(log.mock.calls.join('')) as object
  log.mockRestore()
  expect(printed).toMatchObject({
    coins: 2,
    plan: [{ source: 'coingecko', coins: 2, requests: 2, leastSeconds: 1 }],
  })
  expect(await actionsOn('2024-01-01 to 2026-01-01')).toContainEqual({
    operator: userInfo().username,
    action: 'back-fill prices by day of 2 coins',
  })
})
