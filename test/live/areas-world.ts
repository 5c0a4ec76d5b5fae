import { bitcoinWallets } from '../../sandbox/bitcoin/actors.ts'
import { createEsplora } from '../../sandbox/bitcoin/esplora.ts'
import { coins as sandboxCoins } from '../../sandbox/market/coins.ts'
import { exchanges } from '../../sandbox/market/exchanges.ts'
import { createMarket as createSandboxMarket } from '../../sandbox/market/market.ts'
import { createSolanaChain } from '../../sandbox/solana/chain.ts'
import { solanaWallets } from '../../sandbox/solana/actors.ts'
import type { Upstream } from '../../sandbox/upstream.ts'
import { createWorld } from '../../sandbox/world.ts'
import { AREAS } from '../../activities/all-areas.ts'
import { address } from '../setup/wallet-factories.ts'
import { startAlchemyTransfers } from '../upstreams/alchemy-transfers.ts'
import { startBlockscoutPro } from '../upstreams/blockscout.ts'
import type { DoubleServer, FakeClock } from '../upstreams/double.ts'
import { startEsplora } from '../upstreams/esplora.ts'
import { startEtherscan } from '../upstreams/etherscan.ts'
import { startOpenSea } from '../upstreams/opensea.ts'
import { startRuled } from '../upstreams/prices/ruled.ts'
import { answerFrom } from '../upstreams/served-upstream.ts'
import { startBinance, startCoinbase, startKraken } from '../upstreams/prices/exchanges.ts'
import { startCoinGecko } from '../upstreams/prices/coingecko.ts'
import { startCoinPaprika } from '../upstreams/prices/coinpaprika.ts'
import { startDefiLlama } from '../upstreams/prices/defillama.ts'
import { createMarket } from '../upstreams/prices/market.ts'
import { startRoutescan } from '../upstreams/routescan.ts'
import { startAlchemyNft } from '../upstreams/small/alchemy-nft.ts'
import { startAlternativeMe } from '../upstreams/small/alternative-me.ts'
import { startFrankfurter } from '../upstreams/small/frankfurter.ts'
import { startGoPlus } from '../upstreams/small/goplus.ts'
import { startNewsFeed } from '../upstreams/small/news-feed.ts'
import { startRugCheck } from '../upstreams/small/rugcheck.ts'
import { startSolana } from '../upstreams/solana.ts'
import { startPredictionDay } from './areas-prediction.ts'
import { createDayChain } from './day-chain.ts'
import type { DayChain } from './day-chain.ts'
import { startDayNodes } from './day-nodes.ts'
import { dayBitcoin } from './day-world.ts'

/** A double of a source, with the rows of its rules that refused something. */
export type SourceDouble = DoubleServer & { refused: number[] }

const COINS = 500
const [EVM_WALLETS, BITCOIN_ADDRESSES] = [6, 10]
/** Blocks that a chain has before the day. */
const BLOCKS_BEFORE = 2_000
/** More than a node without an explorer is asked for, as on the real chains. */
const BLOCKS_BEFORE_ALONE = 101_000
/** transactions of a network's wallets in a day */
const PER_DAY = 40

/** Section 10: without a key, Routescan alone tells the history of wallets, and not on the others of these chains. */
const NETWORKS = [
  {
    id: 'ethereum',
    chainId: 1,
    blockMs: 12_000,
    hosts: ['ethereum-rpc.publicnode.com', 'eth.drpc.org'],
    hasExplorer: true,
  },
  {
    id: 'base-wallet',
    chainId: 8453,
    blockMs: 2_000,
    hosts: ['base-rpc.publicnode.com', 'base.drpc.org', 'mainnet.base.org'],
    hasExplorer: false,
  },
  {
    id: 'arbitrum-wallet',
    chainId: 42161,
    blockMs: 250,
    hosts: ['arbitrum-one-rpc.publicnode.com', 'arbitrum.drpc.org'],
    hasExplorer: false,
  },
  {
    id: 'binancesmartchain',
    chainId: 56,
    blockMs: 450,
    hosts: ['bsc-rpc.publicnode.com', 'bsc.drpc.org', 'bsc-dataseed.bnbchain.org'],
    hasExplorer: false,
  },
] as const

export interface AreasWorld {
  clock: FakeClock
  /** doubles by the name of the source */
  doubles: Record<string, SourceDouble>
  /** what an operator sets, so that the doubles are asked instead of the vendors */
  settings: Record<string, string>
  nodes: Awaited<ReturnType<typeof startDayNodes>>
  wallets: { address: string; networkId: string }[]
  chains: { id: string; chain: DayChain }[]
  /** What happens at the venues each five minutes. */
  trade: () => void
  /** requests that count against the month of a vendor */
  months: () => { source: string; spent: number; quota: number }[]
  stop: () => Promise<void>
}

/** Everything that a start with live sources and these keys reads, as strict doubles: section 10 of the facts. */
export async function startAreasWorld({
  clock,
  quietFromMs,
  keys,
}: {
  clock: FakeClock
  quietFromMs: number
  /** keys by variable: services that need one are there if it is set */
  keys: Record<string, string>
}): Promise<AreasWorld> {
  const anchor = clock.now() / 1_000
  const mounts = createWorld({ seed: 1, anchor, rpcUrls: [] })
  const upstreamOf = (base: string): Upstream => mounts.find((mount) => mount.base === base)!.upstream
  const below =
    (base: string): Upstream =>
    (request) =>
      upstreamOf(base)(request)

  const coinGeckoOthers: Upstream = ({ path, ...request }) =>
    path[0] === 'nfts'
      ? upstreamOf('/coingecko/api/v3/nfts')({ ...request, path: path.slice(1) })
      : upstreamOf('/coingecko/api/v3')({ ...request, path })
  const coins = createMarket(COINS)
  const market = { clock, coins }
  const chains = NETWORKS.map((network, n) => ({
    ...network,
    chain: createDayChain({
      ...network,
      clock,
      before: network.hasExplorer ? BLOCKS_BEFORE : BLOCKS_BEFORE_ALONE,
      wallets: evmWallets(),
      perDay: PER_DAY,
      quietFromMs,
      seed: n + 1,
    }),
  }))
  const explored = { clock, chains: chains.map(({ chain }) => chain) }
  const nodes = await startDayNodes({ clock, networks: chains })
  const bitcoin = dayBitcoin({ clock, perDay: PER_DAY, quietFromMs, count: BITCOIN_ADDRESSES })
  const esplora = createEsplora(() => bitcoin.chain.chain)
  const solana = createSolanaChain({ market: createSandboxMarket({ seed: 1, anchor }) })
  const prediction = await startPredictionDay({ clock })
  const feeds = await Promise.all(
    AREAS.find(({ name }) => name === 'news')!
      .sources.filter(({ defaultUrl }) => defaultUrl !== null)
      .map(
        async ({ name }) => [name, await startNewsFeed({ clock, name, upstream: below('/feeds') })] as const,
      ),
  )
  const alchemyKey = keys['ALCHEMY_API_KEY']
  const coingecko = await startCoinGecko({
    ...market,
    plan: keys['COINGECKO_API_KEY'] ? 'demo' : 'keyless',
    others: coinGeckoOthers,
  })
  const coinpaprika = await startCoinPaprika({ ...market, exchanges: below('/coinpaprika/v1') })
  const doubles: AreasWorld['doubles'] = {
    coingecko,
    coinpaprika,
    defillama: await startDefiLlama(market),
    'coinbase-candles': await startCoinbase(market),
    'kraken-ohlc': await startKraken(market),
    'binance-klines': await startBinance({ ...market, others: listedMarkets() }),
    frankfurter: await startFrankfurter({ clock }),
    'alternative-me': await startAlternativeMe({ clock, upstream: below('/alternative-me') }),
    goplus: await startGoPlus({ clock }),
    rugcheck: await startRugCheck({ clock, upstream: below('/rugcheck') }),
    routescan: await startRoutescan(explored),
    ...(keys['ETHERSCAN_API_KEY'] && { etherscan: await startEtherscan(explored) }),
    ...(keys['BLOCKSCOUT_API_KEY'] && { blockscout: await startBlockscoutPro(explored) }),
    ...(alchemyKey && {
      'alchemy-transfers': await startAlchemyTransfers({ ...explored, books: nodes.books['alchemy.com']! }),
      'alchemy-nft': await startAlchemyNft({ clock, key: alchemyKey }),
    }),
    esplora: await startEsplora({
      clock,
      chain: (request) => {
        bitcoin.mineDue()
        return esplora(request)
      },
    }),
    solana: await startSolana({ clock, chain: solana }),
    // Section 5 knows no limit of a gateway.
    ipfs: await startRuled([], answerFrom(below('/ipfs-gateway'), clock)),
    ...(keys['OPENSEA_API_KEY'] && {
      opensea: await startOpenSea({ clock, upstream: below('/opensea/api/v2') }),
    }),
    ...prediction.doubles,
    ...Object.fromEntries(feeds),
  }
  return {
    clock,
    doubles,
    settings: { ...urlsOf(doubles), ...nodeSettings(nodes.rpcUrls) },
    nodes,
    chains,
    wallets: [
      ...chains.flatMap(({ id }) => evmWallets().map((one) => ({ address: one, networkId: id }))),
      ...[bitcoinWallets[0]!.name, bitcoin.wallets[3]!].map((one) => ({
        address: one,
        networkId: 'bitcoin',
      })),
      ...solanaWallets.slice(0, 2).map((one) => ({ address: one.address, networkId: 'solana' })),
    ],
    trade: prediction.trade,
    months: () => [
      { source: 'coingecko', spent: coingecko.spent(), quota: 10_000 },
      { source: 'coinpaprika', spent: coinpaprika.spent(), quota: 20_000 },
    ],
    async stop() {
      await nodes.stop()
      await Promise.all(Object.values(doubles).map((double) => double.stop()))
    },
  }
}

/** Markets that CoinGecko's double lists for Binance: those of the sandbox's coins. */
function listedMarkets(): Set<string> {
  const binance = exchanges.find(({ geckoId }) => geckoId === 'binance')!
  return new Set(
    sandboxCoins.flatMap(({ symbol }) =>
      Object.keys(binance.targets).map((target) => symbol.toUpperCase() + target),
    ),
  )
}

const evmWallets = () => Array.from({ length: EVM_WALLETS }, (_, i) => address(0xa_0000 + i))

/** The path below the host of a source's own address is part of its double's. */
function urlsOf(doubles: Record<string, SourceDouble>): Record<string, string> {
  const specs = AREAS.flatMap(({ sources }) => sources)
  return Object.fromEntries(
    Object.entries(doubles).map(([name, double]) => {
      const { urlVariable, defaultUrl } = specs.find((one) => one.name === name)!
      if (name === 'routescan') return [urlVariable, (double as unknown as { networkUrl: string }).networkUrl]
      const own = 'apiUrl' in double ? String(double.apiUrl) : double.url
      return [urlVariable, name === 'esplora' || defaultUrl === null ? double.url : own]
    }),
  )
}

const nodeSettings = (rpcUrls: Record<string, readonly string[]>) =>
  Object.fromEntries(
    Object.entries(rpcUrls).map(([id, urls]) => [
      `RPC_URL_${id.toUpperCase().replaceAll('-', '_')}`,
      urls.join(','),
    ]),
  )
