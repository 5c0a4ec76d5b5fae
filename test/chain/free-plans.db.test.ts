import { afterAll, afterEach, describe, expect, test } from 'vitest'
import { createNodes } from '../../activities/nodes/create-nodes.ts'
import { createUsageCounts } from '../../activities/usage-counts.ts'
import { withKeptHeaders } from '../../activities/chain/kept-headers.ts'
import type { ChainNetwork } from '../../activities/chain/networks.ts'
import { createExplorers } from '../../activities/chain/sources/explorer.ts'
import { createEvmSource } from '../../activities/chain/sources/evm.ts'
import { createRpcSource } from '../../activities/chain/sources/rpc.ts'
import { networkOf } from '../../db/chain/wallet-assets.ts'
import { openDb } from '../../db/connect.ts'
import { testDatabase } from '../setup/database.ts'
import { query } from '../setup/query.ts'
import { createClock } from '../upstreams/double.ts'
import { alchemy } from '../upstreams/nodes/alchemy.ts'
import { ankr } from '../upstreams/nodes/ankr.ts'
import { base } from '../upstreams/nodes/base.ts'
import { bsc } from '../upstreams/nodes/bsc.ts'
import { createMemoryChain, tokenTransfer } from '../upstreams/nodes/chain.ts'
import type { MemoryChain } from '../upstreams/nodes/chain.ts'
import { drpc } from '../upstreams/nodes/drpc.ts'
import { infura } from '../upstreams/nodes/infura.ts'
import { startNode } from '../upstreams/nodes/node-double.ts'
import type { NodeDouble } from '../upstreams/nodes/node-double.ts'
import { publicnode } from '../upstreams/nodes/publicnode.ts'
import { quicknode } from '../upstreams/nodes/quicknode.ts'
import type { Vendor } from '../upstreams/nodes/vendor.ts'
import { memoryExplorer } from './memory-explorer.ts'
import { syncDirectly } from './sync-directly.ts'
import { nativeContracts } from '../../activities/chain/sources/native-transfers.ts'

// A wallet with 1,500 transactions on Ethereum, its explorer, and a node that refuses what a free plan refuses.

const database = await testDatabase()
const { pool, close } = openDb({ url: database.ingestUrl, maxConnections: 6, applicationName: 'test' })
afterAll(close)

const nodes: NodeDouble[] = []
afterEach(async () => {
  for (const node of nodes.splice(0)) await node.stop()
  await query(database.ownerUrl, 'truncate wallets, blocks, transactions, transfers, tokens cascade')
})

const [WALLET, OTHER, TOKEN, CONTRACT] = ['a1', 'b0', 'c0', 'd0'].map((byte) => `0x${byte.repeat(20)}`) as [
  string,
  string,
  string,
  string,
]
const ETHER = 10n ** 18n

/** 1,500 settled transactions of the wallet, then 70 blocks of others in which it still moves a little. */
function busyChain(): MemoryChain {
  const chain = createMemoryChain({ funds: { [OTHER]: 10n ** 24n, [CONTRACT]: 10n ** 24n } })
  const toWallet = { from: OTHER, to: WALLET, value: ETHER }
  for (let i = 0; i < 300; i++)
    chain.mine(
      toWallet,
      { from: WALLET, to: OTHER, value: ETHER / 10n },
      tokenTransfer({ token: TOKEN, from: OTHER, to: WALLET, raw: 1_000n + BigInt(i) }),
      { from: OTHER, to: CONTRACT, input: '0x1234', internals: [{ from: CONTRACT, to: WALLET, value: 7n }] },
      { from: WALLET, to: CONTRACT, input: '0x5678', fails: true },
      { from: OTHER, to: CONTRACT },
    )
  for (let i = 0; i < 70; i++)
    if (i % 20 === 0) chain.mine(toWallet, tokenTransfer({ token: TOKEN, from: WALLET, to: OTHER, raw: 5n }))
    else chain.mine({ from: OTHER, to: CONTRACT })
  return chain
}
const chain = busyChain()

async function networkOn(vendors: readonly Vendor[]) {
  const clock = createClock()
  const started = []
  for (const vendor of vendors) started.push(await startNode({ vendor, chain, clock }))
  nodes.push(...started)
  const now = () => new Date(clock.now())
  const { nodes: clientOf } = createNodes({
    pool,
    now,
    usage: createUsageCounts(now),
    heartbeat: () => {},
    config: { rpcUrls: { ethereum: started.map(({ nodeUrl }) => nodeUrl) }, nodeBudgets: new Map() },
    pause: async (ms) => clock.advance(ms),
  })
  const row = await networkOf(pool, 'ethereum')
  const clients = {
    heads: await clientOf('ethereum', 'heads'),
    wallets: await clientOf('ethereum', 'wallets'),
    history: await clientOf('ethereum', 'history'),
  }
  const explorer = memoryExplorer(chain)
  const source = createEvmSource({
    chainId: 1,
    reorgDepth: row.reorg_depth,
    rpc: createRpcSource({ clients, contracts: nativeContracts(row) }),
    explorers: createExplorers([explorer], () => clock.now()),
  })
  const network: ChainNetwork = {
    id: 'ethereum',
    blockchain: row.blockchain,
    reorgDepth: row.reorg_depth,
    source: withKeptHeaders(pool, { source, networkId: 'ethereum' }),
  }
  return { network, nodes: started, clock, explorer }
}

async function expectComplete(openings: number): Promise<void> {
  const [row] = await query<{ transactions: number; internals: number; tokens: string }>(
    database.ownerUrl,
    `select (select count(*)::int from transactions) as transactions,
       (select count(*)::int from transfers where kind = 'internal') as internals,
       (select sum(case when to_address = '${WALLET}' then raw else -raw end)::text
        from transfers where token_address = '${TOKEN}') as tokens`,
  )
  const tokens = chain.tokenBalance({ token: TOKEN, owner: WALLET }, chain.head())
  // Four blocks of the head have two each.
  expect(row).toEqual({ transactions: 1_508, internals: 300, tokens: String(tokens) })
  // All movements add up to the balances of the node, fees of failed transactions too.
  expect(openings).toBe(0)
}

describe('the sync of a wallet with 1,500 transactions completes', () => {
  test.each([
    [alchemy],
    [quicknode],
    [drpc()],
    [drpc('freetier', { logBlocks: 100 })],
    [publicnode],
    [infura],
    [base()],
    [ankr],
    [bsc],
  ])('on the free plan of $name', async (vendor) => {
    const {
      network,
      nodes: [node],
    } = await networkOn([vendor])
    if (vendor.lag > 0) node!.state.vendor = { ...vendor, lag: 0 }
    const { openings } = await syncDirectly({ pool, network, address: WALLET })
    await expectComplete(openings)
    const again = await syncDirectly({ pool, network, address: WALLET })
    expect(again.openings).toBe(0)
  })
})

test('a quota that ends in the middle loses nothing: the next day reads only the rest', async () => {
  const {
    network,
    nodes: [node],
    clock,
  } = await networkOn([infura])
  const receiptsRead = () =>
    node!.calls.flatMap(({ method, params }) =>
      method === 'eth_getTransactionReceipt' ? [String(params[0])] : [],
    )
  // Two calls of 80 credits for each transaction: the day ends after about 900 of them.
  node!.spend(3_000_000 - 900 * 160)
  await expect(syncDirectly({ pool, network, address: WALLET })).rejects.toMatchObject({
    name: 'SourceUnavailable',
  })
  const first = receiptsRead()
  expect(new Set(first).size).toBeGreaterThan(600)
  clock.advance(86_400_000)
  const { openings } = await syncDirectly({ pool, network, address: WALLET })
  await expectComplete(openings)
  const again = new Set(receiptsRead().slice(first.length))
  for (const hash of again) if (!first.includes(hash)) again.delete(hash)
  // The part that was being read when the day ended, and the 64 blocks below the cursor, five of the wallet's
  // transactions in each, that each sync reads again for explorers that lag.
  expect(again.size).toBeLessThanOrEqual(100 + 64 * 5 + 5)
})

test('a plan that ends in the middle: the sync goes on with the next node', async () => {
  const {
    network,
    nodes: [first, second],
  } = await networkOn([infura, publicnode])
  second!.state.vendor = { ...publicnode, lag: 0 }
  first!.spend(3_000_000 - 300 * 160)
  const { openings } = await syncDirectly({ pool, network, address: WALLET })
  await expectComplete(openings)
  expect(second!.calls.length).toBeGreaterThan(1_000)
})

test('the explorer is asked once for each thousand of its rows, not for each commit', async () => {
  const { network, explorer } = await networkOn([ankr])
  await syncDirectly({ pool, network, address: WALLET })
  expect(explorer.steps()).toBeLessThanOrEqual(3)
})
