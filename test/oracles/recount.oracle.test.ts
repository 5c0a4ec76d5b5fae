import { afterAll, beforeAll, expect, test } from 'vitest'
import { computeChanged } from '../../activities/pnl/compute-loop.ts'
import { recomputeBook } from '../../activities/pnl/recompute-books.ts'
import { routes } from '../../api/routes.ts'
import { openDb } from '../../db/connect.ts'
import { createRandom } from '../../sandbox/chain/random.ts'
import { createMarket } from '../../sandbox/market/market.ts'
import { seedSandboxCoins } from '../chain/seed-sandbox-coins.ts'
import { syncDirectly, testNetwork } from '../chain/sync-directly.ts'
import { switchedNode } from '../chain/two-branches.ts'
import { deriveAll } from '../derive/derive-directly.ts'
import { chainRows, follow, NETWORK } from '../follow/follow-directly.ts'
import { httpNode } from '../follow/http-node.ts'
import { type Anvil, startAnvil } from '../setup/anvil.ts'
import { startApi } from '../setup/api.ts'
import { testDatabase } from '../setup/database.ts'
import { insertCoin, insertPrices } from '../setup/factories.ts'
import { activateNetworks } from '../setup/wallet-factories.ts'
import { DAI, startTraffic, UNI, USDC, WALLETS, WETH } from './mixed-traffic.ts'
import { recountChain } from './recount-chain.ts'
import { type Market, recountCoins, recountPeriods } from './recount-pl.ts'

// Some days and then an hour of mixed traffic on a real node, the hour with reorgs by its snapshots. What a follower
// and the loops that derive and compute make of it is served as an independent recount of the chain has it, and is
// stored as polling from nothing stores it. Prices are those of the sandbox's formula.

const SEED = Number(process.env['RECOUNT_SEED'] ?? 3)
const BLOCKS = 300
const [HOUR_S, DAY_S] = [3_600, 86_400]
const DAYS = 9
const BLOCKS_A_DAY = 3
const hourAgoS = Math.floor(Date.now() / 1_000) - 80 * 60
const { id: networkId, reorgDepth } = NETWORK
const [database, other] = [await testDatabase(), await testDatabase()]
const [followed, polled] = [database, other].map(({ ingestUrl }) =>
  openDb({ url: ingestUrl, maxConnections: 6, applicationName: 'test' }),
) as [ReturnType<typeof openDb>, ReturnType<typeof openDb>]
const api = await startApi({ database, routes })
const { key } = await api.newAccount({ plan: 'enterprise' })
let anvil: Anvil
let node: Awaited<ReturnType<typeof switchedNode>>
let reorgs = 0

afterAll(async () => {
  await Promise.all([followed.close(), polled.close()])
  await node?.stop()
  await anvil?.stop()
})

beforeAll(async () => {
  for (const { ownerUrl } of [database, other]) {
    await seedSandboxCoins(ownerUrl)
    await insertMarket(ownerUrl)
  }
  await activateNetworks(api.owner, [networkId])
  const start = String(hourAgoS - DAYS * DAY_S)
  anvil = await startAnvil([
    '--no-mining',
    '--order',
    'fifo',
    '--auto-impersonate',
    '--hardfork',
    'cancun',
    '--chain-id',
    '1',
    '--timestamp',
    start,
  ])
  // As on free plans, there are no traces.
  node = await switchedNode(anvil, /^(trace|debug)_/)
  const random = createRandom(SEED)
  const traffic = await startTraffic(anvil, random)
  await traffic.blocks(DAYS * BLOCKS_A_DAY, DAY_S / BLOCKS_A_DAY)
  await traffic.blocks(reorgDepth + 5)
  const network = await testNetwork(followed.pool, { networkId, url: node.url, reorgDepth })
  for (const address of WALLETS) {
    const { walletId } = await syncDirectly({ pool: followed.pool, network, address })
    await recomputeBook({ pool: followed.pool, book: { walletId, networkId }, nowMs: Date.now() })
  }
  const follower = await follow(
    { pool: followed.pool, node: httpNode(node.url) },
    { ...NETWORK, contracts: { wrapped: WETH.address, nativeToken: null, entryPoints: [] } },
  )
  await follower.catchUp()
  for (let mined = 0; mined < BLOCKS;) {
    const depth = random.integer(reorgDepth)
    const snapshot: unknown = await anvil.call('evm_snapshot')
    const blocks = 1 + depth
    await traffic.blocks(blocks)
    await follower.catchUp()
    if (random.chance(0.7)) await deriveAll({ pool: followed.pool, network })
    if (random.chance(0.3)) await computeAll()
    mined += blocks
    if (!random.chance(0.35)) continue
    // Another branch from the snapshot on, longer by a block.
    await anvil.call('evm_revert', snapshot)
    await traffic.blocks(blocks + 1)
    await follower.catchUp()
    mined++
    reorgs++
  }
  await deriveAll({ pool: followed.pool, network })
  await computeAll()
}, 1_500_000)

async function computeAll(): Promise<void> {
  while ((await computeChanged({ ...followed, now: () => new Date() }, new Map())) > 0) continue
}

test('E4 transactions and fees are served as a recount of the chain has them', async () => {
  expect(reorgs).toBeGreaterThan(5)
  for (const [wallet, { transactions }] of await recount()) {
    expect(transactions.length).toBeGreaterThan(50)
    expect((await servedTransactions(wallet)).toReversed()).toEqual(transactions)
  }
})

test('E4 balances are served as the node has them', async () => {
  for (const [wallet, { balances }] of await recount()) {
    const answer = await api.get(`/wallet/balance?address=${wallet}&connectionId=${networkId}`, key)
    const served = (await answer.json()) as { coinId: string; amount: number }[]
    expect(Object.fromEntries(served.map(({ coinId, amount }) => [coinId, amount]))).toEqual(balances)
  }
})

test('E4 case 37 the same rows are stored as by polling from nothing', async () => {
  const network = await testNetwork(polled.pool, { networkId, url: node.url, reorgDepth })
  for (const address of WALLETS) await syncDirectly({ pool: polled.pool, network, address })
  expect(await chainRows(followed.pool)).toEqual(await chainRows(polled.pool))
})

test('E4 cost and profit of each coin are served as a recount has them, in each unit of account', async () => {
  for (const [wallet, { transactions }] of await recount()) {
    const answer = await api.get(`/wallet/pl?address=${wallet}&connectionId=${networkId}`, key)
    const nowMs = Date.now()
    const { result } = (await answer.json()) as { result: ServedCoin[] }
    for (const unit of ['USD', 'BTC', 'ETH'] as const) {
      const coins = recountCoins(transactions, marketIn(unit), nowMs)
      expect(coins.get('uniswap')!.realized).not.toBe(0)
      const served = result.map(({ coin, count, totalCost, profit, averageBuy }) => [
        coin.identifier,
        {
          count,
          cost: totalCost[unit],
          unrealized: profit.unrealized[unit],
          realized: profit.realized[unit],
          allTime: profit.allTime[unit],
          hour24: profit.hour24[unit],
          averageBuy: averageBuy.allTime[unit],
        },
      ])
      expect(Object.fromEntries(served)).toEqual(
        Object.fromEntries([...coins].map(([id, figures]) => [id, near(figures, DIGITS[unit])])),
      )
    }
  }
})

test('E4 the profit of each day is served as a recount has it', async () => {
  for (const [wallet, { transactions }] of await recount()) {
    const path = `/wallet/pl/history?address=${wallet}&connectionId=${networkId}&range=all&interval=daily&currency=USD`
    const { result } = (await (await api.get(path, key)).json()) as {
      result: { date: string; profitLoss: number }[]
    }
    const endsMs = result.map(({ date }) => new Date(date).getTime())
    expect(endsMs.length).toBeGreaterThan(DAYS)
    expect(endsMs[0]).toBe(midnightAfter(transactions[0]!.at.getTime()))
    expect(endsMs.slice(1, -1)).toEqual(endsMs.slice(0, -2).map(midnightAfter))
    const profits = recountPeriods(transactions, marketIn('USD'), endsMs)
    expect(result.map(({ profitLoss }) => profitLoss)).toEqual(
      profits.map((profit) => expect.closeTo(profit, DIGITS.USD) as number),
    )
    const coins = [...recountCoins(transactions, marketIn('USD'), endsMs.at(-1)!).values()]
    expect(sum(profits)).toBeCloseTo(sum(coins.map(({ allTime }) => allTime)), 3)
  }
})

const TOKENS = [USDC, DAI, UNI, WETH].map(({ address, coinId, decimals }) => ({
  address,
  // Wrapped coins count as what they wrap.
  coin: address === WETH.address ? 'ethereum' : coinId!,
  decimals,
}))
const recount = () =>
  recountChain({
    url: anvil.url,
    wallets: WALLETS,
    native: 'ethereum',
    tokens: TOKENS,
    wrapped: WETH.address,
  })

interface ServedItem {
  date: string
  hash: { id: string }
  fee?: { count: number }
  transactions: { action: string; items: { count: number; coin?: { id: string } }[] }[]
}

/** All pages, newest first. */
async function servedTransactions(wallet: string) {
  const all: ServedItem[] = []
  for (let page = 1; ; page++) {
    const answer = await api.get(
      `/wallet/transactions?address=${wallet}&connectionId=${networkId}&limit=100&page=${page}`,
      key,
    )
    const { result } = (await answer.json()) as { result: ServedItem[] }
    all.push(...result)
    if (result.length < 100) break
  }
  return all.map(({ date, hash, fee, transactions }) => {
    const moved: Record<string, number> = {}
    for (const { count, coin } of transactions.flatMap(({ items }) => items))
      moved[coin!.id] = (moved[coin!.id] ?? 0) + count
    const changed = Object.fromEntries(Object.entries(moved).filter(([, count]) => count !== 0))
    return { hash: hash.id, at: new Date(date), moved: changed, fee: fee?.count ?? null }
  })
}

interface ServedCoin {
  coin: { identifier: string }
  count: number
  totalCost: ByUnit
  profit: Record<'unrealized' | 'realized' | 'allTime' | 'hour24', ByUnit>
  averageBuy: Record<'allTime', ByUnit>
}
type ByUnit = Record<'USD' | 'BTC' | 'ETH', number>

const sandboxMarket = createMarket({ seed: 7, anchor: Math.floor(hourAgoS / DAY_S) * DAY_S })
const priceUsd = (coin: string, atMs: number) =>
  sandboxMarket.priceUsd(coin, Math.floor(atMs / 1_000 / HOUR_S) * HOUR_S)!

const COINS = ['bitcoin', 'ethereum', ...TOKENS.map(({ coin }) => coin).filter((coin) => coin !== 'ethereum')]

/** Prices at full hours and at midnights, as sources give them. */
async function insertMarket(ownerUrl: string): Promise<void> {
  const { db: owner, close } = openDb({ url: ownerUrl, maxConnections: 1, applicationName: 'test' })
  await insertCoin(owner, { id: 'bitcoin', rank: 1, at: new Date() })
  await owner.deleteFrom('price_days').execute()
  const lastS = Math.floor(Date.now() / 1_000 / HOUR_S) * HOUR_S
  for (const coinId of COINS) {
    const times = Array.from({ length: (DAYS + 4) * 24 }, (_, i) => new Date((lastS - i * HOUR_S) * 1_000))
    const points = times.map((at) => [at, String(priceUsd(coinId, at.getTime()))] as const)
    await insertPrices(owner, { coinId, resolution: 'hour', points })
    const midnights = points.filter(([at]) => at.getTime() % (DAY_S * 1_000) === 0)
    await insertPrices(owner, { coinId, resolution: 'day', points: midnights })
  }
  await close()
}

const marketIn = (unit: keyof ByUnit): Market => {
  const unitOf = { USD: null, BTC: 'bitcoin', ETH: 'ethereum' }[unit]
  return {
    native: 'ethereum',
    isStable: (coin) => coin === 'usd-coin' || coin === 'dai',
    trust: (coin) => (coin === 'ethereum' || coin === 'bitcoin' ? 1 : 0),
    price: (coin, atMs) => priceUsd(coin, atMs) / (unitOf === null ? 1 : priceUsd(unitOf, atMs)),
  }
}

const sum = (all: readonly number[]) => all.reduce((total, one) => total + one, 0)
const midnightAfter = (ms: number) => (Math.floor(ms / 1_000 / DAY_S) + 1) * DAY_S * 1_000

/** Served amounts are exact, those of a recount are not: profit is a small difference of large values. */
const DIGITS = { USD: 5, BTC: 9, ETH: 8 }
const near = (figures: object, digits: number) =>
  Object.fromEntries(
    Object.entries(figures).map(([name, value]) => [name, expect.closeTo(value as number, digits)]),
  )
