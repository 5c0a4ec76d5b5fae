import { afterAll, expect, test } from 'vitest'
import { openDb } from '../../db/connect.ts'
import { testDatabase } from '../setup/database.ts'
import { query } from '../setup/query.ts'
import { ALICE, BOB, stopLater, TOKEN } from '../upstreams/actors.ts'
import { ALCHEMY_KEY, startAlchemyTransfers } from '../upstreams/alchemy-transfers.ts'
import { BLOCKSCOUT_KEY, startBlockscoutPro } from '../upstreams/blockscout.ts'
import { createClock } from '../upstreams/double.ts'
import { ETHERSCAN_KEY, startEtherscan } from '../upstreams/etherscan.ts'
import { alchemy } from '../upstreams/nodes/alchemy.ts'
import { ankr } from '../upstreams/nodes/ankr.ts'
import { base } from '../upstreams/nodes/base.ts'
import { createBooks } from '../upstreams/nodes/books.ts'
import { bsc } from '../upstreams/nodes/bsc.ts'
import { createMemoryChain, tokenTransfer } from '../upstreams/nodes/chain.ts'
import type { MemoryChain } from '../upstreams/nodes/chain.ts'
import { drpc } from '../upstreams/nodes/drpc.ts'
import { infura } from '../upstreams/nodes/infura.ts'
import { startNode } from '../upstreams/nodes/node-double.ts'
import { publicnode } from '../upstreams/nodes/publicnode.ts'
import { quicknode } from '../upstreams/nodes/quicknode.ts'
import type { Vendor } from '../upstreams/nodes/vendor.ts'
import { startRoutescan } from '../upstreams/routescan.ts'
import { createSimulatedWorker, syncWallet } from './simulated-worker.ts'
import { simulateTime } from './simulated-time.ts'
import { createSimulation, openQueries } from './simulation.ts'
import { nameVendorHosts } from './vendor-hosts.ts'

// A wallet with 1,500 transactions on each free plan of spec/live.md, with the explorers that its network has for
// nothing, on a simulated clock: what it takes, and what is missing where the vendors' rules leave no way.

const TRANSACTIONS = 1_500
/** More blocks than a node without an explorer is asked for. */
const OLD_BLOCKS = 100_500

const database = await testDatabase()
const clock = createClock()
const time = await simulateTime(database, clock.now())
const connection = openDb({
  url: time.url,
  maxConnections: 4,
  applicationName: 'test',
  connectDeadlineMs: 60_000,
})
const hosts = nameVendorHosts()
const results: Record<string, string | number>[] = []
afterAll(async () => {
  console.table(results)
  await connection.close()
  await hosts.stop()
})

const chains = new Map<number, MemoryChain>()

/** Old blocks, then the wallet's transactions, two in a block, then blocks that a reorg may replace. */
function chainOf(chainId: number): MemoryChain {
  const known = chains.get(chainId)
  if (known) return known
  const chain = createMemoryChain({ chainId, blockSeconds: 2, startSeconds: clock.now() / 1_000 - 250_000 })
  for (let i = 0; i < OLD_BLOCKS; i++) chain.mine()
  for (let i = 0; i < TRANSACTIONS; i += 2)
    chain.mine(
      { from: BOB, to: ALICE, value: BigInt(i + 1) },
      tokenTransfer({ token: TOKEN, from: BOB, to: ALICE, raw: BigInt(i + 1) }),
    )
  for (let i = 0; i < 250; i++) chain.mine()
  chains.set(chainId, chain)
  return chain
}

interface Plan {
  vendor: Vendor
  host: string
  network: 'ethereum' | 'base-wallet' | 'binancesmartchain'
  explorer: 'etherscan' | 'blockscout' | 'routescan' | 'alchemy-transfers' | null
}

const CHAIN_IDS = { ethereum: 1, 'base-wallet': 8453, binancesmartchain: 56 }

async function explorersOf({ explorer }: Plan, chain: MemoryChain) {
  const options = { clock, chains: [chain] }
  if (explorer === null) return { on: {}, double: null }
  if (explorer === 'etherscan') {
    const double = stopLater(await startEtherscan(options))
    return { on: { etherscan: { url: double.apiUrl, key: ETHERSCAN_KEY } }, double }
  }
  if (explorer === 'blockscout') {
    const double = stopLater(await startBlockscoutPro(options))
    return { on: { blockscout: { url: double.url, key: BLOCKSCOUT_KEY } }, double }
  }
  if (explorer === 'alchemy-transfers') {
    const double = stopLater(await startAlchemyTransfers(options))
    return { on: { 'alchemy-transfers': { url: double.apiUrl, key: ALCHEMY_KEY } }, double }
  }
  const double = stopLater(await startRoutescan(options))
  return { on: { routescan: { url: double.networkUrl, key: null } }, double }
}

/** Syncs the wallet by this plan alone. */
async function syncBy(plan: Plan) {
  const { vendor, host, network: networkId } = plan
  await query(
    database.ownerUrl,
    'truncate wallets, blocks, transactions, transfers, tokens, source_states cascade',
  )
  const chain = chainOf(CHAIN_IDS[networkId])
  const books = createBooks(vendor, clock)
  const node = stopLater(await startNode({ vendor, chain, clock, books, keepsAsked: false }))
  const { on, double } = await explorersOf(plan, chain)
  const simulation = createSimulation({
    clock,
    onMove: async () => void (await connection.pool.query(time.set, [clock.now()])),
    openRequests: hosts.open,
    openQueries: () => openQueries(connection.pool),
  })
  const rpcUrls = { [networkId]: [hosts.urlOf(host, node.nodeUrl)] }
  const worker = createSimulatedWorker({ connection, clock, simulation, on, rpcUrls })
  const startMs = clock.now()
  simulation.start('sync', () => syncWallet(worker, { address: ALICE, networkId }))
  await simulation.runUntil(Infinity)
  await worker.close()
  const [row] = await query<{
    stored: number
    reason: string | null
    from: number | null
    to: number | null
  }>(
    database.ownerUrl,
    `select (select count(*)::int from transactions) as stored, gap_reason as reason, gap_from::int as from,
       gap_to::int as to from wallet_syncs where synced_at is not null`,
  )
  const calls = [...books.calls.values()].reduce((sum, count) => sum + count, 0)
  results.push({
    plan: `${vendor.name}, ${networkId}`,
    explorer: plan.explorer ?? 'none',
    stored: row!.stored,
    minutes: Math.ceil((clock.now() - startMs) / 60_000),
    'node calls': calls,
    units: books.spent('month'),
    requests: double?.asked.length ?? 0,
    'missing because': row!.reason ?? '',
  })
  return { row, chain, refused: { node: [...books.broken], explorer: double?.refused ?? [] } }
}

const plan = (vendor: Vendor, host: string, network: Plan['network'], explorer: Plan['explorer']): Plan => ({
  vendor,
  host,
  network,
  explorer,
})

test.each([
  plan(alchemy, 'eth-mainnet.g.alchemy.com', 'ethereum', 'etherscan'),
  plan(quicknode, 'name.quiknode.pro', 'ethereum', 'etherscan'),
  plan(drpc(), 'eth.drpc.org', 'ethereum', 'etherscan'),
  plan(drpc('freetier'), 'eth.drpc.org', 'ethereum', 'routescan'),
  plan(publicnode, 'ethereum-rpc.publicnode.com', 'ethereum', 'routescan'),
  plan(infura, 'mainnet.infura.io', 'ethereum', 'etherscan'),
  plan(ankr, 'rpc.ankr.com', 'ethereum', 'etherscan'),
  plan(base(), 'mainnet.base.org', 'base-wallet', 'blockscout'),
  plan(alchemy, 'base-mainnet.g.alchemy.com', 'base-wallet', 'blockscout'),
  plan(drpc(), 'base.drpc.org', 'base-wallet', 'blockscout'),
  plan(bsc, 'bsc-dataseed.bnbchain.org', 'binancesmartchain', 'alchemy-transfers'),
])('$vendor.name on $network with $explorer: the history is whole, and nothing is refused', async (one) => {
  const { row, refused } = await syncBy(one)
  expect(row).toEqual({ stored: TRANSACTIONS, reason: null, from: null, to: null })
  expect(refused).toEqual({ node: [], explorer: [] })
})

const NO_EXPLORER = 'no explorer of this network is configured'
const PAID =
  'Free API access is not supported for this chain. Please upgrade your api plan for full chain coverage. https://etherscan.io/apis'

test.each([
  [plan(bsc, 'bsc-dataseed.bnbchain.org', 'binancesmartchain', null), NO_EXPLORER],
  [plan(bsc, 'bsc-dataseed.bnbchain.org', 'binancesmartchain', 'etherscan'), PAID],
  [plan(drpc(), 'bsc.drpc.org', 'binancesmartchain', 'etherscan'), PAID],
  [plan(alchemy, 'eth-mainnet.g.alchemy.com', 'ethereum', null), NO_EXPLORER],
  [plan(base(), 'mainnet.base.org', 'base-wallet', 'etherscan'), PAID],
])('nobody gives the history: the sync ends, and the gap says why (%#)', async (one, reason) => {
  const { row, chain } = await syncBy(one)
  const settled = expect.any(Number) as number
  expect(row).toEqual({ stored: 0, reason: expect.stringContaining(reason) as string, from: 0, to: settled })
  // The newest blocks are read whole from the node.
  expect(row!.to).toBeLessThan(chain.head())
  expect(row!.to).toBeGreaterThan(chain.head() - 250)
})
