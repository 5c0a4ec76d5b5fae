import { randomUUID } from 'node:crypto'
import { userInfo } from 'node:os'
import { Client, Connection } from '@temporalio/client'
import { afterAll, beforeAll, expect, inject, test, vi } from 'vitest'
import { ensureSchedules } from '../../activities/ensure-schedules.ts'
import { OPERATOR_SUBJECT } from '../../db/values/demo-names.ts'
import { createTemporal } from '../../web/console/temporal.ts'
import { expectAccessible, expectNames, expectToFit, openBrowser } from '../account/browser.ts'
import { runCommand } from '../cli/run-command.ts'
import { query } from '../setup/query.ts'
import '../setup/provided.ts'
import { insertSources } from './console-data.ts'
import { startOperatorWorld } from './operator-world.ts'

const now = () => new Date()
const temporal = createTemporal({
  address: inject('temporalAddress'),
  namespace: 'default',
  uiUrl: null,
  now,
})
const { api, url, signIn, actionsOn, database } = await startOperatorWorld({ temporal })
const { newPage, expectNoOffence } = await openBrowser()
const client = new Client({ connection: await Connection.connect({ address: inject('temporalAddress') }) })
const id = `nightly-${randomUUID().slice(0, 8)}`
const byOperator = (...actions: string[]) => actions.map((action) => ({ operator: OPERATOR_SUBJECT, action }))

beforeAll(async () => {
  await insertSources(api.owner)
  await ensureSchedules({
    client,
    taskQueue: 'nobody',
    known: new Set(),
    schedules: [
      {
        id,
        workflow: 'refreshCoins',
        everySeconds: 3_600,
        jitterSeconds: 0,
        input: null,
        sources: ['decrypt'],
      },
    ],
  })
  await client.schedule.getHandle(id).unpause()
})
afterAll(async () => {
  await client.schedule.getHandle(id).delete()
  await temporal.close()
  await client.connection.close()
})

/** Nobody serves their task queue. */
async function endRuns(): Promise<void> {
  const running = client.workflow.list({ query: `TaskQueue = 'nobody' AND ExecutionStatus = 'Running'` })
  for await (const { workflowId } of running)
    if (workflowId.startsWith(id)) await client.workflow.getHandle(workflowId).terminate()
}

test('an operator pauses a source, changes its rate and budget, and resumes it; each leaves a row', async () => {
  const page = await newPage({ width: 360 })
  await signIn(page)
  await page.getByRole('table', { name: 'Sources of news' }).getByRole('link', { name: 'decrypt' }).click()
  await page.getByRole('heading', { level: 1, name: 'decrypt' }).waitFor()
  await page.getByRole('button', { name: 'Pause decrypt' }).click()
  await page.getByText('No worker asks it until somebody resumes it.').waitFor()
  await page.getByText('paused by an operator').waitFor()
  await expectToFit(page)
  await expectNames(page)
  await expectAccessible(page)

  await page.getByLabel('Requests a second').fill('0.25')
  await page.getByLabel('Requests at once').fill('3')
  await page.getByLabel('Budget in requests').fill('500')
  await page.getByLabel('for each').selectOption('day')
  await page.getByRole('button', { name: 'Change rate and budget' }).click()
  await page.getByText('All workers keep to it within seconds.').waitFor()
  await page.getByText('500 of 500 this day').waitFor()
  await page.getByRole('button', { name: 'Resume decrypt' }).click()
  await page.getByText('Workers ask it again.').waitFor()
  expect(await query(database.ownerUrl, `select * from source_orders where source = 'decrypt'`)).toEqual([
    {
      source: 'decrypt',
      is_paused: false,
      requests_per_second: 0.25,
      burst: 3,
      quota: '500',
      quota_per: 'day',
    },
  ])
  expect(await actionsOn('decrypt')).toEqual(
    byOperator(
      'pause a source',
      'limit a source to 0.25 requests a second, 3 at once, 500 a day',
      'resume a source',
    ),
  )
  expectNoOffence()
})

test('an operator pauses, starts and resumes a schedule of Temporal; each leaves a row', async () => {
  const page = await newPage({ width: 1_280 })
  await signIn(page)
  await page.getByRole('navigation').getByRole('link', { name: 'Schedules' }).click()
  const schedule = async () => (await client.schedule.getHandle(id).describe()).state
  await page.getByRole('button', { name: `Pause ${id}` }).click()
  await page.getByText(`${id} is paused until somebody resumes it.`).waitFor()
  expect(await schedule()).toMatchObject({ paused: true, note: `by ${OPERATOR_SUBJECT}` })
  await expectAccessible(page)
  await page.getByRole('button', { name: `Start now ${id}` }).click()
  await page.getByText(`${id} starts now.`).waitFor()
  const started = async () => (await client.schedule.getHandle(id).describe()).info.recentActions.length
  await expect.poll(started).toBe(1)
  // Temporal's list shows the pause a moment later.
  await expect
    .poll(async () => {
      await page.reload()
      return page.getByRole('button', { name: `Resume ${id}` }).count()
    })
    .toBe(1)
  await page.getByRole('button', { name: `Resume ${id}` }).click()
  await page.getByText(`${id} starts again when it is due.`).waitFor()
  expect((await schedule()).paused).toBe(false)
  expect(await actionsOn(id)).toEqual(
    byOperator('pause a schedule', 'trigger a schedule', 'resume a schedule'),
  )
  await endRuns()
  expectNoOffence()
})

test('an operator runs what asks a source, by button and by sluice; each leaves a row', async () => {
  const startsOf = async () => (await client.schedule.getHandle(id).describe()).info.recentActions.length
  const before = { starts: await startsOf(), actions: (await actionsOn('decrypt')).length }
  const page = await newPage({ width: 360 })
  await signIn(page)
  await page.goto(`${url}/console/sources/decrypt`)
  await page.getByRole('button', { name: 'Run now what asks decrypt' }).click()
  await page.getByText(/^Started: .*nightly-/).waitFor()
  await expect.poll(startsOf).toBe(before.starts + 1)
  await expectNames(page)
  await expectAccessible(page)
  await page.goto(`${url}/console/sources/coingecko`)
  await page.getByRole('button', { name: 'Run now what asks coingecko' }).waitFor()
  expectNoOffence()

  vi.stubEnv('DATABASE_URL', database.ownerUrl)
  vi.stubEnv('TEMPORAL_ADDRESS', inject('temporalAddress'))
  const log = vi.spyOn(console, 'log').mockImplementation(() => {})
  try {
    await runCommand('sources', 'trigger', 'decrypt', '--json')
    expect(JSON.parse(log.mock.calls.join('\n'))).toEqual({
      source: 'decrypt',
      schedules: expect.arrayContaining([id]),
    })
    await expect(runCommand('sources', 'trigger', 'nobody')).rejects.toThrow('no source nobody')
  } finally {
    log.mockRestore()
    vi.unstubAllEnvs()
  }
  const action = 'run the schedules of a source'
  expect((await actionsOn('decrypt')).slice(before.actions)).toEqual([
    { operator: OPERATOR_SUBJECT, action },
    { operator: userInfo().username, action },
  ])
  await endRuns()
})

test('pages are smaller than 50 kB', async () => {
  const page = await newPage({ width: 1_280 })
  await signIn(page)
  for (const path of ['/console/schedules', '/console/sources/coingecko']) {
    const response = await page.goto(url + path)
    expect([path, (await response!.body()).length]).toEqual([
      path,
      expect.toSatisfy((n: number) => n < 50_000),
    ])
  }
})
