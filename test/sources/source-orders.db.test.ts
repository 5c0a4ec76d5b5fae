import { userInfo } from 'node:os'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { keepAllowances } from '../../activities/source-allowances.ts'
import { createSourceGate } from '../../activities/source-gate.ts'
import { createSourceOrders } from '../../activities/source-orders.ts'
import { createNodeBudget } from '../../activities/nodes/node-budget.ts'
import { planOf } from '../../activities/nodes/node-plans.ts'
import { createNodePool } from '../../activities/nodes/node-pool.ts'
import { createUsageCounts } from '../../activities/usage-counts.ts'
import { openDb } from '../../db/connect.ts'
import { insertSources } from '../console/console-data.ts'
import { runCommand } from '../cli/run-command.ts'
import { testDatabase } from '../setup/database.ts'
import { query } from '../setup/query.ts'

const database = await testDatabase()
const { db, close } = openDb({ url: database.ingestUrl, maxConnections: 4, applicationName: 'test' })
const owner = openDb({ url: database.ownerUrl, maxConnections: 1, applicationName: 'test' })
const now = () => new Date('2026-11-28T23:59:00Z')
const NODE = 'ethereum node.example'

beforeAll(async () => {
  vi.stubEnv('DATABASE_URL', database.ownerUrl)
  await insertSources(owner.db)
  await query(database.ownerUrl, `insert into sources (name, area) values ('${NODE}', 'nodes')`)
})
afterAll(async () => {
  vi.unstubAllEnvs()
  await Promise.all([close(), owner.close()])
})

/** A worker that started before the orders. */
function worker() {
  const orders = createSourceOrders({ db, freshMs: 0 })
  const limits = { coingecko: { requestsPerSecond: 1_000, burst: 1_000 } }
  return keepAllowances(createSourceGate({ db, limits, orders, maxWaitMs: 0 }), {
    allowances: new Map(),
    orders,
    usage: createUsageCounts(now),
    now,
  })
}

async function sluice(...args: [string, ...string[]]): Promise<unknown> {
  const log = vi.spyOn(console, 'log').mockImplementation(() => {})
  try {
    await runCommand(...args, '--json')
    return JSON.parse(log.mock.calls.join('\n'))
  } finally {
    log.mockRestore()
  }
}

async function sentBy(gate: ReturnType<typeof worker>, most: number): Promise<number | string> {
  for (let sent = 0; sent < most; sent++)
    try {
      await gate.admit('coingecko')
    } catch (error) {
      return sent === 0 ? (error as Error).message : sent
    }
  return most
}

test('an operator pauses, limits and resumes a source in workers that run already, by sluice, with a row for each', async () => {
  const [first, second] = [worker(), worker()]
  expect(await sentBy(first, 20)).toBe(20)
  expect(await sluice('sources', 'pause', 'coingecko')).toEqual({
    source: 'coingecko',
    paused: true,
    changed: true,
  })
  for (const gate of [first, second])
    expect(await sentBy(gate, 1)).toBe('coingecko: an operator has paused it')
  expect(await sluice('sources', 'pause', 'coingecko')).toMatchObject({ changed: false })

  await sluice('sources', 'resume', 'coingecko')
  await sluice('sources', 'limit', 'coingecko', '--rate', '0.001', '--burst', '4')
  await query(database.ownerUrl, `update source_states set next_request_at = '-infinity'`)
  // Both workers share the four.
  expect(await sentBy(first, 3)).toBe(3)
  expect(await sentBy(second, 20)).toBe(1)

  await sluice('sources', 'limit', 'coingecko', '--units', '5', '--per', 'day')
  await query(database.ownerUrl, `update source_states set next_request_at = '-infinity'`)
  expect(await sentBy(worker(), 20)).toBe(5)
  await sluice('sources', 'limit', 'coingecko')
  expect(await sentBy(first, 30)).toBe(30)

  const rows = await query(
    database.ownerUrl,
    `select operator, action from operator_actions where subject = 'coingecko' order by id`,
  )
  expect(rows).toEqual(
    [
      'pause a source',
      'resume a source',
      'limit a source to 0.001 requests a second, 4 at once',
      'limit a source to its usual rate, 5 a day',
      'limit a source to its usual rate',
    ].map((action) => ({ operator: userInfo().username, action })),
  )
})

test('a node is paused and gets another budget, and its rate stays that of its plan', async () => {
  const url = 'http://node.example'
  const orders = createSourceOrders({ db, freshMs: 0 })
  const usage = createUsageCounts(now)
  const pool = createNodePool({ networkId: 'ethereum', chainId: 1, urls: [url], usage, orders, now })
  await sluice('sources', 'pause', NODE)
  await orders.ready()
  expect(pool.usable('wallets')).toEqual([])
  expect(pool.shortage('wallets')).toBe('node.example: an operator has paused it')
  await sluice('sources', 'resume', NODE)
  await orders.ready()
  expect(pool.usable('wallets')).toHaveLength(1)

  const plan = planOf(url, new Map())
  const ordered = () => orders.of(NODE)?.quota
  const budget = createNodeBudget({ plan, source: 'rpc:ethereum', usage, ordered, now })
  expect(budget.isSpent('wallets')).toBe(false)
  await sluice('sources', 'limit', NODE, '--units', '0', '--per', 'day')
  await orders.ready()
  expect(budget.isSpent('wallets')).toBe(true)
  await expect(sluice('sources', 'limit', NODE, '--rate', '5')).rejects.toThrow('NODE_BUDGETS sets its rate')
})

test('a source that does not exist gets no order, and the nearest one is named', async () => {
  await expect(sluice('sources', 'pause', 'coingeko')).rejects.toThrow(
    'no source coingeko; did you mean "coingecko"?',
  )
  await expect(sluice('sources', 'limit', 'coingecko', '--rate', 'fast')).rejects.toThrow(
    '--rate must be a number of more than 0',
  )
  expect(await query(database.ownerUrl, `select from source_orders where source = 'coingeko'`)).toEqual([])
})
