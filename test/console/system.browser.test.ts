import { userInfo } from 'node:os'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { createTemporal } from '../../web/console/temporal.ts'
import { OPERATOR_SUBJECT } from '../../db/values/demo-names.ts'
import { expectAccessible, expectNames, expectToFit, openBrowser } from '../account/browser.ts'
import { runCommand } from '../cli/run-command.ts'
import { query } from '../setup/query.ts'
import { insertMoney, insertSources } from './console-data.ts'
import { startOperatorWorld } from './operator-world.ts'

// Nobody listens there: a replica and a Temporal server that are away.
const AWAY = '127.0.0.1:9'
const temporal = createTemporal({ address: AWAY, namespace: 'default', uiUrl: null, now: () => new Date() })
const { api, url, signIn, actionsOn, database } = await startOperatorWorld({
  temporal,
  replicaUrl: `postgres://api:away@${AWAY}/sluice`,
  env: {
    ACCOUNT_SECRET: 'canary of the cookies',
    ALERT_SLACK_URL: 'https://chat.example/hooks/canary',
    LOG_LEVEL: 'warn',
  },
})
const { newPage, expectNoOffence } = await openBrowser()
const rows = <T extends object>(sql: string) => query<T>(database.ownerUrl, sql)
const operator = OPERATOR_SUBJECT

beforeAll(async () => {
  vi.stubEnv('DATABASE_URL', database.ownerUrl)
  const [big, small] = [await api.newAccount(), await api.newAccount()]
  await insertMoney(database.ownerUrl, { big: big.accountId, small: small.accountId })
  await insertSources(api.owner)
})
afterAll(async () => {
  vi.unstubAllEnvs()
  await temporal.close()
})

async function json<T>(...args: [string, ...string[]]): Promise<T> {
  const log = vi.spyOn(console, 'log').mockImplementation(() => {})
  try {
    await runCommand(...args, '--json')
    return JSON.parse(log.mock.calls.join('\n')) as T
  } finally {
    log.mockRestore()
  }
}

test('with replica and Temporal away the console says so, and shows the rest', async () => {
  const page = await newPage({ width: 1_280 })
  await signIn(page)
  await page.getByRole('table', { name: 'Sources of prices' }).waitFor()
  await page.getByRole('navigation').getByRole('link', { name: 'System' }).click()
  const part = (name: string) =>
    page.getByRole('table', { name: 'Parts' }).getByRole('row', { name }).textContent()
  expect(await part('Replica')).toContain('service is out of reach')
  expect(await part('Temporal')).toContain('service is out of reach')
  expect(await part('Database of the console')).toContain('answers')
  const [newest] = await rows<{ name: string }>('select max(name) as name from kysely_migration')
  await page.getByText(newest!.name).waitFor()
  const settings = (await page.getByRole('table', { name: 'Settings' }).textContent())!
  expect(settings).toContain('https://chat.example/…')
  expect(settings.replace(/\s+/g, ' ')).toMatch(/LOG_LEVEL ?warn ?the environment/)
  expect(await page.content()).not.toContain('canary')
  for (const path of ['money', 'incidents', 'quarantine', 'accounts', 'payments'])
    expect([path, (await page.goto(`${url}/console/${path}`))!.status()]).toEqual([path, 200])
  expectNoOffence()
})

test('the chart of requests starts in the hour of the first one', async () => {
  const page = await newPage({ width: 1_280 })
  await signIn(page)
  const chart = page.getByRole('img', { name: /^Requests to all sources by hour/ })
  const hour = new Date(Date.now() - 5 * 3_600_000).toISOString().slice(11, 13)
  await page.getByText(`${hour}:00 UTC`, { exact: true }).waitFor()
  expect(await chart.locator('title').first().textContent()).toMatch(
    new RegExp(`^${hour}:00 UTC: 60 requests`),
  )
})

test('an operator notes a verified restore, which the page and sluice show, with a row', async () => {
  const page = await newPage({ width: 360 })
  await signIn(page)
  await page.goto(`${url}/console/system`)
  await page.getByText('none was noted').waitFor()
  await page.getByLabel('Moment of the backup').fill('2026-11-20T03:00')
  await page.getByLabel('Note').fill('sums agree')
  await page.getByRole('button', { name: 'Note a verified restore' }).click()
  await page.getByText('The verified restore is noted.').waitFor()
  await page.getByText(`of the backup of 2026-11-20 03:00 UTC, by ${operator}. sums agree`).waitFor()
  expect(await actionsOn('2026-11-20 03:00 UTC')).toEqual([{ operator, action: 'note a verified restore' }])
  await expectToFit(page)
  await expectNames(page)
  await expectAccessible(page)

  await json('system', 'note-restore', '--backup', '2026-11-21T03:00:00Z')
  const system = await json<{ backups: { restored: object }; versions: object }>('system')
  expect(system.backups.restored).toMatchObject({
    backupAt: '2026-11-21T03:00:00.000Z',
    operator: userInfo().username,
  })
  expect(system.versions).toMatchObject({
    sluice: expect.stringMatching(/^\d/),
    postgres: expect.stringMatching(/^18/),
  })
  expectNoOffence()
})

test('an operator sees payments and notes a refund, in the console and by sluice, with a row', async () => {
  const [settled, other] = await rows<{ id: string }>(
    `select id from payments where state = 'settled' order by id`,
  )
  const [failed] = await rows<{ id: string }>(`select id from payments where state = 'failed'`)
  const page = await newPage({ width: 360 })
  await signIn(page)
  await page.getByRole('navigation').getByRole('link', { name: 'Payments' }).click()
  await page.getByLabel('Payment', { exact: true }).fill(settled!.id)
  await page.getByLabel('Note').fill('sent back in 0xabc')
  await page.getByRole('button', { name: 'Note it' }).click()
  await page.getByText('The refund is noted.').waitFor()
  const row = page.getByRole('table', { name: 'Payments' }).getByRole('row', { name: settled!.id })
  expect(await row.textContent()).toMatch(/0\.0015.*sent back in 0xabc \(operator, 20\d\d-/s)
  expect(await page.content()).not.toContain('canary')
  await expectToFit(page)
  await expectNames(page)
  await expectAccessible(page)
  expect(await actionsOn(settled!.id)).toEqual([{ operator, action: 'note a refund' }])

  await json('payments', 'note-refund', other!.id, '--note', 'by bank')
  expect(await json('payments', 'show', other!.id)).toMatchObject({
    notes: [expect.stringMatching(/^by bank \(/)],
  })
  expect(await actionsOn(other!.id)).toEqual([{ operator: userInfo().username, action: 'note a refund' }])
  await expect(json('payments', 'note-refund', failed!.id, '--note', 'x')).rejects.toThrow('that took money')
  expectNoOffence()
})
