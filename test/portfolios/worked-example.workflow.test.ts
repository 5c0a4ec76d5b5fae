import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { activeNetworks } from '../../activities/active-networks.ts'
import { createActivities } from '../../activities/create-activities.ts'
import { routes } from '../../api/routes.ts'
import { openDb } from '../../db/connect.ts'
import { createVault } from '../../db/exchanges/vault.ts'
import { markActiveNetworks } from '../../db/sources/write.ts'
import { COST_METHODS } from '../../db/pnl/lots/lot-pool.ts'
import { createSealingKey, sealingPublicKey } from '../../db/values/sealed-secret.ts'
import { binanceKeys } from '../../sandbox/exchanges/keys.ts'
import { runCommand } from '../cli/run-command.ts'
import { fixture } from '../pnl/worked-example.ts'
import { startChains } from '../sandbox/chains.ts'
import { startApi } from '../setup/api.ts'
import { testDatabase } from '../setup/database.ts'
import { startDispatchingWorker } from '../setup/dispatching-worker.ts'
import { query } from '../setup/query.ts'
import { startSandboxWorld } from '../setup/sandbox-world.ts'
import type { refreshPnl } from '../../workflows/pnl/refresh-pnl.ts'
import type { recomputePortfolio } from '../../workflows/portfolios/recompute-portfolio.ts'
import { oneTruth } from './one-truth.ts'
import { WALLET, writeWorkedExample } from './worked-example-chain.ts'
import { coinIdOf, exampleMounts, shiftedDate } from './worked-example-market.ts'

// The worked example from its sources to the responses: a client connects an exchange and two chains, an
// operator labels what a chain cannot tell, and the API returns the figures.

const database = await testDatabase()
const folder = mkdtempSync(join(tmpdir(), 'sluice-example-'))
const chains = await startChains(folder)
const sealingKey = createSealingKey()
const { deps } = await startSandboxWorld(database, {
  chains,
  env: { EXCHANGE_KEYS: sealingKey },
  mounts: exampleMounts(),
  clockRuns: true,
})
const activities = createActivities(deps)
const meter = openDb({ url: database.meterUrl, maxConnections: 2, applicationName: 'test' })
const vault = createVault({
  pool: meter.pool,
  publicKey: sealingPublicKey(sealingKey),
  waitMs: 60_000,
})
const api = await startApi({ database, routes, overrides: { vault, sandbox: true } })
const { key, accountId } = await api.newAccount({ plan: 'pro' })
const stops: (() => unknown)[] = [
  () => rmSync(folder, { recursive: true, force: true }),
  () => chains.stop(),
  () => meter.close(),
]
let hashes: Record<string, string>
let worker: Awaited<ReturnType<typeof startDispatchingWorker>>

beforeAll(async () => {
  // Operator commands run on this database.
  vi.stubEnv('DATABASE_URL', database.ownerUrl)
  hashes = await writeWorkedExample(chains)
  await markActiveNetworks(deps.db, activeNetworks(deps.config))
  await activities.refreshQuotes()
  await activities.refreshFiats()
  await activities.refreshListings()
  await activities.describeCoins({ limit: 10 })
  worker = await startDispatchingWorker({ taskQueue: 'worked-example-test', activities, deps })
  stops.push(() => worker.stop())
})
afterAll(async () => {
  vi.unstubAllEnvs()
  for (const stop of stops.reverse()) await stop()
})

async function call(path: string, body?: unknown) {
  const response = await api.get(
    path,
    key,
    body === undefined
      ? {}
      : { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) },
  )
  const answer = (await response.json()) as any
  expect([response.status, answer]).toEqual([200, answer])
  return answer
}

async function connect(path: string, body: unknown): Promise<string> {
  const { portfolioId, status } = await call(path, body)
  expect(status).toBe('connected')
  return portfolioId
}

async function synced(portfolioId: string): Promise<void> {
  for (let i = 0; i < 300; i++) {
    if ((await call(`/portfolio/status?portfolioId=${portfolioId}`)).status === 'synced') return
    await computeDue()
    await sleep(100)
  }
  throw new Error(`${portfolioId} is not synced`)
}

/** What the schedule of P&L does: prices that arrived after a sync change figures of its wallet. */
const computeDue = () => worker.run<typeof refreshPnl>('refreshPnl', { limit: 100 })

const ids: Record<string, string> = {}
const rounded = (value: number) => Number(value.toFixed(8))

/** The points of an endpoint for the days of the example. */
async function daysOf(scope: string) {
  const window = `interval=daily&from=${shiftedDate('2024-01-01')}&to=${shiftedDate('2024-01-10')}`
  const { result } = await call(`${scope}&${window}`)
  return (result as { date: string; profitLoss: number; profitLossPercent: number }[]).map((day) => ({
    date: day.date,
    profitLoss: rounded(day.profitLoss),
    profitLossPercent: rounded(day.profitLossPercent),
  }))
}

/** The expected points of a scope, from the first day on which it holds something. */
function expectedDays(scope: keyof typeof fixture.expected.daily) {
  const days = fixture.expected.daily[scope]
  return days.slice(days.findIndex(({ endValue }) => endValue !== '0')).map((day) => ({
    date: shiftedDate(day.date),
    profitLoss: rounded(Number(day.profitLoss)),
    profitLossPercent: rounded(Number(day.profitLossPercent)),
  }))
}

async function valueOf() {
  const { totalValue, unrealizedProfitLoss, realizedProfitLoss, allTimeProfitLoss } =
    await call('/portfolio/value')
  return [totalValue, realizedProfitLoss, unrealizedProfitLoss, allTimeProfitLoss].map(rounded)
}

/** Count, price, cost and profit of each coin, in USD. */
async function coinsByName() {
  const { result } = await call('/portfolio/coins')
  return Object.fromEntries(
    result.map(({ coin, count, price, totalCost, profit }: any) => [
      coin.identifier,
      [count, price.USD, totalCost.USD, profit.realized.USD, profit.unrealized.USD].map(rounded),
    ]),
  )
}

/** Polls while the worker computes. */
const eventually = <T>(read: () => Promise<T>) => expect.poll(read, { interval: 200 })

test('values the exchange and the wallet on both chains after a client connects them', async () => {
  const { apiKey, apiSecret } = binanceKeys[0]!
  ids['exchange'] = await connect('/portfolio/exchange', {
    connectionId: 'binance',
    connectionFields: { apiKey, apiSecret },
  })
  ids['ethereum'] = await connect('/portfolio/wallet', { address: WALLET, connectionId: 'ethereum' })
  ids['base'] = await connect('/portfolio/wallet', { address: WALLET, connectionId: 'base-wallet' })
  for (const id of Object.values(ids)) await synced(id)
  // Holdings need no labels. 1e12 SCAM has no trusted price and counts as 0.
  await eventually(async () => (await valueOf())[0]).toBe(12_137.5)
})

// SCAM needs no label: without a market price it has no value.
test('labels of an operator give the expected daily profit', async () => {
  const label = (transaction: string, role: string) =>
    runCommand('portfolios', 'label', ids['ethereum']!, hashes[transaction]!, role)
  // It arrived like any other token.
  await label('T5', 'airdrop')
  // An exchange of two tokens looks like a trade.
  await label('T7', 'wrap')
  await label('T13', 'wrap')
  // The fee of the bridge looks like a payment.
  await label('T8 fee', 'fee')
  await synced(ids['ethereum']!)
  await eventually(() => daysOf('/portfolio/pl/history?')).toEqual(expectedDays('portfolio'))
})

test('the daily profit is right for all portfolios, each portfolio and the wallet', async () => {
  const one = (name: string) => `/portfolio/pl/history?portfolioId=${ids[name]}`
  const scopes = [
    ['portfolio', '/portfolio/pl/history?', 9, 1_500.5],
    ['exchange', one('exchange'), 9, 673.2],
    ['wallet_ethereum', one('ethereum'), 7, 855.862],
    ['wallet_base', one('base'), 4, -29.358],
    ['wallet_all', `/wallet/pl/history?address=${WALLET}&connectionId=all`, 7, 827.3],
  ] as const
  for (const [scope, path, count, profit] of scopes) {
    const days = await daysOf(path)
    expect(days, scope).toEqual(expectedDays(scope))
    expect(days, scope).toHaveLength(count)
    expect(rounded(days.reduce((sum, day) => sum + day.profitLoss, 0)), scope).toBe(profit)
  }
})

test.each(COST_METHODS)(
  'by %s the cost, realised and unrealised profit of each coin are right',
  async (method) => {
    await runCommand('portfolios', 'method', method, '--account', accountId)
    const expected = fixture.expected.costBasis[method === 'average' ? 'avg' : method]
    const { realized, unrealized } = expected.totals
    await eventually(valueOf).toEqual([12_137.5, Number(realized), Number(unrealized), 1_500.5].map(rounded))
    const coins = Object.entries(expected.coins).map(([asset, coin]) => [
      coinIdOf(asset),
      [coin.count, coin.price, coin.totalCost, coin.realized, coin.unrealized].map((text) =>
        rounded(Number(text)),
      ),
    ])
    // SCAM has no market price and nothing was paid for it.
    const scam = [coinIdOf('SCAM'), [1e12, 0, 0, 0, 0]] as const
    expect(await coinsByName()).toEqual(Object.fromEntries([...coins, scam]))
  },
)

test('every endpoint gives the same sums', async () => {
  const { apiKey, apiSecret } = binanceKeys[0]!
  const { compared, differences } = await oneTruth({
    ask: call,
    wallets: {
      [ids['ethereum']!]: { address: WALLET, connectionId: 'ethereum' },
      [ids['base']!]: { address: WALLET, connectionId: 'base-wallet' },
    },
    exchanges: {
      [ids['exchange']!]: { connectionId: 'binance', connectionFields: { apiKey, apiSecret } },
    },
    hasDefi: false,
  })
  expect(differences).toEqual([])
  expect(compared).toBeGreaterThan(100)
})

/** Output of an operator command with --json, and its exit code. */
async function operator(...args: [string, ...string[]]): Promise<{ code: number; data: any }> {
  const printed: string[] = []
  const log = vi.spyOn(console, 'log').mockImplementation((line: string) => void printed.push(line))
  try {
    const code = await runCommand(...args, '--json')
    return { code, data: JSON.parse(printed.join('\n')) }
  } finally {
    log.mockRestore()
  }
}

test('another sync by the operator reports no new rows', async () => {
  for (const subject of [ids['exchange']!, ids['ethereum']!]) {
    const { code, data } = await operator('sync', subject)
    expect(code).toBe(0)
    expect(data).toEqual([expect.objectContaining({ added: 0, failure: null, from: expect.any(String) })])
    expect(data[0].rows).toBeGreaterThan(0)
  }
  const both = await operator('sync', WALLET)
  expect(both.data.map(({ name }: { name: string }) => name)).toEqual(['ethereum', 'base-wallet'])
})

test('`verify` recomputes everything, finds a changed digit and changes nothing', async () => {
  const settled = async () => {
    const { code, data } = await operator('verify', '--sample', '100')
    return [code, data.map(({ compared, differences }: any) => [compared > 0, differences])]
  }
  // The worker may still be processing the previous sync.
  await eventually(settled).toEqual([
    0,
    [
      [true, []],
      [true, []],
      [true, []],
      [true, []],
    ],
  ])
  const texts = () => query(database.ownerUrl, 'select * from pl_days order by book_id, at')
  const before = await texts()
  const [day] = await query<{ book_id: string; at: Date; value_usd: string }>(
    database.ownerUrl,
    'select book_id, at, value_usd from pl_days order by book_id, at desc limit 1',
  )
  const write = (value: string) =>
    query(database.ownerUrl, 'update pl_days set value_usd = $3 where book_id = $1 and at = $2', [
      day!.book_id,
      day!.at,
      value,
    ])
  await write(`${Number(day!.value_usd) + 1}`)
  const { code, data } = await operator('verify', '--sample', '100')
  expect(code).toBe(1)
  expect(data[2].differences).toEqual([
    expect.stringMatching(/^book \d+ .*: stored .*value_usd.*, computed /),
  ])
  await write(day!.value_usd)
  expect(await texts()).toEqual(before)
})

test('the recompute of a portfolio that was removed meanwhile ends, and leaves nothing', async () => {
  const books = () => query(database.ownerUrl, 'select id from books order by id')
  const before = await books()
  await worker.run<typeof recomputePortfolio>('recomputePortfolio', { portfolioId: randomUUID() })
  expect(await books()).toEqual(before)
})
