import { afterAll, beforeAll, expect, test } from 'vitest'
import { rebuildTransactions } from '../../activities/chain/rebuild.ts'
import { getTransactions } from '../../api/chain/get-transactions.ts'
import { getWalletPl } from '../../api/chain/get-pl.ts'
import { getPlHistory } from '../../api/chain/get-pl-history.ts'
import { getPortfolioExplain } from '../../api/portfolios/get-explain.ts'
import { getPortfolioPlHistory } from '../../api/portfolios/get-pl-history.ts'
import { routes } from '../../api/routes.ts'
import { checkBalances } from '../../cli/verify/check-balances.ts'
import { checkPnl } from '../../cli/verify/check-pnl.ts'
import { FORMAT_VERSION } from '../../db/chain/stored-transaction.ts'
import { openDb, openReadonlyDb } from '../../db/connect.ts'
import { describeCoins } from '../../db/pnl/lots/read-coins.ts'
import { syncDirectly, testNetwork } from '../chain/sync-directly.ts'
import { memoryNode } from '../follow/memory-node.ts'
import { expectCoin } from '../portfolios/explain-coin-sums.ts'
import { expectPoint } from '../portfolios/explain-sums.ts'
import { oneTruth } from '../portfolios/one-truth.ts'
import { insertMarket, NOW, portfolioWorld } from '../portfolios/portfolio-world.ts'
import { startApi } from '../setup/api.ts'
import { testDatabase } from '../setup/database.ts'
import { endpoint } from '../setup/endpoint.ts'
import { query } from '../setup/query.ts'
import { activateNetworks, address } from '../setup/wallet-factories.ts'
import { createMemoryChain, topicOf, TRANSFER_TOPIC } from '../upstreams/nodes/chain.ts'
import type { LogSpec, MemoryChain, TransactionSpec } from '../upstreams/nodes/chain.ts'

// A wallet buys an NFT for 1 ETH (2,000) and sells it for 1.65 ETH (3,300), from the chain to the answers. ETH stays at
// 2,000 from 1 to 10 March 2026, and a block takes 6 hours.

const [payer, wallet, market, other] = [1, 2, 3, 4].map(address) as [string, string, string, string]
const PUNKS = address(0x72)
const NFT = `${PUNKS}-4_ethereum`
const ETHER = 10n ** 18n
/** 65,000 gas at 1 gwei */
const GAS_USD = 0.13
const database = await testDatabase()
const api = await startApi({ database, routes, overrides: { now: () => NOW } })
const ingest = openDb({ url: database.ingestUrl, maxConnections: 4, applicationName: 'test' })
const owner = openDb({ url: database.ownerUrl, maxConnections: 2, applicationName: 'test' })
const reader = openReadonlyDb({ url: database.apiUrl, maxConnections: 1, applicationName: 'test' })
const world = portfolioWorld(database, { db: api.owner }, ingest)
const { key, accountId } = await api.newAccount({ plan: 'pro', credits: 9_000_000 })
const of = (route: Parameters<typeof endpoint>[1]['route']) => endpoint(api, { route, key })
const scope = `address=${wallet}&connectionId=ethereum`
const window = 'interval=daily&from=2026-03-02&to=2026-03-10'

const moves = (from: string, to: string): LogSpec => ({
  address: PUNKS,
  topics: [TRANSFER_TOPIC, topicOf(from), topicOf(to), `0x${'4'.padStart(64, '0')}`],
  data: '0x',
})
const trade = (move: { from: string; to: string; wei: bigint }): TransactionSpec => ({
  from: move.to,
  to: market,
  value: move.wei,
  input: '0xfb0f3ee1',
  internals: [{ from: market, to: move.from, value: move.wei }],
  logs: [moves(move.from, move.to)],
})

const chain = createMemoryChain({
  startSeconds: Date.UTC(2026, 2, 1) / 1_000,
  blockSeconds: 6 * 3_600,
  funds: { [payer]: 100n * ETHER },
})
const node = memoryNode(chain)
node.hasTraces = true
let server: Awaited<ReturnType<typeof node.serve>>
let walletId: string
let portfolioId: string

function mineTo(number: number, on: MemoryChain): void {
  while (on.head() < number - 1) on.mine()
}

async function sync(): Promise<void> {
  const network = await testNetwork(ingest.pool, { networkId: 'ethereum', url: server.url, reorgDepth: 30 })
  ;({ walletId } = await syncDirectly({ pool: ingest.pool, network, address: wallet }))
  await world.compute({ walletId, networkId: 'ethereum' })
  await world.settle(accountId)
}

/** Profits of the days from 2 March on, each equal to its explanation. */
async function profits(): Promise<number[]> {
  const { body } = await of(getPlHistory)(`/wallet/pl/history?${scope}&${window}`)
  const own = `portfolioId=${portfolioId}&${window}`
  const { body: portfolio } = await of(getPortfolioPlHistory)(`/portfolio/pl/history?${own}`)
  expect(portfolio.result).toEqual(body.result)
  for (const point of body.result) {
    const { body: explained } = await of(getPortfolioExplain)(`/portfolio/explain?${own}&date=${point.date}`)
    expectPoint(explained, point)
  }
  return body.result.map(({ profitLoss }: { profitLoss: number }) => profitLoss)
}
const BOUGHT_AND_SOLD = [0, -GAS_USD, 0, 1_300, 0, 0, 0, 0]

const nftRow = async () => {
  const { body } = await of(getWalletPl)(`/wallet/pl?${scope}&coinId=${NFT}`)
  return body.result[0]
}

beforeAll(async () => {
  await activateNetworks(api.owner, ['ethereum'])
  await insertMarket(api.owner, database.ownerUrl)
  mineTo(4, chain)
  chain.mine({ from: payer, to: wallet, value: 10n * ETHER }, { from: payer, to: other, value: 10n * ETHER })
  mineTo(9, chain)
  chain.mine(trade({ from: payer, to: wallet, wei: ETHER }))
  mineTo(17, chain)
  chain.mine(trade({ from: wallet, to: other, wei: (165n * ETHER) / 100n }))
  mineTo(38, chain)
  server = await node.serve()
  portfolioId = await world.walletPortfolio(accountId, wallet, 'ethereum')
  await sync()
})
afterAll(() => Promise.all([ingest.close(), owner.close(), reader.close(), server.stop()]))

test('the gain of 1,300 is profit on the day of the sale, and nothing before', async () => {
  const found = await profits()
  BOUGHT_AND_SOLD.forEach((profit, day) => expect(found[day]).toBeCloseTo(profit, 9))
})

test('its row names the NFT, and its explanation adds up', async () => {
  const row = await nftRow()
  expect(row).toMatchObject({
    coin: { identifier: NFT, name: expect.stringMatching(/ #4$/) },
    count: 0,
    isPriced: false,
    profit: { realized: { USD: 1_300 }, allTime: { USD: 1_300 } },
  })
  const path = `/portfolio/explain?portfolioId=${portfolioId}&coinId=${NFT}`
  expectCoin((await of(getPortfolioExplain)(path)).body, row)
})

test('tokens and NFTs that no coin list has are named, also where blockchain and network have different ids', async () => {
  await query(
    database.ownerUrl,
    `insert into tokens (network_id, address, symbol, name, coin_id, source, fetched_at)
     values ('base-wallet', $1, 'HAT', 'Hats', $1 || '_base', 'test', now())`,
    [PUNKS],
  )
  const ids = [`${PUNKS}_base`, `${PUNKS}-7_base`]
  const found = await describeCoins(reader.db, ids)
  expect(ids.map((id) => [found.get(id)?.name, found.get(id)?.symbol])).toEqual([
    ['Hats', 'HAT'],
    ['Hats #7', 'HAT'],
  ])
})

/** Sums that differ between endpoints. */
async function disagreements(): Promise<string[]> {
  const ask = async (path: string) => (await api.get(path, key)).json()
  const wallets = { [portfolioId]: { address: wallet, connectionId: 'ethereum' } }
  const { compared, differences } = await oneTruth({ ask, wallets, exchanges: {}, hasDefi: false })
  expect(compared).toBeGreaterThan(30)
  return differences
}

test('all endpoints agree', async () => {
  expect(await disagreements()).toEqual([])
})

test('the lots of exports have the gain', async () => {
  const rows = await query(
    database.ownerUrl,
    `select quantity::float, cost_usd::float, proceeds_usd::float, gain_usd::float from disposals where coin_id = $1`,
    [NFT],
  )
  expect(rows[0]).toEqual({ quantity: 1, cost_usd: 2_000, proceeds_usd: 3_300, gain_usd: 1_300 })
})

test('the transaction says what the NFT was worth; it has no coin, balance or difference', async () => {
  const { body } = await of(getTransactions)(`/wallet/transactions?${scope}`)
  const [sold, bought] = body.result
  expect([bought.type, sold.type]).toEqual(['Buy', 'Sell'])
  const items = bought.transactions.flatMap(({ items: all }: any) => all)
  expect(items.map(({ coin, nft, totalWorth }: any) => [coin?.id ?? nft.id, totalWorth])).toEqual([
    ['ethereum', 2_000],
    [`${PUNKS}-4`, 2_000],
  ])
  expect(bought.coinData.symbol).toBe('ETH')
  const balances = await query(database.ownerUrl, 'select coin_id from balances where wallet_id = $1', [
    walletId,
  ])
  expect(balances).toEqual([{ coin_id: 'ethereum' }])
  expect((await checkBalances(owner.db, null)).differences).toEqual([])
  const checks = await checkPnl({ pool: owner.pool, portfolioId: null, sample: 9, onProgress: () => {} })
  expect(checks.flatMap(({ differences }) => differences)).toEqual([])
})

test('a wallet that an older release derived gets the figures when it is rebuilt', async () => {
  await query(database.ownerUrl, `delete from movements where coin_id = $1`, [NFT])
  await query(database.ownerUrl, `update movements set role = 'transfer' where role = 'trade'`)
  await query(database.ownerUrl, 'update wallet_syncs set format_version = $1, normalised_version = $1', [
    FORMAT_VERSION - 1,
  ])
  await query(database.ownerUrl, `update pl_states set dirty_from = '2026-03-01', legs_changed = true`)
  await world.compute({ walletId, networkId: 'ethereum' })
  expect((await profits()).every((profit) => Math.abs(profit) < 1)).toBe(true)
  await rebuildTransactions({ pool: ingest.pool, now: () => new Date() }, () => {})
  await world.compute({ walletId, networkId: 'ethereum' })
  const found = await profits()
  BOUGHT_AND_SOLD.forEach((profit, day) => expect(found[day]).toBeCloseTo(profit, 9))
})

test('a reorg that takes the sale back leaves the NFT at its cost, in value and history', async () => {
  const branch = chain.fork(16, 'without the sale')
  mineTo(39, branch)
  node.chain = branch
  await sync()
  const found = await profits()
  ;[0, -GAS_USD, 0, 0, 0, 0, 0, 0].forEach((profit, day) => expect(found[day]).toBeCloseTo(profit, 9))
  expect(await nftRow()).toMatchObject({
    count: 1,
    isPriced: false,
    price: { USD: 0 },
    totalCost: { USD: 2_000 },
    profit: { unrealized: { USD: 0 }, realized: { USD: 0 } },
  })
  const { summary } = (await of(getWalletPl)(`/wallet/pl?${scope}`)).body
  expect(summary).toMatchObject({ unpriced: { count: 1, cost: { USD: 2_000 } } })
  expect(summary.totalValue.USD).toBeCloseTo(20_000 - GAS_USD, 6)
  expect(await disagreements()).toEqual([])
})
