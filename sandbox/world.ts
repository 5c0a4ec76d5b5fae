import { createBitcoinChain } from './bitcoin/chain.ts'
import type { NetworkId } from './chain/tokens.ts'
import { lazy } from './lazy.ts'
import { createExchanges } from './market/exchanges.ts'
import { createMarket } from './market/market.ts'
import { createStatistics } from './market/statistics.ts'
import { createNftWorld } from './nft/nft-world.ts'
import { createPredictionWorld } from './prediction/prediction-world.ts'
import type { Mount } from './server.ts'
import { createSolanaChain } from './solana/chain.ts'
import { createAlchemyNft } from './upstreams/alchemy-nft.ts'
import { createAlternativeMe } from './upstreams/alternative-me.ts'
import { createBinance } from './upstreams/binance.ts'
import { createBinanceKlines } from './upstreams/binance-klines.ts'
import { createBlockscout } from './upstreams/blockscout.ts'
import { createChainIndex } from './upstreams/chain-index.ts'
import { createCoinGecko } from './upstreams/coingecko.ts'
import { createCoinGeckoNfts } from './upstreams/coingecko-nfts.ts'
import { createCoinMarketCap } from './upstreams/coinmarketcap.ts'
import { createCoinPaprika } from './upstreams/coinpaprika.ts'
import { createDefiLlama } from './upstreams/defillama.ts'
import { createEcb, createEurofxref } from './upstreams/ecb.ts'
import { createEsplora } from './upstreams/esplora.ts'
import { createEtherscan } from './upstreams/etherscan.ts'
import { createKalshi } from './upstreams/kalshi.ts'
import { createFrankfurter } from './upstreams/frankfurter.ts'
import { createGoPlus } from './upstreams/goplus.ts'
import { createNews } from './upstreams/news.ts'
import { createKraken } from './upstreams/kraken.ts'
import { createNftMetadata } from './upstreams/nft-metadata.ts'
import { createOpenSea } from './upstreams/opensea.ts'
import { createSolana } from './upstreams/solana.ts'
import { createPolymarket } from './upstreams/polymarket.ts'
import { createRugCheck } from './upstreams/rugcheck.ts'

/** Every simulated upstream with the path that it stands at. Explorers serve the networks that have a node. */
export function createWorld(options: {
  seed: number
  anchor: number
  rpcUrls: (readonly [NetworkId, string])[]
}): Mount[] {
  const market = createMarket(options)
  const statistics = createStatistics(market)
  const prices = { market, statistics, exchanges: createExchanges({ market, perUsd: statistics.perUsd }) }
  const indexes = options.rpcUrls.map(([network, rpcUrl]) => createChainIndex({ network, rpcUrl }))
  const nfts = createNftWorld({ ...options, market, indexes })
  const prediction = createPredictionWorld(options)
  return [
    { base: '/coingecko/api/v3/nfts', upstream: createCoinGeckoNfts(nfts) },
    { base: '/coingecko/api/v3', upstream: createCoinGecko(prices) },
    { base: '/coinpaprika/v1', upstream: createCoinPaprika(prices) },
    { base: '/defillama', upstream: createDefiLlama(market) },
    { base: '/frankfurter', upstream: createFrankfurter(options) },
    { base: '/feeds', upstream: createNews(market) },
    { base: '/binance-klines', upstream: createBinanceKlines(prices.exchanges) },
    { base: '/ecb', upstream: createEcb(options) },
    { base: '/eurofxref', upstream: createEurofxref(options) },
    { base: '/alternative-me', upstream: createAlternativeMe(options) },
    { base: '/coinmarketcap', upstream: createCoinMarketCap(options) },
    { base: '/goplus', upstream: createGoPlus(options) },
    { base: '/rugcheck', upstream: createRugCheck(options) },
    { base: '/etherscan/v2/api', upstream: createEtherscan(indexes) },
    { base: '/binance', upstream: createBinance({ ...options, market }) },
    { base: '/kraken', upstream: createKraken({ ...options, market }) },
    { base: '/blockscout', upstream: createBlockscout(indexes) },
    { base: '/opensea/api/v2', upstream: createOpenSea(nfts) },
    { base: '/alchemy-nft/v3', upstream: createAlchemyNft(nfts) },
    { base: '/ipfs-gateway', upstream: createNftMetadata() },
    { base: '/nft-metadata', upstream: createNftMetadata() },
    { base: '/esplora/api', upstream: createEsplora(lazy(() => createBitcoinChain({ market }))) },
    { base: '/solana', upstream: createSolana(lazy(() => createSolanaChain({ market }))) },
    { base: '/polymarket', upstream: createPolymarket(prediction) },
    { base: '/kalshi/trade-api/v2', upstream: createKalshi(prediction) },
  ]
}
