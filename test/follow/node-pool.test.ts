import { describe, expect, test } from 'vitest'
import { createNodePool } from '../../activities/nodes/node-pool.ts'
import { createUsageCounts } from '../../activities/usage-counts.ts'
import { probeNode } from '../../activities/nodes/probe-node.ts'
import { createLogReader } from '../../activities/chain/sources/rpc-logs.ts'
import { createRpcClient } from '../../activities/nodes/rpc-client.ts'
import type { RpcClient } from '../../activities/nodes/rpc.ts'
import { ALICE, BOB, stopLater, TOKEN } from '../upstreams/actors.ts'
import { createClock } from '../upstreams/double.ts'
import { alchemy } from '../upstreams/nodes/alchemy.ts'
import { anyNode } from '../upstreams/nodes/any-node.ts'
import { base } from '../upstreams/nodes/base.ts'
import { bsc } from '../upstreams/nodes/bsc.ts'
import { createMemoryChain, tokenTransfer, TRANSFER_TOPIC } from '../upstreams/nodes/chain.ts'
import type { MemoryChain } from '../upstreams/nodes/chain.ts'
import { drpc } from '../upstreams/nodes/drpc.ts'
import { infura } from '../upstreams/nodes/infura.ts'
import { startNode } from '../upstreams/nodes/node-double.ts'
import type { NodeDouble } from '../upstreams/nodes/node-double.ts'
import { publicnode } from '../upstreams/nodes/publicnode.ts'
import { quicknode } from '../upstreams/nodes/quicknode.ts'
import { logRange } from '../upstreams/nodes/vendor.ts'
import type { Vendor } from '../upstreams/nodes/vendor.ts'

// Numbers in the names are those of the cases of following the head.

function chainOf(blocks: number): MemoryChain {
  const chain = createMemoryChain({ funds: { [ALICE]: 10n ** 24n } })
  for (let i = 1; i <= blocks; i++)
    chain.mine(tokenTransfer({ token: TOKEN, from: ALICE, to: BOB, raw: BigInt(i) }))
  return chain
}

async function poolOf(vendors: readonly Vendor[], chain = chainOf(20)) {
  const clock = createClock()
  const started: NodeDouble[] = []
  for (const vendor of vendors) started.push(await startNode({ vendor, chain, clock }))
  started.forEach(stopLater)
  const pause = async (ms: number) => clock.advance(ms)
  const pool = createNodePool({
    networkId: 'ethereum',
    chainId: 1,
    urls: started.map(({ nodeUrl }) => nodeUrl),
    usage: createUsageCounts(() => new Date(clock.now())),
    now: () => new Date(clock.now()),
    pause,
  })
  /** Numbers of calls that each node has answered since the last look, without questions for chain and head. */
  let seen = started.map(() => 0)
  const asked = () => {
    const counts = started.map(
      ({ calls }) => calls.filter(({ method }) => !/^eth_(chainId|blockNumber)$/.test(method)).length,
    )
    const since = counts.map((count, i) => count - seen[i]!)
    seen = counts
    return since
  }
  return { pool, clock, nodes: started, client: pool.client('wallets'), asked, chain, pause }
}

const newest = async (client: RpcClient) =>
  ((await client.call('eth_getBlockByNumber', 'latest', false)) as { number: string }).number
const receipts = (number: number) => ({
  method: 'eth_getBlockReceipts',
  params: [`0x${number.toString(16)}`],
})
const headers = (count: number) =>
  Array.from({ length: count }, (_, i) => ({
    method: 'eth_getBlockByNumber',
    params: [`0x${i.toString(16)}`, false],
  }))

describe('18, 403 on receipts of a block', () => {
  test('18: another node is asked, and the first one keeps all other work', async () => {
    const { client, asked } = await poolOf([base(), anyNode()])
    expect(await client.batch([receipts(3)])).toMatchObject([[{ blockNumber: '0x3' }]])
    expect(asked()).toEqual([1, 1])
    await newest(client)
    await client.batch([receipts(4)])
    expect(asked()).toEqual([1, 1])
  })

  test('18: alone, the node says that it lacks the method, and is not asked again', async () => {
    const { client, pool, asked } = await poolOf([base()])
    await expect(client.batch([receipts(3)])).rejects.toMatchObject({
      name: 'SourceRejected',
      refusal: { kind: 'method' },
    })
    await expect(client.batch([receipts(3)])).rejects.toMatchObject({ refusal: { kind: 'method' } })
    expect(asked()).toEqual([1])
    expect(() => pool.choose({ share: 'heads', methods: ['eth_getBlockReceipts'] })).toThrow(/no node/)
  })
})

describe('19, ranges of logs that plans allow', () => {
  const wide = (most: number): Vendor => ({
    ...anyNode(),
    rules: [logRange(19, { most, refusal: () => ({ code: -32602, message: 'block range is too wide' }) })],
  })
  test.each([
    ['5 of QuickNode', quicknode, 5, 5],
    ['10 of Alchemy', alchemy, 10, 10],
    ['100 of Base, whose text says nothing', base(), 100, 100],
    ['999 of Base, whose text says 1,000', base('1000 blocks'), 999, 999],
    ['2,000 without a number', wide(2_000), 2_000, 2_000],
    ['100 of dRPC, whose text says 10,000', drpc('free plan', { logBlocks: 100 }), 100, 100],
  ])('19: %s', async (_name, vendor, least, most) => {
    const { client, chain } = await poolOf([vendor], chainOf(600))
    const read = createLogReader(client)
    const blocks: number[] = []
    for await (const page of read({
      fromBlock: 1,
      toBlock: most < 50 ? 700 : 9_000,
      filters: [[TRANSFER_TOPIC]],
    }))
      for (const log of page.logs) blocks.push(Number(log.blockNumber))
    expect(blocks).toEqual(Array.from({ length: chain.head() }, (_, i) => i + 1))
    expect(client.logRange.blocks()).toBeGreaterThanOrEqual(least)
    expect(client.logRange.blocks()).toBeLessThanOrEqual(most)
  })

  test('19: a limit that is known is not tried again', async () => {
    const {
      client,
      nodes: [node],
    } = await poolOf([quicknode])
    const read = createLogReader(client)
    for await (const page of read({ fromBlock: 1, toBlock: 500, filters: [[TRANSFER_TOPIC]] })) void page
    const refused = node!.calls.filter(({ method }) => method === 'eth_getLogs').length - 100
    expect(refused).toBe(1)
  })

  test.each([
    ['the next one reads them', [bsc, anyNode()], [8, 20]],
    ['alone, they come from receipts', [bsc], [8]],
  ])('19: a node without logs is not asked for them again: %s', async (_name, vendors, most) => {
    const { client, nodes, chain } = await poolOf(vendors, chainOf(600))
    const read = createLogReader(client)
    const blocks: number[] = []
    for await (const page of read({ fromBlock: 1, toBlock: 600, filters: [[TRANSFER_TOPIC]] }))
      for (const log of page.logs) blocks.push(Number(log.blockNumber))
    expect(blocks).toEqual(Array.from({ length: chain.head() }, (_, i) => i + 1))
    for (const [n, { calls }] of nodes.entries())
      expect(calls.filter(({ method }) => method === 'eth_getLogs').length).toBeLessThanOrEqual(most[n]!)
  })

  test('19: batches of three, learnt once', async () => {
    const {
      client,
      nodes: [node],
    } = await poolOf([drpc()])
    expect(await client.batch(headers(10))).toHaveLength(10)
    await client.batch(headers(10))
    const sizes = node!.asked.map(({ body }) => [JSON.parse(body)].flat().length)
    expect(sizes).toEqual([1, 10, 3, 3, 3, 1, 3, 3, 3, 1])
  })
})

describe('20, rates, quotas and keys', () => {
  test('20: calls that hit the rate are sent again, the others are not', async () => {
    for (const vendor of [alchemy, infura]) {
      const {
        client,
        nodes: [node],
      } = await poolOf([vendor])
      const calls = Array.from({ length: 300 }, (_, i) => headers(20)[i % 20]!)
      const blocks = (await client.batch(calls)) as { number: string }[]
      expect(blocks.map(({ number }) => Number(number))).toEqual(calls.map((_, i) => i % 20))
      const cost = vendor.cost('eth_getBlockByNumber')
      expect(node!.spent('month')).toBe(300 * cost + vendor.cost('eth_chainId'))
    }
  })

  test('20: a quota that is gone at noon: the next node until the first one has a new day', async () => {
    const { client, clock, asked } = await poolOf([
      { ...infura, cost: () => 300_000, throughput: () => 0 },
      anyNode(),
    ])
    // The question for the chain costs one of the ten.
    for (let i = 0; i < 12; i++) await newest(client)
    expect(asked()).toEqual([9, 3])
    // It is asked once an hour whether its allowance is there again.
    clock.advance(3_600_000)
    await newest(client)
    expect(asked()[1]).toBe(1)
    clock.advance(15 * 3_600_000)
    await newest(client)
    expect(asked()).toEqual([1, 0])
  })

  test('20: a revoked key: the next node; alone it says so', async () => {
    const {
      client,
      nodes: [first],
      asked,
    } = await poolOf([alchemy, anyNode()])
    await newest(client)
    first!.state.keyIsRevoked = true
    await newest(client)
    await newest(client)
    expect(asked()).toEqual([1, 2])
    expect(first!.asked).toHaveLength(3)
    const alone = await poolOf([alchemy])
    alone.nodes[0]!.state.keyIsRevoked = true
    await expect(newest(alone.client)).rejects.toMatchObject({ refusal: { kind: 'key' } })
    await expect(newest(alone.client)).rejects.toThrow(/it refuses the key/)
  })

  test('20: each kind of work has its share of a day, in the units of the vendor', async () => {
    const clock = createClock()
    const node = await startNode({ vendor: alchemy, chain: chainOf(3), clock })
    stopLater(node)
    const { host } = new URL(node.nodeUrl)
    const pool = createNodePool({
      networkId: 'ethereum',
      chainId: 1,
      urls: [node.nodeUrl],
      budgets: new Map([[host, { aDay: 10, aSecond: null }]]),
      usage: createUsageCounts(() => new Date(clock.now())),
      now: () => new Date(clock.now()),
    })
    // Nodes of unknown vendors count calls: two of ten are for history, six for heads.
    await newest(pool.client('history'))
    await expect(newest(pool.client('history'))).rejects.toThrow(
      /its share for history is spent until 00:00 UTC/,
    )
    for (let i = 0; i < 6; i++) await newest(pool.client('heads'))
    await expect(newest(pool.client('heads'))).rejects.toThrow(/share for heads/)
    clock.advance(86_400_000)
    await newest(pool.client('history'))
  })
})

test('20: history that has spent its share of a node leaves the head where it is', async () => {
  const { nodes: both, asked, clock } = await poolOf([anyNode(), anyNode()])
  const { host } = new URL(both[0]!.nodeUrl)
  const shared = createNodePool({
    networkId: 'ethereum',
    chainId: 1,
    urls: both.map(({ nodeUrl }) => nodeUrl),
    budgets: new Map([[host, { aDay: 10, aSecond: null }]]),
    usage: createUsageCounts(() => new Date(clock.now())),
    now: () => new Date(clock.now()),
  })
  for (let i = 0; i < 3; i++) await newest(shared.client('history'))
  expect(asked()).toEqual([1, 2])
  await newest(shared.client('heads'))
  expect(asked()).toEqual([1, 0])
})

describe('21, nodes that are dead', () => {
  test('21: all of them for an hour: each is tried, and the first that answers is used', async () => {
    const { client, clock, nodes: both, asked } = await poolOf([anyNode(), anyNode()])
    for (const node of both) node.state.isDown = true
    for (let minute = 0; minute < 60; minute++) {
      await expect(newest(client)).rejects.toMatchObject({ name: 'SourceUnavailable' })
      clock.advance(60_000)
    }
    both[1]!.state.isDown = false
    expect(await newest(client)).toBe('0x14')
    expect(asked()).toEqual([0, 1])
  })

  test('21: no change back before five minutes', async () => {
    const {
      client,
      clock,
      nodes: [first],
      asked,
    } = await poolOf([anyNode(), anyNode()])
    first!.state.isDown = true
    await newest(client)
    first!.state.isDown = false
    clock.advance(60_000)
    await newest(client)
    expect(asked()).toEqual([0, 2])
    clock.advance(240_000)
    await newest(client)
    expect(asked()[1]).toBe(0)
  })

  test('21: a node that lags three blocks is passed over, one that lags two is not', async () => {
    const {
      client,
      clock,
      pool,
      nodes: [first],
      asked,
    } = await poolOf([anyNode(), anyNode()])
    first!.state.lag = 2
    await pool.checkHeads()
    asked()
    await newest(client)
    expect(asked()).toEqual([1, 0])
    first!.state.lag = 3
    await pool.checkHeads()
    asked()
    expect(await newest(client)).toBe('0x14')
    expect(asked()).toEqual([0, 1])
    clock.advance(1)
  })

  test('21: old blocks come from the node that has them, new ones from the node in use', async () => {
    const { client, asked } = await poolOf([publicnode, anyNode()], chainOf(200))
    expect(await client.batch(headers(3))).toHaveLength(3)
    expect(asked()).toEqual([3, 3])
    await client.batch(headers(2))
    await client.call('eth_getBlockByNumber', '0xc0', false)
    expect(asked()).toEqual([1, 2])
  })
})

test('20: old blocks whose only node has no allowance left are asked for later', async () => {
  const {
    client,
    nodes: [, second],
  } = await poolOf([publicnode, infura], chainOf(200))
  second!.spend(3_000_000)
  await expect(client.batch(headers(2))).rejects.toMatchObject({ name: 'SourceUnavailable' })
  await expect(client.batch(headers(2))).rejects.toMatchObject({ name: 'SourceUnavailable' })
  const alone = await poolOf([publicnode], chainOf(200))
  await expect(alone.client.batch(headers(2))).rejects.toMatchObject({ name: 'SourceRejected' })
})

test('22: a node of another chain is never read', async () => {
  const {
    client,
    nodes: [first],
    asked,
  } = await poolOf([anyNode(), anyNode()])
  first!.state.chain = createMemoryChain({ chainId: 56 })
  expect(await newest(client)).toBe('0x14')
  expect(asked()).toEqual([0, 1])
  const alone = await poolOf([anyNode()], createMemoryChain({ chainId: 56 }))
  await expect(newest(alone.client)).rejects.toThrow(/it serves chain 56, not 1/)
  await expect(newest(alone.client)).rejects.toThrow(/it serves chain 56, not 1/)
  expect(alone.asked()).toEqual([0])
})

test('23: receipts of 12 MB are read; a batch with them is split', async () => {
  const chain = createMemoryChain()
  const data = `0x${'00'.repeat(400_000)}`
  const log = { address: TOKEN, topics: [TRANSFER_TOPIC], data }
  chain.mine(...Array.from({ length: 15 }, () => ({ from: ALICE, to: TOKEN, logs: [log] })))
  chain.mine({ from: ALICE, to: BOB })
  const {
    client,
    nodes: [node],
  } = await poolOf([anyNode()], chain)
  const found = (await client.batch([receipts(1), receipts(2)])) as unknown[][]
  expect(found.map((one) => one.length)).toEqual([15, 1])
  expect(node!.asked.length).toBeGreaterThan(2)
})

test('one node does a batch, also where another one answers the next', async () => {
  const {
    pool,
    nodes: [first],
    asked,
  } = await poolOf([anyNode(), anyNode()])
  const chosen = pool.choose({ share: 'heads' })
  await chosen.ask('eth_getBlockByNumber', ['latest', false])
  first!.state.isDown = true
  await expect(chosen.ask('eth_getBlockByNumber', ['latest', false])).rejects.toMatchObject({
    name: 'SourceUnavailable',
  })
  expect(asked()).toEqual([1, 0])
  const next = pool.choose({ share: 'heads' })
  expect(next.name).not.toBe(chosen.name)
  await next.ask('eth_getBlockByNumber', ['latest', false])
  expect(asked()).toEqual([0, 1])
})

test('a single URL needs no pool', async () => {
  const {
    nodes: [node],
  } = await poolOf([drpc()])
  const client = createRpcClient({ url: node!.nodeUrl, source: 'test' })
  expect(await client.batch(headers(5))).toHaveLength(5)
})

describe('the probe of a node says what its plan offers', () => {
  test.each([
    [alchemy, { receipts: 'hash', logBlocks: 10, batchCalls: 100, traces: null, hasOldBlocks: true }],
    [quicknode, { logBlocks: 5 }],
    [drpc(), { logBlocks: 750, batchCalls: 3 }],
    [publicnode, { receipts: 'hash', logBlocks: 93, hasOldBlocks: false }],
    [base(), { receipts: null, logBlocks: 93 }],
    [bsc, { receipts: 'hash', logBlocks: 0 }],
    [anyNode(), { logBlocks: 3_001, traces: 'trace_block' }],
  ])('$name', async (vendor, abilities) => {
    const { pool } = await poolOf([vendor], chainOf(3_000))
    const { client } = pool.choose({ share: 'heads' })
    expect(await probeNode(client)).toMatchObject({ chainId: 1, head: 3_000 - vendor.lag, ...abilities })
  })
})
