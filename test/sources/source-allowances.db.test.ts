import { pino } from 'pino'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import type { SourceWork } from '../../activities/area.ts'
import { SourceUnavailable } from '../../activities/errors.ts'
import { keepAllowances, sourceAllowances, sourceWork } from '../../activities/source-allowances.ts'
import { createSourceGate } from '../../activities/source-gate.ts'
import { createNodeBudget } from '../../activities/nodes/node-budget.ts'
import { planOf } from '../../activities/nodes/node-plans.ts'
import { allSourceSettings, unitsOf } from '../../activities/source-settings.ts'
import { createSourceUsage } from '../../activities/source-usage.ts'
import { openDb } from '../../db/connect.ts'
import { testDatabase } from '../setup/database.ts'
import { query } from '../setup/query.ts'

const database = await testDatabase()
const { db, pool, close } = openDb({ url: database.ingestUrl, maxConnections: 4, applicationName: 'test' })
afterAll(close)

const LIMIT = { requestsPerSecond: 10_000, burst: 10_000 }
const log = pino({ level: 'silent' })
let now: Date

beforeEach(async () => {
  now = new Date('2026-11-26T12:00:00Z')
  await query(database.ownerUrl, 'truncate source_usage, source_states')
})

function worker() {
  const usage = createSourceUsage({ pool, now: () => now, log })
  const limits = { daily: LIMIT, monthly: LIMIT, free: LIMIT, slow: { requestsPerSecond: 0.01, burst: 1 } }
  const gate = keepAllowances(createSourceGate({ db, limits, maxWaitMs: 0 }), {
    allowances: new Map([
      ['daily', { account: 'daily', units: 100, per: 'day', unit: 'requests' }],
      ['monthly', { account: 'monthly', units: 300, per: 'month', unit: 'requests' }],
      ['slow', { account: 'slow', units: 100, per: 'day', unit: 'requests' }],
    ]),
    usage,
    now: () => now,
  })
  const ask = (source: string, work?: SourceWork) =>
    work ? sourceWork.run(work, () => gate.admit(source)) : gate.admit(source)

  /** Requests until one is refused. */
  async function spend(source: string, work?: SourceWork): Promise<{ sent: number; waitMs: number | null }> {
    for (let sent = 0; ; sent++)
      try {
        await ask(source, work)
      } catch (error) {
        if (!(error instanceof SourceUnavailable)) throw error
        return { sent, waitMs: error.retryAfterMs }
      }
  }
  return { usage, ask, spend }
}

const HOUR = 3_600_000

describe('an allowance of a day', () => {
  test('is left to the more urgent by the less urgent', async () => {
    const { spend } = worker()
    now = new Date('2026-11-26T23:59:59Z')
    // A second before the next day everything has its time.
    expect(await spend('daily', 'refresh')).toEqual({ sent: 70, waitMs: 1_000 })
    expect(await spend('daily', 'history')).toEqual({ sent: 10, waitMs: 1_000 })
    expect(await spend('daily', 'heads')).toEqual({ sent: 15, waitMs: 1_000 })
    // Outside of an activity an operator waits.
    expect(await spend('daily')).toEqual({ sent: 5, waitMs: 1_000 })
    now = new Date('2026-11-27T23:59:59Z')
    expect((await spend('daily', 'heads')).sent).toBe(95)
  })

  test('is spent no faster than the day passes, and what is current begins with a quarter', async () => {
    const { spend } = worker()
    // At noon: a 24th of 80 that the day began with, and half of the rest.
    expect(await spend('daily', 'history')).toMatchObject({ sent: 42 })
    // A quarter of 95, and half of the rest.
    expect((await spend('daily', 'heads')).sent).toBe(60 - 42)
    now = new Date('2026-11-26T17:30:00Z')
    expect((await spend('daily', 'history')).sent).toBe(0)
  })

  test('that is too small for what is current is spent evenly, so that no part of the day is dark', async () => {
    const { ask } = worker()
    const answered: number[] = []
    // Twelve runs an hour of one request each, three times what the day has.
    for (let run = 0; run < 288; run++) {
      now = new Date(Date.parse('2026-11-26T00:00:00Z') + (run * HOUR) / 12)
      await ask('daily', 'heads').then(
        () => answered.push(run),
        () => {},
      )
    }
    expect(answered.length).toBeGreaterThanOrEqual(94)
    const gaps = [...answered.slice(1), 288].map((run, i) => run - answered[i]!)
    // Never older than 25 minutes, until midnight.
    expect(Math.max(...gaps)).toBeLessThanOrEqual(5)
  })

  test('says when the next request may be sent', async () => {
    const { spend, ask } = worker()
    const { waitMs } = await spend('daily', 'history')
    now = new Date(now.getTime() + waitMs! - 1_000)
    await expect(ask('daily', 'history')).rejects.toThrow('its 100 requests a day leave none for history now')
    now = new Date(now.getTime() + 1_000)
    await ask('daily', 'history')
  })
})

test('of an allowance of a month each day has its part, and somebody who waits may have more', async () => {
  const { spend } = worker()
  now = new Date('2026-11-01T23:59:59Z')
  expect(await spend('monthly', 'heads')).toEqual({ sent: 10, waitMs: 1_000 })
  expect((await spend('monthly', 'waiting')).sent).toBe(290)
  now = new Date('2026-11-30T23:59:00Z')
  expect((await spend('monthly', 'waiting')).sent).toBe(0)
  now = new Date('2026-12-01T00:00:00Z')
  expect((await spend('monthly', 'waiting')).sent).toBe(300)
})

test('workers spend one allowance, also after a start', async () => {
  const [one, other] = [worker(), worker()]
  now = new Date('2026-11-26T23:59:59Z')
  for (let i = 0; i < 60; i++) await one.ask('daily', 'heads')
  await one.usage.share()
  expect((await other.spend('daily', 'heads')).sent).toBe(35)
  await other.usage.share()
  expect((await worker().spend('daily', 'heads')).sent).toBe(0)
})

test('a source without an allowance is only kept to its rate, and a request without a turn is not counted', async () => {
  const { ask, usage } = worker()
  for (let i = 0; i < 150; i++) await ask('free', 'refresh')
  await ask('slow', 'heads')
  await expect(ask('slow', 'heads')).rejects.toThrow('no turn')
  expect(usage.spent({ account: 'slow', work: 'heads' })).toEqual({ day: 1, month: 1 })
  await usage.share()
  expect(await query(database.ownerUrl, 'select account, requests::int from source_usage')).toEqual([
    { account: 'slow', requests: 1 },
  ])
})

test('the allowances are those of free plans, for default addresses alone', () => {
  const settings = (env: Record<string, string>) =>
    sourceAllowances(allSourceSettings({ SOURCES: 'live', ...env }))
  expect(settings({ COINGECKO_API_KEY: 'key' }).get('coingecko')).toMatchObject({
    units: 10_000,
    per: 'month',
  })
  expect(settings({}).get('etherscan')).toBe(undefined)
  const paid = { COINGECKO_API_KEY: 'key', COINGECKO_URL: 'https://pro-api.coingecko.com/api/v3' }
  expect(settings(paid).get('coingecko')).toBe(undefined)
  expect(settings({ COINMARKETCAP_API_KEY: 'key' }).get('coinmarketcap')).toMatchObject({
    units: 15_000,
    per: 'month',
  })
  expect(settings({}).get('routescan')).toMatchObject({ units: 10_000, per: 'day' })
  expect(settings({ ROUTESCAN_API_KEY: 'key' }).get('routescan')).toMatchObject({
    units: 100_000,
    per: 'day',
  })
})

test('Alchemy’s NFTs spend compute units of the same account as its nodes', () => {
  const shared = (env: Record<string, string>) =>
    sourceAllowances(allSourceSettings({ SOURCES: 'live', ALCHEMY_API_KEY: 'key', ...env })).get(
      'alchemy-nft',
    )
  expect(shared({})).toEqual({
    account: 'alchemy.com',
    units: 30_000_000,
    per: 'month',
    unit: 'compute units',
  })
  expect(shared({ NODE_BUDGETS: 'alchemy.com=5000000' })).toMatchObject({ units: 5_000_000, per: 'day' })
  const url = 'https://eth-mainnet.g.alchemy.com/nft/v3/key'
  expect(unitsOf('alchemy-nft', `${url}/getFloorPrice?contractAddress=0x1`)).toBe(80)
  expect(unitsOf('alchemy-nft', `${url}/getNFTsForContract?limit=100`)).toBe(480)
  expect(unitsOf('coingecko', 'https://api.coingecko.com/api/v3/coins/list')).toBe(1)
})

test('what a source spends of an account is missing to its nodes, and the other way round', async () => {
  const usage = createSourceUsage({ pool, now: () => now, log })
  const account = { account: 'vendor.example', units: 1_000, per: 'day', unit: 'units' } as const
  const gate = keepAllowances(createSourceGate({ db, limits: { nfts: LIMIT } }), {
    allowances: new Map([['nfts', account]]),
    unitsOf: () => 300,
    usage,
    now: () => now,
  })
  const ask = () => sourceWork.run('heads', () => gate.admit('nfts', 'https://vendor.example/call'))
  const plan = { ...planOf('https://vendor.example', new Map()), allowance: account }
  const node = createNodeBudget({ plan, source: 'rpc:ethereum', usage, now: () => now })
  const calls = (count: number) => Array.from({ length: count }, () => ({ method: 'eth_call', params: [] }))

  await ask()
  await ask()
  node.count('heads', calls(350))
  expect(usage.spent({ account: 'vendor.example' })).toEqual({ day: 950, month: 950 })
  await expect(ask()).rejects.toThrow('its 1000 units a day leave none for heads now')
  expect(node.isSpent('history')).toBe(false)
  node.count('heads', calls(50))
  expect(node.isSpent('history')).toBe(true)
})
