import { pino } from 'pino'
import { afterAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { createNodes } from '../../activities/nodes/create-nodes.ts'
import { createSourceUsage } from '../../activities/source-usage.ts'
import type { SourceUsage } from '../../activities/source-usage.ts'
import { openDb } from '../../db/connect.ts'
import { testDatabase } from '../setup/database.ts'
import { query } from '../setup/query.ts'
import { stopLater } from '../upstreams/actors.ts'
import { createClock } from '../upstreams/double.ts'
import { anyNode } from '../upstreams/nodes/any-node.ts'
import { createMemoryChain } from '../upstreams/nodes/chain.ts'
import { startNode } from '../upstreams/nodes/node-double.ts'

// Workers of one installation, which spend the allowances of sources together.

const database = await testDatabase()
const { pool, close } = openDb({ url: database.ingestUrl, maxConnections: 4, applicationName: 'test' })
afterAll(close)
beforeEach(() => query(database.ownerUrl, 'truncate source_usage'))

const log = pino({ level: 'silent' })
let now = new Date('2026-11-26T12:00:00Z')

async function worker(): Promise<SourceUsage> {
  const usage = createSourceUsage({ pool, now: () => now, log })
  await usage.ready()
  return usage
}

const of = { account: 'vendor.example', source: 'rpc:ethereum', work: 'heads' }
const spend = (usage: SourceUsage, units: number) => usage.count({ ...of, requests: 1, units })
const rows = () =>
  query<Record<string, unknown>>(
    database.ownerUrl,
    `select account, source, work, to_char(day at time zone 'UTC', 'YYYY-MM-DD HH24:MI') as day, requests::int, units::int from source_usage order by day`,
  )
/** Changes with each write of a row. */
const versions = () => query(database.ownerUrl, 'select requests::int, xmin::text from source_usage')

beforeEach(() => {
  now = new Date('2026-11-26T12:00:00Z')
})

describe('what sources spend of their allowances', () => {
  test('is the sum of all workers once they share it', async () => {
    const [one, other] = [await worker(), await worker()]
    spend(one, 300)
    spend(other, 500)
    expect(one.spent(of)).toEqual({ day: 300, month: 300 })
    await one.share()
    expect(one.spent(of)).toEqual({ day: 300, month: 300 })
    await other.share()
    expect(other.spent(of)).toEqual({ day: 800, month: 800 })
    await one.share()
    expect(one.spent(of)).toEqual({ day: 800, month: 800 })
    expect(await rows()).toEqual([{ ...of, day: '2026-11-26 00:00', requests: 2, units: 800 }])
  })

  test('is known to a worker that starts again, but for what its killed process had not shared', async () => {
    const killed = await worker()
    spend(killed, 300)
    await killed.share()
    spend(killed, 40)
    expect(killed.spent(of).day).toBe(340)
    expect((await worker()).spent(of)).toEqual({ day: 300, month: 300 })
  })

  test('is shared when a worker ends', async () => {
    const ended = await worker()
    spend(ended, 300)
    await ended.close()
    expect((await worker()).spent(of).day).toBe(300)
  })

  test('counts for the UTC day in which it was spent, and for its calendar month', async () => {
    const usage = await worker()
    now = new Date('2026-11-29T23:59:59Z')
    spend(usage, 100)
    now = new Date('2026-11-30T00:00:01Z')
    spend(usage, 10)
    expect(usage.spent(of)).toEqual({ day: 10, month: 110 })
    await usage.share()
    expect(usage.spent(of)).toEqual({ day: 10, month: 110 })
    expect((await rows()).map(({ day, units }) => [day, units])).toEqual([
      ['2026-11-29 00:00', 100],
      ['2026-11-30 00:00', 10],
    ])
    now = new Date('2026-12-01T00:00:00Z')
    expect(usage.spent(of)).toEqual({ day: 0, month: 0 })
    expect((await worker()).spent(of)).toEqual({ day: 0, month: 0 })
  })

  test('is kept while the database cannot take it, and counted once', async () => {
    const usage = await worker()
    spend(usage, 300)
    await query(database.ownerUrl, 'alter table source_usage rename to away')
    await expect(usage.share()).rejects.toThrow('source_usage')
    spend(usage, 5)
    expect(usage.spent(of).day).toBe(305)
    await query(database.ownerUrl, 'alter table away rename to source_usage')
    await usage.share()
    expect(usage.spent(of).day).toBe(305)
    expect(await rows()).toMatchObject([{ requests: 2, units: 305 }])
  })

  test('what is spent while it is being stored is counted once', async () => {
    const usage = await worker()
    spend(usage, 300)
    const shared = usage.share()
    spend(usage, 7)
    await shared
    expect(usage.spent(of).day).toBe(307)
    await usage.share()
    expect(await rows()).toMatchObject([{ units: 307 }])
  })

  test('is shared a minute after it was spent, and at once after a longer pause', async () => {
    const usage = await worker()
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
    onTestFinished(() => void vi.useRealTimers())
    spend(usage, 1)
    await usage.share()
    const share = vi.spyOn(pool, 'query')
    onTestFinished(() => share.mockRestore())
    spend(usage, 2)
    vi.advanceTimersByTime(59_000)
    expect(share).not.toHaveBeenCalled()
    vi.advanceTimersByTime(1_000)
    expect(share).toHaveBeenCalledOnce()
    await usage.share()
    vi.advanceTimersByTime(3_600_000)
    spend(usage, 4)
    share.mockClear()
    vi.advanceTimersByTime(0)
    expect(share).toHaveBeenCalledOnce()
    await usage.share()
    expect(await rows()).toMatchObject([{ units: 7 }])
  })

  test('a thousand requests are one write, and none are no write', async () => {
    const usage = await worker()
    for (let i = 0; i < 1_000; i++) spend(usage, 1)
    expect(await versions()).toEqual([])
    await usage.share()
    const written = await versions()
    expect(written).toMatchObject([{ requests: 1_000 }])
    await usage.share()
    await usage.close()
    expect(await versions()).toEqual(written)
  })
})

describe('two workers with one node', () => {
  const chain = createMemoryChain()
  for (let i = 0; i < 3; i++) chain.mine()

  async function workerOn(url: string) {
    const usage = createSourceUsage({ pool, now: () => now, log })
    const budgets = new Map([[new URL(url).host, { aDay: 100, aSecond: null }]])
    const config = { rpcUrls: { ethereum: [url] }, nodeBudgets: budgets }
    const { nodes } = createNodes({ pool, config, usage, now: () => now, heartbeat: () => {} })
    const client = await nodes('ethereum', 'heads')
    return { usage, ask: () => client.call('eth_blockNumber') }
  }

  test('spend its allowance together, also after a start', async () => {
    const node = await startNode({ vendor: anyNode(), chain, clock: createClock() })
    stopLater(node)
    const [one, other] = [await workerOn(node.nodeUrl), await workerOn(node.nodeUrl)]
    // 60 of 100 are for heads. Each worker asks once for the chain.
    for (let i = 0; i < 29; i++) await one.ask()
    for (let i = 0; i < 28; i++) await other.ask()
    await one.usage.share()
    await other.usage.share()
    await other.ask()
    await expect(other.ask()).rejects.toThrow('its share for heads is spent until 00:00 UTC')
    await other.usage.share()
    const started = await workerOn(node.nodeUrl)
    await expect(started.ask()).rejects.toThrow('its share for heads is spent')
    await one.usage.share()
    await expect(one.ask()).rejects.toThrow('its share for heads is spent')
    expect(node.calls).toHaveLength(60)
    now = new Date('2026-11-27T00:00:00Z')
    await started.ask()
  })
})
