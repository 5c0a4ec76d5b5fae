import { afterAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { backfillStep } from '../../activities/chain/backfill-step.ts'
import { createNodes } from '../../activities/nodes/create-nodes.ts'
import { createUsageCounts } from '../../activities/usage-counts.ts'
import { bitcoinAddresses } from '../../activities/chain/sources/bitcoin-addresses.ts'
import { createNetworks } from '../../activities/chain/networks.ts'
import { SourceUnavailable } from '../../activities/errors.ts'
import { createHttpClient } from '../../activities/http.ts'
import { openDb } from '../../db/connect.ts'
import { readPlace } from '../../db/chain/sync-progress.ts'
import { startSync } from '../../db/chain/syncs.ts'
import { bitcoinWallets, hashOf } from '../../sandbox/bitcoin/actors.ts'
import { solanaWallets } from '../../sandbox/solana/actors.ts'
import { createSolanaChain } from '../../sandbox/solana/chain.ts'
import type { Upstream } from '../../sandbox/upstream.ts'
import { ANCHOR, market } from '../chain/other-chains.ts'
import { testDatabase } from '../setup/database.ts'
import { query } from '../setup/query.ts'
import { ALICE, BOB, stopLater, TOKEN } from './actors.ts'
import { BLOCKSCOUT_KEY, startBlockscoutPro } from './blockscout.ts'
import { createClock } from './double.ts'
import type { FakeClock } from './double.ts'
import { startEsplora } from './esplora.ts'
import { ETHERSCAN_KEY, startEtherscan } from './etherscan.ts'
import { anyNode } from './nodes/any-node.ts'
import { createMemoryChain, tokenTransfer } from './nodes/chain.ts'
import { startNode } from './nodes/node-double.ts'
import { atPlanRates } from './plan-rates.ts'
import { startRoutescan } from './routescan.ts'
import { simulatedGate } from './simulated-gate.ts'
import { startSolana } from './solana.ts'

// Back-fills with the product's own rate limits against the strict doubles, hours in seconds.

const database = await testDatabase()
const { pool, close } = openDb({ url: database.ingestUrl, maxConnections: 4, applicationName: 'test' })
afterAll(close)
beforeEach(() => query(database.ownerUrl, 'truncate blocks, transactions, transfers, wallets cascade'))

/** `count` transactions of ALICE, two in a block: BOB sends, and moves a token. */
function chainOf(chainId: number, count: number) {
  const chain = createMemoryChain({ chainId })
  for (let i = 0; i < count; i += 2)
    chain.mine(
      { from: BOB, to: ALICE, value: BigInt(i + 1) },
      tokenTransfer({ token: TOKEN, from: BOB, to: ALICE, raw: BigInt(i + 1) }),
    )
  // Blocks that a reorg may replace are the node's.
  for (let i = 0; i < 130; i++) chain.mine()
  return chain
}

interface Sources {
  clock: FakeClock
  /** address and key of the sources that are on */
  on: Record<string, { url: string; key: string | null }>
  rpcUrls?: Record<string, string>
}

/** A worker with these sources, at the rates of their plans. */
async function worker({ clock, on, rpcUrls = {} }: Sources) {
  const sources = atPlanRates(on)
  const gate = await simulatedGate({ database, clock, limits: sources })
  const http = createHttpClient({ gate, sources, random: () => 0 })
  onTestFinished(() => gate.close())
  onTestFinished(() => http.close())
  const now = () => new Date(clock.now())
  const { nodes } = createNodes({
    pool,
    now,
    usage: createUsageCounts(now),
    heartbeat: () => {},
    config: {
      rpcUrls: Object.fromEntries(Object.entries(rpcUrls).map(([id, url]) => [id, [url]])),
      nodeBudgets: new Map(),
    },
    pause: async (ms) => clock.advance(ms),
  })
  return createNetworks({ pool, http, nodes, now, config: { sources } })
}

interface Wallet {
  address: string
  networkId: string
}

/** Runs the steps of a sync. `onUnavailable` decides whether to go on: Temporal repeats the activity. */
async function backfill(
  networkOf: Awaited<ReturnType<typeof worker>>,
  { address, networkId }: Wallet,
  { clock, onUnavailable }: { clock: FakeClock; onUnavailable?: (error: SourceUnavailable) => void },
) {
  const network = await networkOf(networkId)
  const { block } = await network.source.head()
  const { walletId } = await startSync(pool, { address, networkId, headBlock: block.number })
  const deps = { pool, now: () => new Date(clock.now()), onProgress: () => {} }
  let [headBlock, lookBack, next, done]: [number, boolean, string | null, boolean] = [
    block.number,
    true,
    null,
    false,
  ]
  while (!done)
    try {
      const input = { walletId, address, networkId, headBlock, lookBack, next }
      const step = await backfillStep(deps, network, input)
      ;({ headBlock, lookBack, next } = step)
      done = step.cursorBlock >= headBlock && next === null
    } catch (error) {
      if (!(error instanceof SourceUnavailable) || !onUnavailable) throw error
      onUnavailable(error)
      next = null
    }
  return await readPlace(pool, { walletId, networkId })
}

/** Hashes of the wallet's transactions, and the sources that they came from. */
async function stored({ address, networkId }: Wallet): Promise<{ hashes: string[]; sources: string[] }> {
  const { rows } = await pool.query<{ hash: string; source: string }>(
    `select hash, source from transactions where network_id = $1 and exists (
       select from transfers where network_id = $1 and tx_hash = hash and $2 in (from_address, to_address))`,
    [networkId, address],
  )
  return { hashes: rows.map(({ hash }) => hash), sources: [...new Set(rows.map(({ source }) => source))] }
}

describe('a wallet with 1,500 transactions is read whole, and nothing is refused', () => {
  const count = 1_500

  async function evm(chainId: number) {
    const clock = createClock()
    const chain = chainOf(chainId, count)
    const node = stopLater(await startNode({ vendor: anyNode(), chain, clock }))
    const networkId = chainId === 1 ? 'ethereum' : 'base-wallet'
    return { clock, chain, wallet: { address: ALICE, networkId }, rpcUrls: { [networkId]: node.nodeUrl } }
  }

  test('by Etherscan with a free key', async () => {
    const { clock, chain, wallet, rpcUrls } = await evm(1)
    const { refused, apiUrl } = stopLater(await startEtherscan({ clock, chains: [chain] }))
    const networkOf = await worker({ clock, rpcUrls, on: { etherscan: { url: apiUrl, key: ETHERSCAN_KEY } } })
    const place = await backfill(networkOf, wallet, { clock })
    expect(place).toEqual({ cursor: chain.head(), walk: null, gap: null, coveredFrom: null })
    const { hashes, sources } = await stored(wallet)
    expect([hashes.length, sources, refused]).toEqual([count, ['etherscan'], []])
  })

  test('by Blockscout with a free key, on Base', async () => {
    const { clock, chain, wallet, rpcUrls } = await evm(8453)
    const { refused, url } = stopLater(await startBlockscoutPro({ clock, chains: [chain] }))
    const etherscan = stopLater(await startEtherscan({ clock, chains: [chain] }))
    const networkOf = await worker({
      clock,
      rpcUrls,
      on: {
        blockscout: { url, key: BLOCKSCOUT_KEY },
        etherscan: { url: etherscan.apiUrl, key: ETHERSCAN_KEY },
      },
    })
    await backfill(networkOf, wallet, { clock })
    const { hashes, sources } = await stored(wallet)
    expect([hashes.length, sources, refused]).toEqual([count, ['blockscout'], []])
    expect(etherscan.asked).toEqual([])
  })

  test('by Routescan without a key', async () => {
    const { clock, chain, wallet, rpcUrls } = await evm(1)
    const { refused, networkUrl } = stopLater(await startRoutescan({ clock, chains: [chain] }))
    const networkOf = await worker({ clock, rpcUrls, on: { routescan: { url: networkUrl, key: null } } })
    await backfill(networkOf, wallet, { clock })
    const { hashes, sources } = await stored(wallet)
    expect([hashes.length, sources, refused]).toEqual([count, ['routescan'], []])
  })

  test('by the public Esplora, one request in five seconds', async () => {
    const clock = createClock(ANCHOR * 1_000)
    const wallet = { address: bitcoinWallets[1]!.name, networkId: 'bitcoin' }
    const chain = bitcoinPages(count)
    const { refused, url, asked } = stopLater(await startEsplora({ clock, chain }))
    const networkOf = await worker({ clock, on: { esplora: { url, key: null } } })
    await backfill(networkOf, wallet, { clock })
    expect([(await stored(wallet)).hashes.length, refused]).toEqual([count, []])
    const pages = asked.filter(({ path }) => path.includes('/txs/chain'))
    expect(new Set(pages.map(({ path }) => path)).size).toBe(pages.length)
  })

  test('by the public Esplora for eight wallets at once, each of which gets its turns', async () => {
    const clock = createClock(ANCHOR * 1_000)
    const { addressAt } = bitcoinAddresses(bitcoinWallets[0]!.name)
    const { refused, url } = stopLater(await startEsplora({ clock, chain: bitcoinPages(60) }))
    const networkOf = await worker({ clock, on: { esplora: { url, key: null } } })
    const all = Array.from({ length: 8 }, (_, i) => ({ address: addressAt(0, i)!, networkId: 'bitcoin' }))
    await Promise.all(all.map((wallet) => backfill(networkOf, wallet, { clock })))
    for (const wallet of all) expect((await stored(wallet)).hashes).toHaveLength(60)
    expect(refused).toEqual([])
  })

  test('by the public node of Solana, 40 calls of a method in ten seconds', async () => {
    const clock = createClock(ANCHOR * 1_000)
    const wallet = { address: solanaWallets[0]!.address, networkId: 'solana' }
    const { refused, url, asked } = stopLater(
      await startSolana({ clock, chain: createSolanaChain({ market }) }),
    )
    const networkOf = await worker({ clock, on: { solana: { url, key: null } } })
    await backfill(networkOf, wallet, { clock })
    expect(refused).toEqual([])
    const read = asked.filter(({ body }) => body.includes('"getTransaction"'))
    expect(read.length).toBeGreaterThan(40)
  })
})

describe('an explorer that refuses', () => {
  async function base(dayCredits: number, count = 600) {
    const clock = createClock()
    const chain = chainOf(8453, count)
    const node = stopLater(await startNode({ vendor: anyNode(), chain, clock }))
    const double = stopLater(await startBlockscoutPro({ clock, chains: [chain], dayCredits }))
    const rpcUrls = { 'base-wallet': node.nodeUrl }
    const on = { blockscout: { url: double.url, key: BLOCKSCOUT_KEY } }
    return { clock, chain, double, on, rpcUrls, wallet: { address: ALICE, networkId: 'base-wallet' } }
  }

  test('28: when its day is spent in the middle, the rest is read the next day and no page twice', async () => {
    const { clock, double, on, rpcUrls, wallet } = await base(200)
    let days = 0
    const onUnavailable = () => {
      if (++days > 5) throw new Error('the back-fill does not advance')
      clock.advance(86_400_000)
    }
    // A new worker each time: what is known of a walk is in the database.
    const first = await worker({ clock, rpcUrls, on })
    await expect(backfill(first, wallet, { clock })).rejects.toThrow(SourceUnavailable)
    clock.advance(86_400_000)
    await backfill(await worker({ clock, rpcUrls, on }), wallet, { clock, onUnavailable })
    expect((await stored(wallet)).hashes).toHaveLength(600)
    // The first attempt of a page that was refused is repeated, and nothing else.
    const pages = new Set(double.asked.map(({ path, query }) => `${path}?${query.toString()}`))
    expect(double.asked.length - double.refused.length).toBeLessThanOrEqual(pages.size + 3)
  })

  test('24: when its day is spent, the next one goes on', async () => {
    const clock = createClock()
    const chain = chainOf(1, 1_500)
    const node = stopLater(await startNode({ vendor: anyNode(), chain, clock }))
    const etherscan = stopLater(await startEtherscan({ clock, chains: [chain], dayCalls: 3 }))
    const routescan = stopLater(await startRoutescan({ clock, chains: [chain] }))
    const networkOf = await worker({
      clock,
      rpcUrls: { ethereum: node.nodeUrl },
      on: {
        etherscan: { url: etherscan.apiUrl, key: ETHERSCAN_KEY },
        routescan: { url: routescan.networkUrl, key: null },
      },
    })
    const wallet = { address: ALICE, networkId: 'ethereum' }
    const place = await backfill(networkOf, wallet, { clock })
    expect(place).toEqual({ cursor: chain.head(), walk: null, gap: null, coveredFrom: null })
    expect((await stored(wallet)).hashes).toHaveLength(1_500)
    // The pause after failures in a row keeps it from being asked for each page.
    expect(etherscan.refused.length).toBeLessThan(10)
    expect(routescan.refused).toEqual([])
  })

  test('23, 28: the next one takes over, and the node where none is left', async () => {
    const { clock, chain, double, rpcUrls, wallet } = await base(100_000, 60)
    const etherscan = stopLater(await startEtherscan({ clock, chains: [chain] }))
    const networkOf = await worker({
      clock,
      rpcUrls,
      on: {
        blockscout: { url: double.url, key: 'bad' },
        etherscan: { url: etherscan.apiUrl, key: ETHERSCAN_KEY },
      },
    })
    const place = await backfill(networkOf, wallet, { clock })
    expect(place).toEqual({ cursor: chain.head(), walk: null, gap: null, coveredFrom: null })
    const { hashes, sources } = await stored(wallet)
    expect([hashes.length, sources]).toEqual([60, ['rpc:base-wallet']])
    // Each is asked once and then known not to answer for this chain.
    expect([double.asked.length, etherscan.asked.length]).toEqual([1, 1])
  })
})

/** Esplora whose addresses have `count` confirmed transactions each, one in a block. */
function bitcoinPages(count: number): Upstream {
  const hash = (text: string | number) => String(text).padStart(64, '0')
  const tip = { id: hash('aa'), height: 900_000, timestamp: 1_790_000_000, previousblockhash: hash('ab') }
  const rowsOf = (address: string) =>
    Array.from({ length: count }, (_, i) => ({
      txid: hashOf(`${address} ${i}`),
      fee: 100,
      vin: [{ prevout: { scriptpubkey_address: 'payer', value: 1_100 } }],
      vout: [{ scriptpubkey_address: address, value: 1_000 }],
      status: {
        confirmed: true,
        block_height: 800_000 - i,
        block_hash: hash(`b${i}`),
        block_time: 1_700_000_000 - i * 600,
      },
    }))
  return ({ path: [kind, address = '', part, , last] }) => {
    if (kind === 'blocks') return { status: 200, body: [tip] }
    if (kind === 'address' && part === undefined)
      return {
        status: 200,
        body: { chain_stats: { tx_count: count, funded_txo_sum: 1_000 * count, spent_txo_sum: 0 } },
      }
    if (kind === 'tx') return { status: 200, body: { ...rowsOf('payer')[0], txid: address } }
    const rows = rowsOf(address)
    const from = rows.findIndex(({ txid }) => txid === last) + 1
    return { status: 200, body: rows.slice(from, from + 25) }
  }
}
