import { beforeEach, expect, test } from 'vitest'
import { keepMethods } from '../../activities/chain/follow/keep-method.ts'
import type { NetworkToFollow } from '../../activities/chain/follow/method-costs.ts'
import type { NodeOffer } from '../../activities/nodes/node-offers.ts'
import { createClock } from '../upstreams/double.ts'

const node = (name: string, unitsADay: number | null): NodeOffer => ({
  name,
  account: name,
  unitsADay,
  cost: () => 1,
  rate: null,
  hasReceipts: true,
  logBlocks: 1_000,
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
