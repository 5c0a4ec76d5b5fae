import { randomUUID } from 'node:crypto'
import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { ApplicationFailure } from '@temporalio/common'
import { afterAll, beforeAll, expect, inject, test, vi } from 'vitest'
import { declareAttributes } from '../../activities/run-attributes.ts'
import { orderedRun } from '../../activities/run-options.ts'
import { OPERATOR_SUBJECT } from '../../db/values/demo-names.ts'
import { createTemporal } from '../../web/console/temporal.ts'
import { expectAccessible, expectNames, expectToFit, openBrowser } from '../account/browser.ts'
import { runCommand } from '../cli/run-command.ts'
import { query } from '../setup/query.ts'
import {
  activateNetworks,
  address,
  hash,
  insertTransactions,
  insertWallet,
} from '../setup/wallet-factories.ts'
import { startWorker } from '../setup/worker.ts'
import { startOperatorWorld } from './operator-world.ts'

const folder = mkdtempSync(join(tmpdir(), 'sluice-logs-'))
const now = () => new Date()
const temporal = createTemporal({
  address: inject('temporalAddress'),
  namespace: 'default',
  uiUrl: null,
  now,
})
const { api, url, signIn, actionsOn, database } = await startOperatorWorld({ temporal, logFolder: folder })
const { newPage, expectNoOffence } = await openBrowser()
let answers = false
const worker = await startWorker({
  taskQueue: `repairs-${randomUUID()}`,
  activities: {
    refreshFiats: () => {
      if (answers) return 7
      throw ApplicationFailure.nonRetryable('frankfurter: status 500', 'SourceRejected')
    },
  },
})
const WALLET = address(0x5e1f)
const write = <T extends object>(sql: string, values: unknown[] = []) =>
  query<T>(database.ownerUrl, sql, values)

beforeAll(() => {
  vi.stubEnv('DATABASE_URL', database.ownerUrl)
  vi.stubEnv('TEMPORAL_ADDRESS', inject('temporalAddress'))
  vi.stubEnv('LOG_FOLDER', folder)
})
afterAll(async () => {
  vi.unstubAllEnvs()
  await worker.stop()
  await temporal.close()
  rmSync(folder, { recursive: true })
})

async function sluice(...args: [string, ...string[]]): Promise<string> {
  const log = vi.spyOn(console, 'log').mockImplementation(() => {})
  try {
    await runCommand(...args)
    return log.mock.calls.join('\n')
  } finally {
    log.mockRestore()
  }
}
const json = async <T>(...args: [string, ...string[]]) => JSON.parse(await sluice(...args, '--json')) as T

/** Starts the workflow, which fails, and waits until Temporal's list shows it. */
async function fail(workflowId: string): Promise<string> {
  const { taskQueue, client } = worker
  const handle = await client.workflow.start('refreshFiats', { taskQueue, workflowId, args: [] })
  await expect(handle.result()).rejects.toThrow()
  const listed = async () => JSON.stringify((await temporal.read())?.failed ?? [])
  await expect.poll(listed).toContain(handle.firstExecutionRunId)
  return handle.firstExecutionRunId
}

const logLine = (fields: object) =>
  `${JSON.stringify({ time: Date.parse('2026-11-28T10:00:00Z'), level: 40, name: 'worker', ...fields })}\n`

test('an operator reads why a workflow failed, with its last log lines, and runs it again', async () => {
  const id = `fiats-${randomUUID()}`
  const runId = await fail(id)
  writeFileSync(
    join(folder, 'worker.log'),
    logLine({ msg: 'no rates <b>today</b>', source: 'frankfurter', runId, attempt: 1 }) +
      logLine({ msg: 'another run', runId: randomUUID() }),
  )
  const page = await newPage({ width: 360 })
  await signIn(page)
  await page
    .getByRole('table', { name: 'Workflows that failed' })
    .getByRole('link', { name: id.slice(0, 20) })
    .click()
  await page.getByRole('heading', { level: 1, name: 'refreshFiats' }).waitFor()
  await page.getByText('frankfurter: status 500').waitFor()
  await page.getByText('refreshFiats, tried once').waitFor()
  const lines = (await page.getByRole('region', { name: 'Lines' }).textContent())!
  expect(lines).toContain('warn worker: no rates <b>today</b> source="frankfurter"')
  expect(lines).not.toContain('another run')
  await expectToFit(page)
  await expectNames(page)
  await expectAccessible(page)

  answers = true
  await page.getByRole('button', { name: 'Run it again' }).click()
  await page.getByText('It runs again, with the same input.').waitFor()
  expect(await worker.client.workflow.getHandle(id).result()).toBe(7)
  expect(await actionsOn(id)).toEqual([{ operator: OPERATOR_SUBJECT, action: 'run a workflow again' }])
  expectNoOffence()
})

test('sluice says why a workflow failed and runs it again, once', async () => {
  answers = false
  const id = `fiats-${randomUUID()}`
  const runId = await fail(id)
  const failed = await json<{ runId: string; endedAt: string }[]>('workflows', 'failed')
  const mine = failed.find((one) => one.runId === runId)!
  expect(new Date(mine.endedAt).getTime()).toBeGreaterThan(Date.now() - 600_000)
  expect(await json('workflows', 'show', runId)).toMatchObject({
    workflowId: id,
    status: 'FAILED',
    reasons: [expect.stringContaining('Activity'), 'frankfurter: status 500'],
    activity: 'refreshFiats',
    tries: 1,
  })
  answers = true
  expect(await json('workflows', 'run-again', runId)).toEqual({ run: runId, result: 'started' })
  expect(await worker.client.workflow.getHandle(id).result()).toBe(7)
  await expect(sluice('workflows', 'run-again', randomUUID())).rejects.toThrow('no failed run')
  expect(await actionsOn(id)).toEqual([{ operator: userInfo().username, action: 'run a workflow again' }])
})

test('an operator syncs a wallet and sees rows, rate and time left until it is done', async () => {
  await activateNetworks(api.owner, ['ethereum'])
  const page = await newPage({ width: 360 })
  await signIn(page)
  await page.getByRole('navigation').getByRole('link', { name: 'Syncs' }).click()
  await page.getByLabel('Address of a wallet').fill('nonsense')
  await page.getByRole('button', { name: 'Sync' }).click()
  await page.getByText('Nonsense is neither an address nor the id of a portfolio.').waitFor()
  await page.goto(`${url}/console/syncs`)
  await page.getByLabel('Address of a wallet').fill(WALLET)
  await page.getByRole('button', { name: 'Sync' }).click()
  await page.getByText('The sync is asked for: ethereum.').waitFor()
  const progress = page.getByRole('table', { name: 'Progress' }).getByRole('row', { name: /ethereum/ })
  await progress.getByText('waiting').waitFor()
  expect(await write('select workflow, input from outbox')).toEqual([
    { workflow: 'syncWallet', input: { address: WALLET, networkId: 'ethereum' } },
  ])
  expect(await actionsOn(WALLET)).toEqual([
    { operator: OPERATOR_SUBJECT, action: 'sync a wallet on ethereum' },
  ])

  // What the worker writes while it reads.
  await write('update outbox set dispatched_at = now()')
  const walletId = await insertWallet(api.owner, { address: WALLET, syncs: { ethereum: null } })
  const seed = { networkId: 'ethereum', at: new Date('2026-11-01'), hash: hash(1) }
  await insertTransactions(api.owner, { walletId, transactions: [seed] })
  await write('update wallet_syncs set head_block = 1000, cursor_block = 400 where wallet_id = $1', [
    walletId,
  ])
  await progress.getByText('reading').waitFor()
  await progress.getByText('20 %').waitFor()
  await progress.getByText(/rows a second/).waitFor()
  expect(await progress.locator('[data-name="Rows"]').textContent()).toBe('1')
  expect(await progress.locator('[data-name="Time left"]').textContent()).toMatch(/^\d+ (s|min)$/)
  await expectToFit(page)
  await expectNames(page)
  await expectAccessible(page)
  await write('update wallet_syncs set cursor_block = 1000, synced_at = now() where wallet_id = $1', [
    walletId,
  ])
  await progress.getByText('synced').waitFor()
  expectNoOffence()
})

test('logs are filtered by request, wallet and source, and new lines appear', async () => {
  writeFileSync(
    join(folder, 'api.log'),
    `${logLine({ msg: 'slow answer', requestId: 'req-1' })}plain text\n${logLine({ msg: 'fast answer', requestId: 'req-2' })}`,
  )
  appendFileSync(
    join(folder, 'worker.log'),
    logLine({ msg: 'kraken: status 500', workflowId: `sync:${WALLET}:ethereum` }) +
      logLine({ msg: 'kraken-ohlc: status 429' }),
  )
  const page = await newPage({ width: 1_280 })
  await signIn(page)
  await page.getByRole('navigation').getByRole('link', { name: 'Logs' }).click()
  const lines = async () => page.getByRole('region', { name: 'Lines' }).textContent()
  await page.getByLabel('Request').fill('req-1')
  await page.getByRole('button', { name: 'Show' }).click()
  await expect.poll(lines).toMatch(/^2026-11-28T10:00:00\.000Z warn api: slow answer requestId="req-1"$/)
  await page.getByLabel('Request').fill('')
  await page.getByLabel('Wallet').fill(WALLET.toUpperCase().replace('0X', '0x'))
  await page.getByRole('button', { name: 'Show' }).click()
  await expect.poll(lines).toMatch(/worker: kraken: status 500 workflowId="sync:0x[0-9a-f]+:ethereum"$/)
  await page.getByLabel('Wallet').fill('')
  await page.getByLabel('Source').fill('kraken')
  await page.getByRole('button', { name: 'Show' }).click()
  await expect.poll(lines).not.toContain('kraken-ohlc')
  appendFileSync(join(folder, 'worker.log'), logLine({ msg: 'asked again', source: 'kraken' }))
  await expect.poll(lines).toContain('asked again')
  await expectAccessible(page)

  const printed = await json<{ message: string; at: string; level: string }>('logs', '--request', 'req-2')
  expect(printed).toMatchObject({
    message: 'fast answer',
    at: '2026-11-28T10:00:00.000Z',
    level: 'warn',
    process: 'api',
  })
  expect(await sluice('logs', 'api', '--limit', '2')).toContain('api: plain text')
  await expect(sluice('logs', 'wrker')).rejects.toThrow('no process wrker; did you mean "worker"?')
  expectNoOffence()
})

test('an operator finds the runs of a wallet and of an account, in the console without their names', async () => {
  const { taskQueue, client } = worker
  const known = await declareAttributes(client)
  const [account, wallet] = [randomUUID(), address(0x5eed)]
  const input = { address: wallet, networkId: 'ethereum' }
  // No activity of it is served here, so that it goes on running.
  const run = await client.workflow.start('syncWallet', {
    taskQueue: `nobody-${taskQueue}`,
    workflowId: `sync:${wallet}:ethereum`,
    args: [input],
    ...orderedRun({ workflow: 'syncWallet', input, accountId: account }, known),
  })
  const found = (...options: string[]) =>
    json<{ workflowId: string; status: string }[]>('workflows', 'list', ...options)
  const both = ['--account', account, '--wallet', wallet, '--area', 'chain', '--network', 'ethereum']
  const expected = [{ workflowId: `sync:${wallet}:ethereum`, status: 'RUNNING' }]
  await expect.poll(() => found(...both, '--state', 'running')).toMatchObject(expected)
  expect(await found('--account', account, '--source', 'kraken')).toEqual([])

  const page = await newPage({ width: 1280 })
  await signIn(page)
  await page.getByRole('link', { name: 'Workflows', exact: true }).click()
  await page.getByLabel('Account').fill(account)
  await page.getByRole('button', { name: 'Find' }).click()
  const table = page.getByRole('table', { name: 'Runs, newest first' })
  await table.getByText('sync:…').waitFor()
  expect(await table.textContent()).not.toContain(wallet)
  await expectAccessible(page)
  await expectNames(page)
  await page.getByLabel('State').selectOption('failed')
  await page.getByRole('button', { name: 'Find' }).click()
  await page.getByText('No run is found.').waitFor()
  expectNoOffence()
  await run.terminate()
})
