import { beforeEach, expect, test } from 'vitest'
import { keepMethods, readPlan } from '../../activities/chain/follow/keep-method.ts'
import type { NetworkToFollow } from '../../activities/chain/follow/method-costs.ts'
import type { NodeOffer } from '../../activities/nodes/node-offers.ts'
import { createNodePool } from '../../activities/nodes/node-pool.ts'
import { createUsageCounts } from '../../activities/usage-counts.ts'
import { createClock } from '../upstreams/double.ts'

const node = (name: string, unitsADay: number | null): NodeOffer => ({
  name,
  account: name,
  unitsADay,
  cost: () => 1,
  rate: null,
  hasReceipts: true,
  logBlocks: 1_000,
  hasOldBlocks: true,
})
const MINUTE = 60_000

let network: NetworkToFollow
let clock: ReturnType<typeof createClock>
let looks: number
let kept: ReturnType<typeof keepMethods>

beforeEach(() => {
  clock = createClock()
  looks = 0
  network = { networkId: 'n', blockMs: 2_000, wallets: 400, nodes: [node('small', 30_000)] }
  kept = keepMethods({
    networks: async () => {
      looks++
      return [copyOf(network)]
    },
    now: () => new Date(clock.now()),
  })
})

const copyOf = (of: NetworkToFollow): NetworkToFollow => ({ ...of, nodes: [...of.nodes] })
const tick = async () => (await kept.of('n')).tickMs
const nodeInUse = async () => (await kept.of('n')).node

test('nodes and wallets are looked at once a minute, however often a batch asks', async () => {
  await Promise.all([tick(), tick()])
  for (let i = 0; i < 10; i++) await tick()
  expect(looks).toBe(1)
  clock.advance(MINUTE)
  await tick()
  expect(looks).toBe(2)
})

test('the method changes when the wallets have doubled, and not before it was kept for ten minutes', async () => {
  const first = await tick()
  clock.advance(20 * MINUTE)
  network.wallets = 799
  expect(await tick()).toBe(first)
  network.wallets = 800
  clock.advance(MINUTE)
  const second = await tick()
  expect(second).toBeGreaterThan(first!)
  network.wallets = 1_600
  for (let minute = 1; minute < 10; minute++) {
    clock.advance(MINUTE)
    expect(await tick()).toBe(second)
  }
  clock.advance(MINUTE)
  expect(await tick()).toBeGreaterThan(second!)
})

test('a node that is added is used after the ten minutes, and stays for ten', async () => {
  const nodes = [...network.nodes, node('large', null)]
  expect(await nodeInUse()).toBe('small')
  network.nodes = nodes
  clock.advance(5 * MINUTE)
  expect(await nodeInUse()).toBe('small')
  clock.advance(5 * MINUTE)
  expect(await kept.of('n')).toMatchObject({ node: 'large', method: 'receipts' })
})

test('a node that can be asked no more is left at the next look', async () => {
  network.nodes = [node('large', null), node('small', 30_000)]
  expect(await nodeInUse()).toBe('large')
  network.nodes = [node('small', 30_000)]
  clock.advance(MINUTE)
  expect(await kept.of('n')).toMatchObject({ node: 'small', method: 'ranges' })
  network.nodes = []
  clock.advance(MINUTE)
  expect(await kept.of('n')).toMatchObject({ node: null, method: null, reason: 'no node can be asked' })
})

/** What is read before and after a change that comes when the method was kept for its time. */
async function choices(before: Partial<NetworkToFollow>, after: Partial<NetworkToFollow>) {
  Object.assign(network, before)
  const first = await kept.of('n')
  clock.advance(20 * MINUTE)
  Object.assign(network, after)
  return [first, await kept.of('n')] as const
}
const large = (rest: Partial<NodeOffer> = {}): NodeOffer => ({ ...node('large', null), ...rest })

test.each<[what: string, before: NodeOffer[], after: NodeOffer[], methods: unknown[]]>([
  ['gives no receipts any more', [large()], [large({ hasReceipts: false })], ['receipts', 'logs']],
  [
    'gives no logs any more',
    [large({ hasReceipts: false })],
    [large({ hasReceipts: false, logBlocks: 0 })],
    ['logs', null],
  ],
  [
    'beside another one gives no receipts any more',
    [large(), node('small', 30_000)],
    [large({ hasReceipts: false }), node('small', 30_000)],
    ['receipts', 'logs'],
  ],
])('the method changes when a node %s', async (_what, before, after, methods) => {
  const found = await choices({ nodes: before }, { nodes: after })
  expect(found.map(({ method }) => method)).toEqual(methods)
})

test('the tick becomes shorter when half of the wallets are gone, or a twentieth more may be spent', async () => {
  const [many, half] = await choices({ wallets: 4_000 }, { wallets: 2_000 })
  expect(half.tickMs).toBeLessThan(many.tickMs!)
  const [little, more] = await choices({}, { nodes: [node('small', 32_000)] })
  expect(more.tickMs).toBeLessThan(little.tickMs!)
})

test('the tick stays when less than a twentieth more may be spent', async () => {
  const [first, second] = await choices({}, { nodes: [node('small', 31_400)] })
  expect(second.tickMs).toBe(first.tickMs)
})

test('all networks are chosen for again when one of them has changed', async () => {
  const quiet = { ...network, networkId: 'quiet', nodes: [node('other', 30_000)] }
  kept = keepMethods({ networks: async () => [quiet, copyOf(network)], now: () => new Date(clock.now()) })
  const [first, second] = await choices({ nodes: [large()] }, { nodes: [large({ hasReceipts: false })] })
  expect([first.method, second.method]).toEqual(['receipts', 'logs'])
})

/** A network of four blocks a second, by nodes that are asked nothing here: only their plans count. */
function paced(...aDay: number[]) {
  const at = createClock(Date.UTC(2026, 10, 3))
  const now = () => new Date(at.now())
  const usage = createUsageCounts(now)
  const nodes = createNodePool({
    networkId: 'n',
    chainId: 1,
    urls: aDay.map((_, i) => `https://node${i}.example`),
    budgets: new Map(aDay.map((units, i) => [`node${i}.example`, { aDay: units, aSecond: null }])),
    usage,
    now,
  })
  const offers = () =>
    nodes.usable('heads').map(({ name, unitsADay }) => ({ ...node(name, unitsADay), hasReceipts: false }))
  const methods = keepMethods({
    networks: async () => [{ networkId: 'n', blockMs: 250, wallets: 400, nodes: offers() }],
    now,
  })
  const spend = (account: string, units: number) =>
    usage.count({ account, source: 'rpc:n', work: 'heads', requests: units, units })
  const plan = () => readPlan({ methods, networkId: 'n', nodes })
  return { at, spend, plan }
}

test('a node that spends faster than its day passes is read at longer ticks, and as before on the next day', async () => {
  const { at, spend, plan } = paced(100_000)
  const { tickMs: first } = await plan()
  at.advance(6 * 60 * MINUTE)
  spend('node0.example', 15_000)
  expect((await plan()).tickMs).toBe(first)
  // Half of the share of 60,000 is gone after a quarter of the day, and 40,000 a day are left.
  spend('node0.example', 15_000)
  at.advance(MINUTE)
  const { tickMs: slower } = await plan()
  expect([first, slower]).toEqual([10_000, 13_000])
  at.advance(18 * 60 * MINUTE)
  expect((await plan()).tickMs).toBe(first)
})

test('a network whose node has spent its share is waited for, not given up, where the other bears no method', async () => {
  const { at, spend, plan } = paced(100_000, 100)
  expect(await plan()).toMatchObject({ node: 'node0.example' })
  spend('node0.example', 60_000)
  at.advance(MINUTE)
  await expect(plan()).rejects.toMatchObject({
    name: 'SourceUnavailable',
    message: expect.stringContaining('node0.example: its share for heads is spent until 00:00 UTC') as string,
  })
  at.advance(24 * 60 * MINUTE)
  expect(await plan()).toMatchObject({ node: 'node0.example' })
})

test('a network whose nodes bear no method on any day is given up', async () => {
  const { plan } = paced(100)
  await expect(plan()).rejects.toMatchObject({ name: 'SourceRejected' })
})
