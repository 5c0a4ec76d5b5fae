import { userInfo } from 'node:os'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { OPERATOR_SUBJECT } from '../../db/values/demo-names.ts'
import { expectAccessible, expectNames, expectToFit, openBrowser } from '../account/browser.ts'
import { runCommand } from '../cli/run-command.ts'
import { query } from '../setup/query.ts'
import { startOperatorWorld } from './operator-world.ts'

const { url, issuer, signIn, actionsOn, database } = await startOperatorWorld()
const { newPage, expectNoOffence } = await openBrowser()
const rows = <T extends object>(sql: string, values: unknown[] = []) =>
  query<T>(database.ownerUrl, sql, values)
const by = (operator: string, ...actions: string[]) => actions.map((action) => ({ operator, action }))

beforeAll(() => void vi.stubEnv('DATABASE_URL', database.ownerUrl))
afterAll(() => vi.unstubAllEnvs())

async function json<T>(...args: [string, ...string[]]): Promise<T> {
  const log = vi.spyOn(console, 'log').mockImplementation(() => {})
  try {
    await runCommand(...args, '--json')
    return JSON.parse(log.mock.calls.join('\n')) as T
  } finally {
    log.mockRestore()
  }
}

const keysOf = (id: string) =>
  rows<{ prefix: string; read_only: boolean; revoked: boolean }>(
    'select prefix, read_only, revoked_at is not null as revoked from api_keys where account_id = $1',
    [id],
  )

test('an operator opens an account, changes its plan, adds credits, and makes and revokes a key; each leaves a row', async () => {
  const page = await newPage({ width: 360 })
  await signIn(page)
  await page.getByRole('navigation').getByRole('link', { name: 'Accounts' }).click()
  await page.getByLabel('Name', { exact: true }).fill('Aster & Co')
  await page.getByRole('combobox', { name: 'Plan' }).selectOption('starter')
  await page.getByRole('button', { name: 'Open it' }).click()
  await page.getByRole('heading', { level: 1, name: 'Aster & Co' }).waitFor()
  const id = new URL(page.url()).pathname.split('/').at(-1)!
  await page.getByRole('combobox', { name: 'Plan' }).selectOption('pro')
  await page.getByRole('button', { name: 'Change the plan' }).click()
  await page.getByText('Aster & Co has the plan pro.').waitFor()
  await page.getByLabel('Credits').fill('5000')
  await page.getByRole('button', { name: 'Add credits' }).click()
  await page.getByText('5000 credits are added').waitFor()
  await page.getByLabel('Name of the key').fill('nightly report')
  await page.getByLabel('Allows GET only').check()
  await page.getByRole('button', { name: 'Create a key' }).click()
  const key = (await page.getByRole('status').locator('output').textContent())!
  expect((await keysOf(id))[0]).toMatchObject({ read_only: true, revoked: false })
  const { status } = await fetch(`${url}/v1/probe`, { headers: { 'x-api-key': key } })
  expect(status).not.toBe(401)
  await expectToFit(page)
  await expectNames(page)
  await expectAccessible(page)
  await page.reload()
  expect(await page.content()).not.toContain(key)

  const { prefix } = (await keysOf(id))[0]!
  await page.getByRole('button', { name: `Revoke ${prefix}` }).click()
  await page.getByText(`${prefix} is revoked`).waitFor()
  expect((await keysOf(id))[0]).toMatchObject({ revoked: true })
  expect(await rows('select plan from accounts where id = $1', [id])).toEqual([{ plan: 'pro' }])
  expect(await rows('select credits::int from credit_grants where account_id = $1', [id])).toEqual([
    { credits: 5_000 },
  ])
  expect(await actionsOn(id)).toEqual(
    by(
      OPERATOR_SUBJECT,
      'open an account with the plan starter',
      'change the plan to pro',
      'add 5000 credits',
      `create the key ${prefix}`,
      `revoke the key ${prefix}`,
    ),
  )
  await page.goto(`${url}/console/accounts?find=aster`)
  await page.getByRole('table', { name: 'Accounts' }).getByRole('link', { name: 'Aster & Co' }).waitFor()
  expectNoOffence()
})

test('sluice does the same, with the same rows', async () => {
  const { accountId } = await json<{ accountId: string }>(
    'accounts',
    'create',
    '--name',
    'by shell',
    '--plan',
    'free',
  )
  await json('accounts', 'set-plan', '--account', accountId, '--plan', 'starter')
  await json('accounts', 'top-up', '--account', accountId, '--credits', '7', '--id', 'order-1')
  await json('accounts', 'top-up', '--account', accountId, '--credits', '7', '--id', 'order-1')
  await json('keys', 'create', '--account', accountId, '--name', 'shell')
  const { prefix } = (await keysOf(accountId))[0]!
  expect(await json('keys', 'revoke', '--account', accountId, '--prefix', prefix)).toEqual({ revoked: 1 })
  expect(await actionsOn(accountId)).toEqual(
    by(
      userInfo().username,
      'open an account with the plan free',
      'change the plan to starter',
      'add 7 credits',
      `create the key ${prefix}`,
      `revoke the key ${prefix}`,
    ),
  )
  const args = ['identities', 'operator', 'carol', 'on', '--issuer', issuer] as const
  expect(await json(...args)).toEqual({ issuer, subject: 'carol', isOperator: true })
  expect(await actionsOn('carol')).toEqual(by(userInfo().username, 'make somebody an operator'))
})

test('an operator makes somebody an operator and takes it back, but not from themselves', async () => {
  const page = await newPage({ width: 1_280 })
  await signIn(page)
  await page.getByRole('navigation').getByRole('link', { name: 'Operators' }).click()
  await page.getByLabel('User').fill('dave')
  await page.getByRole('button', { name: 'Make an operator' }).click()
  await page.getByText('dave sees the console.').waitFor()
  const isOperator = () => rows(`select from operators where issuer = $1 and subject = 'dave'`, [issuer])
  expect(await isOperator()).toHaveLength(1)
  await expectAccessible(page)
  expect(await page.getByRole('button', { name: `Take the console from ${OPERATOR_SUBJECT}` }).count()).toBe(
    0,
  )
  await page.getByRole('button', { name: 'Take the console from dave' }).click()
  await page.getByText('dave no longer sees the console.').waitFor()
  expect(await isOperator()).toHaveLength(0)
  expect(await actionsOn('dave')).toEqual(
    by(OPERATOR_SUBJECT, 'make somebody an operator', 'take the console from somebody'),
  )
  expectNoOffence()
})
