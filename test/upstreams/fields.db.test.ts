import { afterAll, expect, onTestFinished, test } from 'vitest'
import { createNetworks } from '../../activities/chain/networks.ts'
import { createBlockscout } from '../../activities/chain/sources/blockscout.ts'
import { createEtherscan, createRoutescan } from '../../activities/chain/sources/etherscan.ts'
import type { Explorer } from '../../activities/chain/sources/explorer.ts'
import { createHttpClient } from '../../activities/http.ts'
import { createFrankfurter } from '../../activities/prices/sources/frankfurter.ts'
import { createRiskActivities } from '../../activities/risk/index.ts'
import { openDb } from '../../db/connect.ts'
import { DAY_MS } from '../../db/values/periods.ts'
import type { RiskToken } from '../../db/risk/chains.ts'
import { BLOCKBOOK_COINS, bitcoinWallets } from '../../sandbox/bitcoin/actors.ts'
import { createBitcoinChain } from '../../sandbox/bitcoin/chain.ts'
import { actorsOf, COSMOS_NETS } from '../../sandbox/cosmos/actors.ts'
import { createCosmosChain } from '../../sandbox/cosmos/ledger.ts'
import { solanaWallets } from '../../sandbox/solana/actors.ts'
import { createSolanaChain } from '../../sandbox/solana/chain.ts'
import { suiWallets } from '../../sandbox/sui/actors.ts'
import { createSuiChain } from '../../sandbox/sui/ledger.ts'
import { tronWallets } from '../../sandbox/tron/actors.ts'
import { createTronChain } from '../../sandbox/tron/chain.ts'
import { xrplWallets } from '../../sandbox/xrpl/actors.ts'
import { createXrplChain } from '../../sandbox/xrpl/ledger.ts'
import { ANCHOR, market } from '../chain/other-chains.ts'
import { syncDirectly } from '../chain/sync-directly.ts'
import { testDatabase } from '../setup/database.ts'
import { query } from '../setup/query.ts'
import { ALICE, BOB, stopLater, TOKEN } from './actors.ts'
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
import { createPolymarketMarket } from './polymarket-market.ts'
import { predictionDatabase } from './prediction-doubles.ts'
import { priceWorker, startPriceDoubles } from './prices/price-doubles.ts'
import { startRoutescan } from './routescan.ts'
import { startFrankfurter } from './small/frankfurter.ts'
import { startGoPlus } from './small/goplus.ts'
import { startSolana } from './solana.ts'
import { startBlockbook } from './wallets/blockbook.ts'
import { startCosmos } from './wallets/cosmos.ts'
import { startRippled } from './wallets/rippled.ts'
import { startSui } from './wallets/sui.ts'
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
