import { afterAll, expect, onTestFinished, test } from 'vitest'
import { createNetworks } from '../../activities/chain/networks.ts'
import { createBlockscout } from '../../activities/chain/sources/blockscout.ts'
import { createEtherscan, createRoutescan } from '../../activities/chain/sources/etherscan.ts'
import { createAlchemyTransfers } from '../../activities/chain/sources/alchemy-transfers.ts'
import type { Explorer } from '../../activities/chain/sources/explorer.ts'
import { createHttpClient } from '../../activities/http.ts'
import { createAlchemyNft } from '../../activities/nft/sources/alchemy-nft.ts'
import { createOpenSea } from '../../activities/nft/sources/opensea.ts'
import { createBinance } from '../../activities/prices/sources/binance-candles.ts'
import { createCoinbase } from '../../activities/prices/sources/coinbase-candles.ts'
import { createFrankfurter } from '../../activities/prices/sources/frankfurter.ts'
import { createKraken } from '../../activities/prices/sources/kraken-ohlc.ts'
import { createRiskActivities } from '../../activities/risk/index.ts'
import { openDb } from '../../db/connect.ts'
import { DAY_MS } from '../../db/values/periods.ts'
import type { RiskToken } from '../../db/risk/chains.ts'
import { BLOCKBOOK_COINS, bitcoinWallets } from '../../sandbox/bitcoin/actors.ts'
import { createBitcoinChain } from '../../sandbox/bitcoin/chain.ts'
import { cardanoWallets } from '../../sandbox/cardano/actors.ts'
import { createCardanoChain } from '../../sandbox/cardano/ledger.ts'
import { actorsOf, COSMOS_NETS } from '../../sandbox/cosmos/actors.ts'
import { createCosmosChain } from '../../sandbox/cosmos/ledger.ts'
import { solanaWallets } from '../../sandbox/solana/actors.ts'
import { createSolanaChain } from '../../sandbox/solana/chain.ts'
import { suiWallets } from '../../sandbox/sui/actors.ts'
import { createSuiChain } from '../../sandbox/sui/ledger.ts'
import { tonWallets } from '../../sandbox/ton/actors.ts'
import { createTonChain } from '../../sandbox/ton/ledger.ts'
import { tronWallets } from '../../sandbox/tron/actors.ts'
import { createTronChain } from '../../sandbox/tron/chain.ts'
import type { Upstream } from '../../sandbox/upstream.ts'
import { createWorld } from '../../sandbox/world.ts'
import { xrplWallets } from '../../sandbox/xrpl/actors.ts'
import { createXrplChain } from '../../sandbox/xrpl/ledger.ts'
import { ANCHOR, market } from '../chain/other-chains.ts'
import { syncDirectly } from '../chain/sync-directly.ts'
import { testDatabase } from '../setup/database.ts'
import { query } from '../setup/query.ts'
import { ALICE, BOB, stopLater, TOKEN } from './actors.ts'
import { ALCHEMY_KEY, startAlchemyTransfers } from './alchemy-transfers.ts'
import { BLOCKSCOUT_KEY, startBlockscoutPro } from './blockscout.ts'
import { createClock } from './double.ts'
import type { DoubleServer, FakeClock } from './double.ts'
import { startEsplora } from './esplora.ts'
import { ETHERSCAN_KEY, startEtherscan } from './etherscan.ts'
import { createFieldReads } from './field-reads.ts'
import { createKalshiMarket } from './kalshi-market.ts'
import { liveWorker } from './live-worker.ts'
import { createMemoryChain, tokenTransfer } from './nodes/chain.ts'
import { ONE_SIDED } from './one-sided-fields.ts'
import { startOpenSea } from './opensea.ts'
import { createPolymarketMarket } from './polymarket-market.ts'
import { predictionDatabase } from './prediction-doubles.ts'
import { startBinance, startCoinbase, startKraken } from './prices/exchanges.ts'
import { createMarket } from './prices/market.ts'
import { priceWorker, startPriceDoubles } from './prices/price-doubles.ts'
import { startRoutescan } from './routescan.ts'
import { COLLECTION, startAlchemyNft } from './small/alchemy-nft.ts'
import { startFrankfurter } from './small/frankfurter.ts'
import { startGoPlus } from './small/goplus.ts'
import { startSolana } from './solana.ts'
import { startBlockbook } from './wallets/blockbook.ts'
import { startCosmos } from './wallets/cosmos.ts'
import { startKoios } from './wallets/koios.ts'
import { startRippled } from './wallets/rippled.ts'
import { startSui } from './wallets/sui.ts'
import { startToncenter } from './wallets/toncenter.ts'
import { startTrongrid } from './wallets/trongrid.ts'

// Each adapter runs against its double, and the list of fields that only one of both knows is in one-sided-fields.ts.

const reads = createFieldReads()
const database = await testDatabase()
const { pool, close } = openDb({ url: database.ingestUrl, maxConnections: 4, applicationName: 'test' })
const { polymarket, kalshi } = await predictionDatabase({ wrap: reads.wrap })
afterAll(close)

/** A client without waits: what is looked at here is what answers contain. */
function clientOf(sources: Record<string, { url: string }>, clock: FakeClock) {
  const gate = {
    admit: async () => clock.advance(5_000),
    succeeded: async () => {},
    failed: async () => {},
  }
  const http = createHttpClient({ gate, sources, random: () => 0 })
  onTestFinished(() => http.close())
  return reads.wrap(http)
}

const coin = BLOCKBOOK_COINS[0]!
const net = COSMOS_NETS[0]!

/** What the sandbox serves below a path, where a double gives its answers and refuses what the service refuses. */
function sandboxOf(clock: FakeClock, base: string): Upstream {
  const mounts = createWorld({ seed: 1, anchor: clock.now() / 1_000, rpcUrls: [] })
  return mounts.find((mount) => mount.base === base)!.upstream
}

interface Wallets {
  networkId: string
  source: string
  addresses: readonly string[]
  start: (clock: FakeClock) => Promise<DoubleServer>
}

const wallets: Wallets[] = [
  {
    networkId: 'bitcoin',
    source: 'esplora',
    addresses: [bitcoinWallets[1]!.name],
    start: (clock) => startEsplora({ clock, chain: createBitcoinChain({ market }) }),
  },
  {
    networkId: coin.id,
    source: `${coin.id}-blockbook`,
    addresses: [coin.wallets.at(-1)!.name],
    start: (clock) => startBlockbook({ clock, coin, chain: createBitcoinChain({ market, coin }) }),
  },
  {
    networkId: 'solana',
    source: 'solana',
    addresses: [solanaWallets[0]!.address],
    start: (clock) => startSolana({ clock, chain: createSolanaChain({ market }) }),
  },
  {
    networkId: 'tron',
    source: 'trongrid',
    addresses: tronWallets.slice(0, 2).map(({ address }) => address),
    start: (clock) => startTrongrid({ clock, chain: createTronChain({ market }) }),
  },
  {
    networkId: 'xrpl',
    source: 'xrpl',
    addresses: xrplWallets.slice(0, 2).map(({ address }) => address),
    start: (clock) => startRippled({ clock, chain: createXrplChain({ market }) }),
  },
  {
    networkId: 'cosmos',
    source: 'cosmos-rest',
    addresses: actorsOf(net).wallets.map(({ address }) => address),
    start: (clock) => startCosmos({ clock, chain: createCosmosChain({ market, net }) }),
  },
  {
    networkId: 'sui',
    source: 'sui-graphql',
    addresses: suiWallets.slice(0, 2).map(({ address }) => address),
    start: (clock) => startSui({ clock, chain: createSuiChain({ market }) }),
  },
  {
    networkId: 'ton',
    source: 'toncenter',
    addresses: tonWallets.slice(0, 2).map(({ address }) => address),
    start: (clock) => startToncenter({ clock, chain: createTonChain({ market }) }),
  },
  {
    networkId: 'cardano',
    source: 'koios',
    addresses: cardanoWallets.map(({ name }) => name),
    start: async (clock) => {
      const double = await startKoios({ clock, chain: createCardanoChain({ market }) })
      return { ...double, url: `${double.url}/api/v1` }
    },
  },
]

/** To be called when everything that the adapter reads was read once. */
function expectListed(source: string): void {
  const { unread = {}, absent = {}, seldom = [] } = ONE_SIDED[source] ?? {}
  const all = reads.lists()[source] ?? { unread: [], absent: [] }
  const found = { ...all, absent: all.absent.filter((field) => !seldom.includes(field)) }
  const listed = {
    unread: Object.values(unread).flat().toSorted(),
    absent: Object.values(absent).flat().toSorted(),
  }
  expect(listed, source).toEqual(found)
}

test.each(wallets)('$source', async ({ networkId, source, addresses, start }) => {
  const clock = createClock(ANCHOR * 1_000)
  const { url } = stopLater(await start(clock))
  const sources = { [source]: { url, key: null, requestsPerSecond: 1, burst: 1 } }
  const http = clientOf(sources, clock)
  const nodes = () => Promise.reject(new Error('these networks have no nodes'))
  const now = () => new Date(clock.now())
  const network = await createNetworks({ pool, http, nodes, config: { sources }, now })(networkId)
  for (const address of addresses) {
    await network.source.readHoldings({ address, contracts: [] })
    await syncDirectly({ pool, network, address })
  }
  const { readStates, listAccounts } = network.source
  if (readStates && listAccounts) await readStates(await listAccounts(addresses[0]!))
  expectListed(source)
})

test.each([
  { source: 'etherscan', chainId: 1 },
  { source: 'routescan', chainId: 1 },
  { source: 'blockscout', chainId: 8453 },
  { source: 'alchemy-transfers', chainId: 1 },
])('$source', async ({ source, chainId }) => {
  const clock = createClock()
  const chain = createMemoryChain({ chainId })
  for (let i = 0; i < 30; i++)
    chain.mine(
      { from: BOB, to: ALICE, value: 1n },
      tokenTransfer({ token: TOKEN, from: BOB, to: ALICE, raw: 5n }),
      { from: BOB, to: TOKEN, internals: [{ from: TOKEN, to: ALICE, value: 2n }] },
    )
  const world = { clock, chains: [chain] }
  let explorer: Explorer
  if (source === 'etherscan') {
    const { apiUrl: url } = stopLater(await startEtherscan(world))
    explorer = createEtherscan({ http: clientOf({ etherscan: { url } }, clock), url, key: ETHERSCAN_KEY })
  } else if (source === 'routescan') {
    const { networkUrl: url } = stopLater(await startRoutescan(world))
    explorer = createRoutescan({ http: clientOf({ routescan: { url } }, clock), url, key: null })
  } else if (source === 'alchemy-transfers') {
    const { apiUrl: url } = stopLater(await startAlchemyTransfers(world))
    const http = clientOf({ 'alchemy-transfers': { url } }, clock)
    explorer = createAlchemyTransfers({ http, url, key: ALCHEMY_KEY })
  } else {
    const { url } = stopLater(await startBlockscoutPro(world))
    explorer = createBlockscout({ http: clientOf({ blockscout: { url } }, clock), url, key: BLOCKSCOUT_KEY })
  }
  const asked = { chainId, address: ALICE, fromBlock: 0, toBlock: chain.head() }
  let next: string | null = null
  do next = (await explorer.step({ ...asked, next })).next
  while (next !== null)
  expectListed(source)
})

test('coingecko, coinpaprika and defillama', async () => {
  for (const demoKey of [false, true]) {
    const doubles = await startPriceDoubles({ coins: 600, demoKey })
    const { prices } = await priceWorker(database, { ...doubles, demoKey, wrap: reads.wrap })
    await prices.refreshQuotes()
    await prices.refreshTotals()
    await prices.refreshTokenQuotes()
    await prices.refreshListings()
    doubles.clock.advance(3_600_000)
    await prices.describeCoins({ limit: 5 })
    const toMs = Math.floor(doubles.clock.now() / DAY_MS) * DAY_MS
    await prices.fillHistory({
      resolution: 'day',
      coinIds: ['bitcoin'],
      fromMs: toMs - 730 * DAY_MS,
      toMs,
    })
  }
  for (const source of ['coingecko', 'coinpaprika', 'defillama']) expectListed(source)
})

test('goplus', async () => {
  const clock = createClock(Date.UTC(2026, 10, 2, 9))
  const double = stopLater(await startGoPlus({ clock }))
  const deps = await liveWorker(database, {
    clock,
    settings: { GOPLUS_URL: double.url },
    wrap: reads.wrap,
  })
  await query(database.ownerUrl, 'truncate token_risks, quarantine, coins cascade')
  const tokens = Array.from({ length: 25 }, (_, n): RiskToken => ({
    blockchain: 'ethereum',
    address: `0x${(n + 1).toString(16).padStart(40, '0')}`,
  }))
  await createRiskActivities(deps).checkTokens({ tokens })
  expectListed('goplus')
})

test('frankfurter', async () => {
  const clock = createClock(Date.UTC(2026, 0, 5, 9))
  const { url } = stopLater(await startFrankfurter({ clock }))
  const http = clientOf({ frankfurter: { url } }, clock)
  await createFrankfurter({ http, url }).rates({ from: '2025-12-29', to: '2026-01-05' })
  expectListed('frankfurter')
})

test.each([
  { source: 'binance-klines', start: startBinance, create: createBinance },
  { source: 'kraken-ohlc', start: startKraken, create: createKraken },
  { source: 'coinbase-candles', start: startCoinbase, create: createCoinbase },
])('$source', async ({ source, start, create }) => {
  const clock = createClock(Date.UTC(2026, 10, 2, 9))
  const { url } = stopLater(await start({ clock, coins: createMarket(10) }))
  const http = clientOf({ [source]: { url } }, clock)
  const now = () => new Date(clock.now())
  const toMs = clock.now()
  const range = { symbol: 'BTC', resolution: 'hour', fromMs: toMs - DAY_MS, toMs } as const
  expect((await create({ http, url, now }).candles(range)).points.length).toBeGreaterThan(0)
  expectListed(source)
})

test('opensea', async () => {
  const clock = createClock(Date.UTC(2026, 10, 2, 9))
  const upstream = sandboxOf(clock, '/opensea/api/v2')
  const double = stopLater(await startOpenSea({ clock, upstream }))
  const { apiUrl: url } = double
  double.keys.set('a-key', clock.now() + DAY_MS)
  const opensea = createOpenSea({ http: clientOf({ opensea: { url } }, clock), url, key: 'a-key' })
  for (const { slug, contracts } of (await opensea.trending()).rows) {
    await opensea.collection(slug)
    await opensea.stats(slug)
    await opensea.listings({ slug, next: null })
    await opensea.sales({ slug, after: null, next: null })
    for (const contract of contracts) {
      await opensea.contract(contract)
      await opensea.nfts({ ...contract, next: null })
    }
  }
  expectListed('opensea')
})

test('alchemy-nft', async () => {
  const clock = createClock()
  const { url } = stopLater(await startAlchemyNft({ clock, key: 'good' }))
  const alchemy = createAlchemyNft({ http: clientOf({ 'alchemy-nft': { url } }, clock), url, key: 'good' })
  const contract = { networkId: 'ethereum', address: COLLECTION }
  await alchemy.contract(contract)
  await alchemy.floorPrice(contract)
  await alchemy.nfts({ ...contract, next: null })
  expectListed('alchemy-nft')
})

test('polymarket', async () => {
  const newestAt = createClock().now() / 1_000 - 60
  const { sync } = await polymarket(
    [1, 2].map((number) => createPolymarketMarket({ number, rows: 30, newestAt })),
  )
  await sync('polymarket')
  for (const source of ['polymarket-gamma', 'polymarket-data', 'polymarket-clob']) expectListed(source)
})

test('kalshi', async () => {
  const newestAt = createClock().now() / 1_000 - 60
  const { sync } = await kalshi([1, 2].map((number) => createKalshiMarket({ number, trades: 30, newestAt })))
  await sync('kalshi')
  expectListed('kalshi')
})

test('no list of a source that no test runs', () => {
  expect(Object.keys(ONE_SIDED).filter((source) => !(source in reads.lists()))).toEqual([])
})
