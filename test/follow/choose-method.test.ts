import { describe, expect, test } from 'vitest'
import { chooseMethods } from '../../activities/chain/follow/choose-method.ts'
import { unitsADay } from '../../activities/allowance.ts'
import type { NetworkToFollow } from '../../activities/chain/follow/method-costs.ts'
import type { NodeBudgets } from '../../activities/ingest-config.ts'
import type { NodeOffer } from '../../activities/nodes/node-offers.ts'
import { planOf } from '../../activities/nodes/node-plans.ts'

// Plans of vendors: 60 % of a day are for heads.

function offer(
  url: string,
  logBlocks: number,
  { budgets = new Map(), ...rest }: Partial<NodeOffer> & { budgets?: NodeBudgets } = {},
): NodeOffer {
  const { account, cost, allowance, rate: whole } = planOf(url, budgets)
  const units = allowance && Math.floor(unitsADay(allowance) * 0.6)
  const rate = whole && { ...whole, unitsASecond: whole.unitsASecond * 0.6 }
  return {
    name: new URL(url).host,
    account,
    unitsADay: units,
    cost,
    rate,
    hasReceipts: true,
    logBlocks,
    hasOldBlocks: true,
    ...rest,
  }
}

const alchemy = (net: string) => offer(`https://${net}.g.alchemy.com/v2/key`, 10)
const drpc = (net: string) => offer(`https://${net}.drpc.org`, 750)
const base = offer('https://mainnet.base.org', 100, { hasReceipts: false })
const own = offer('http://node.internal:8545', 10_000)

const network = (networkId: string, blockMs: number, nodes: NodeOffer[], wallets = 100): NetworkToFollow => ({
  networkId,
  blockMs,
  wallets,
  nodes,
})
const choose = (...networks: NetworkToFollow[]) => chooseMethods(networks)
const ways = (...networks: NetworkToFollow[]) =>
  choose(...networks).map(({ networkId, node, method, tickMs }) => [networkId, node, method, tickMs])

describe('a network is followed by the first method that the allowance of a node bears', () => {
  test.each<[name: string, network: NetworkToFollow, method: string | null, tickMs: number | null]>([
    ['Ethereum of Alchemy: receipts', network('e', 12_000, [alchemy('eth')]), 'receipts', null],
    ['2 s blocks of dRPC: receipts', network('b', 2_000, [drpc('base')]), 'receipts', null],
    ['2 s blocks of Base itself: logs', network('b', 2_000, [base]), 'logs', null],
    ['0.25 s blocks of an own node: receipts', network('a', 250, [own]), 'receipts', null],
    ['0.25 s blocks of dRPC: ranges', network('a', 250, [drpc('arb')]), 'ranges', 3_000],
    ['2 s blocks of Alchemy: ranges', network('b', 2_000, [alchemy('base')]), 'ranges', 120_000],
    ['0.25 s blocks of Alchemy: none', network('a', 250, [alchemy('arb')]), null, null],
    ['no node', network('a', 250, []), null, null],
    [
      'a node without receipts and logs: none',
      network('a', 250, [offer('https://x.example', 0, { hasReceipts: false })]),
      null,
      null,
    ],
  ])('%s', (_name, asked, method, tickMs) => {
    expect(choose(asked)[0]).toMatchObject({ method, tickMs })
  })

  test('the cost is what the vendor counts, and the tick is the shortest that fits', () => {
    const [ethereum] = choose(network('e', 12_000, [alchemy('eth')]))
    expect(ethereum).toMatchObject({
      cost: { calls: 7_200 * 2.1, units: 7_200 * 42 },
      unitsADay: 580_644,
      reason: null,
    })
    const [fast] = choose(network('b', 2_000, [alchemy('base')]))
    // Logs of 10 blocks twice: 518,400 units. The rest is three headers and one call in each tick.
    const units = (seconds: number) => 518_400 + (86_400 / seconds) * (3 * 20 + 26)
    expect(fast!.cost.units).toBe(Math.round(units(fast!.tickMs! / 1_000)))
    expect(units(fast!.tickMs! / 1_000)).toBeLessThanOrEqual(580_644)
    expect(units(fast!.tickMs! / 1_000 - 1)).toBeGreaterThan(580_644)
    expect(fast!.reason).toBe('no allowance of a node bears each block')
  })

  test('more wallets need more calls for balances, so a longer tick', () => {
    const ticks = [500, 5_000, 50_000].map(
      (wallets) => choose(network('a', 250, [drpc('arb')], wallets))[0]!.tickMs!,
    )
    expect(ticks).toEqual(ticks.toSorted((a, b) => a - b))
    expect(new Set(ticks).size).toBe(3)
  })

  test('networks with most wallets come first, and those of one vendor share its allowance', () => {
    const alone = ways(network('e', 12_000, [alchemy('eth')], 10))
    expect(alone).toEqual([['e', 'eth.g.alchemy.com', 'receipts', null]])
    expect(
      ways(network('e', 12_000, [alchemy('eth')], 10), network('b', 2_000, [alchemy('base')], 1_000)),
    ).toEqual([
      ['b', 'base.g.alchemy.com', 'ranges', 156_000],
      ['e', null, null, null],
    ])
    expect(
      ways(network('e', 12_000, [alchemy('eth')], 1_000), network('b', 2_000, [alchemy('base')], 10)),
    ).toEqual([
      ['e', 'eth.g.alchemy.com', 'receipts', null],
      ['b', null, null, null],
    ])
  })

  test('the first node comes first, unless a later one bears a better method', () => {
    expect(ways(network('b', 2_000, [own, drpc('base')]))[0]![1]).toBe('node.internal:8545')
    expect(ways(network('b', 2_000, [base, drpc('base')]))).toEqual([
      ['b', 'base.drpc.org', 'receipts', null],
    ])
    expect(ways(network('b', 2_000, [alchemy('base'), base]))).toEqual([
      ['b', 'mainnet.base.org', 'logs', null],
    ])
  })

  test('of nodes that bear ranges, the one with the shortest tick is asked, in whichever order they come', () => {
    const limited = (host: string, aDay: number) =>
      offer(`https://${host}.example`, 1_000, { hasReceipts: false, unitsADay: aDay })
    const nodes = [limited('small', 40_000), limited('large', 90_000)]
    for (const order of [nodes, nodes.toReversed()])
      expect(ways(network('a', 250, order))).toEqual([['a', 'large.example', 'ranges', expect.any(Number)]])
  })

  test('logs are read by three filters of up to 1,000 wallets where calls are not counted, else by one', () => {
    const narrow = offer('https://x.example', 100, { hasReceipts: false, unitsADay: 20_000 })
    const free = { ...narrow, unitsADay: null }
    const [counted] = choose(network('b', 2_000, [narrow]))
    expect(counted!.method).toBe('ranges')
    expect(choose(network('b', 2_000, [free]))[0]!.method).toBe('logs')
  })
})

describe('a network is followed by a method that the rate of a node bears', () => {
  /** The day of a paid plan, with the rate of the free one unless another is named. */
  const paid = (host: string, aSecond: number | null = null) => ({
    budgets: new Map([[host, { aDay: 1_000_000_000, aSecond }]]),
  })
  const infura = (aSecond?: number) => offer('https://x.infura.io/v3/key', 10_000, paid('infura.io', aSecond))
  const ofAlchemy = (aSecond?: number) =>
    offer('https://x.g.alchemy.com/v2/key', 10_000, paid('alchemy.com', aSecond))

  test.each<[name: string, network: NetworkToFollow, method: string | null, reason: string | null]>([
    // A block of 12 s takes 1,088 credits: 91 of the 300 of a second that are for heads.
    ['Ethereum of Infura', network('e', 12_000, [infura()]), 'receipts', null],
    // 544 credits in a second. Its logs take 172.
    [
      'a 2 s network of Infura',
      network('b', 2_000, [infura()]),
      'logs',
      'no rate of a node bears the receipts of each block',
    ],
    ['a 2 s network of Infura at 1,000 a second', network('b', 2_000, [infura(1_000)]), 'receipts', null],
    [
      'a 0.25 s network of Infura',
      network('a', 250, [infura()]),
      'ranges',
      'no rate of a node bears each block',
    ],
    // Alchemy's receipts take 20 units of the day, and 500 of the second.
    ['a 2 s network of Alchemy', network('b', 2_000, [ofAlchemy()]), 'receipts', null],
    [
      'a 1 s network of Alchemy',
      network('b', 1_000, [ofAlchemy()]),
      'logs',
      'no rate of a node bears the receipts of each block',
    ],
    [
      'a 1 s network of Alchemy at 10,000 a second',
      network('b', 1_000, [ofAlchemy(10_000)]),
      'receipts',
      null,
    ],
    ['a node that bears another one', network('b', 2_000, [infura(), ofAlchemy()]), 'receipts', null],
  ])('%s', (_name, asked, method, reason) => {
    expect(choose(asked)[0]).toMatchObject({ method, reason })
  })

  test('the rate is what is lacking also where a node has logs alone', () => {
    const logsOnly = { ...infura(), hasReceipts: false }
    expect(choose(network('a', 250, [logsOnly]))[0]).toMatchObject({
      method: 'ranges',
      reason: 'no rate of a node bears each block',
    })
  })

  test('networks of one account share its rate', () => {
    const [one, other] = choose(
      network('b', 2_000, [ofAlchemy(510)], 1_000),
      network('o', 2_000, [ofAlchemy(510)], 10),
    )
    expect([one!.method, other!.method]).toEqual(['receipts', 'logs'])
    // 1.1 headers of 20 and receipts of 500 in two seconds: 45 units are left.
    expect(one!.cost.unitsASecond).toBe(261)
  })

  test('a call that is dearer than all that passes at once is never made', () => {
    const small = ofAlchemy()
    const capped = { ...small, rate: { ...small.rate!, burst: 499 } }
    expect(choose(network('e', 12_000, [capped]))[0]).toMatchObject({
      method: 'logs',
      reason: 'no rate of a node bears the receipts of each block',
    })
    const none = { ...small, rate: { ...small.rate!, burst: 19 } }
    expect(choose(network('e', 12_000, [none]))[0]).toMatchObject({
      method: null,
      reason: 'no rate of a node bears the logs of its blocks',
    })
  })

  test('a rate of calls is set for a node of any vendor', () => {
    const slow = (aSecond: number) =>
      offer('http://node.internal:8545', 10_000, {
        budgets: new Map([['node.internal:8545', { aDay: 1_000_000_000, aSecond }]]),
      })
    // 1.05 calls in a second.
    expect(ways(network('b', 2_000, [slow(2)]))[0]![2]).toBe('receipts')
    expect(ways(network('b', 2_000, [slow(1)]))[0]![2]).toBe('ranges')
  })
})
