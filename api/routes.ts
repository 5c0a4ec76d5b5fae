import { getCoin } from './coins/get-coin.ts'
import { getCoinCharts } from './coins/get-coin-charts.ts'
import { getCoins } from './coins/get-coins.ts'
import { getCoinsCharts } from './coins/get-coins-charts.ts'
import { getPriceAvg } from './coins/get-price-avg.ts'
import { getPriceExchange } from './coins/get-price-exchange.ts'
import { getCurrencies } from './currencies/get-currencies.ts'
import { getFiats } from './currencies/get-fiats.ts'
import { getWalletDefi } from './defi/get-wallet-defi.ts'
import { getExchangeChart } from './exchange/get-chart.ts'
import { getExchangePl } from './exchange/get-pl.ts'
import { getExchangePlHistory } from './exchange/get-pl-history.ts'
import { getExchangeStatus } from './exchange/get-status.ts'
import { getExchangeSupport } from './exchange/get-support.ts'
import { getExchangeTransactions } from './exchange/get-transactions.ts'
import { patchExchangeSync } from './exchange/patch-sync.ts'
import { postExchangeBalance } from './exchange/post-balance.ts'
import { getBtcDominance } from './insights/get-btc-dominance.ts'
import { getFearAndGreedChart } from './insights/get-fear-and-greed-chart.ts'
import { getFearAndGreed } from './insights/get-fear-and-greed.ts'
import { getRainbowChart } from './insights/get-rainbow-chart.ts'
import { getMarkets } from './markets/get-markets.ts'
import { getNewsByType } from './news/get-news-by-type.ts'
import { getNewsItem } from './news/get-news-item.ts'
import { getNewsSources } from './news/get-news-sources.ts'
import { getNews } from './news/get-news.ts'
import { getTokenRisks } from './risk/get-token-risks.ts'
import { getNftAsset } from './nft/get-asset.ts'
import { getNftCollection } from './nft/get-collection.ts'
import { getCollectionAssets } from './nft/get-collection-assets.ts'
import { getTrendingNfts } from './nft/get-trending.ts'
import { getWalletAssets } from './nft/get-wallet-assets.ts'
import { deletePortfolio } from './portfolio/delete-portfolio.ts'
import { getPortfolioChart } from './portfolio/get-chart.ts'
import { getPortfolioCoins } from './portfolio/get-coins.ts'
import { getPortfolioExplain } from './portfolio/get-explain.ts'
import { getPortfolioDefi } from './portfolio/get-defi.ts'
import { getPortfolioList } from './portfolio/get-list.ts'
import { getPortfolioPlHistory } from './portfolio/get-pl-history.ts'
import { getSnapshotItems } from './portfolio/get-snapshot-items.ts'
import { getPortfolioStatus } from './portfolio/get-status.ts'
import { getPortfolioTransactions } from './portfolio/get-transactions.ts'
import { getPortfolioValue } from './portfolio/get-value.ts'
import { patchPortfolioSync } from './portfolio/patch-sync.ts'
import { postPortfolioExchange } from './portfolio/post-exchange.ts'
import { postPortfolioTransaction } from './portfolio/post-transaction.ts'
import { postPortfolioWallet } from './portfolio/post-wallet.ts'
import { getPredictionMarkets } from './prediction/get-markets.ts'
import { getPredictionMarket } from './prediction/get-market.ts'
import { getPredictionHistory } from './prediction/get-market-history.ts'
import { getOrderbook } from './prediction/get-orderbook.ts'
import { getMarketTrades } from './prediction/get-market-trades.ts'
import { getHolders } from './prediction/get-holders.ts'
import { getMarketCrossVenue } from './prediction/get-market-cross-venue.ts'
import { getPredictionEvents } from './prediction/get-events.ts'
import { getPredictionEvent } from './prediction/get-event.ts'
import { getEventCrossVenue } from './prediction/get-event-cross-venue.ts'
import { getTraders } from './prediction/get-traders.ts'
import { getTrader } from './prediction/get-trader.ts'
import { getTraderPositions } from './prediction/get-trader-positions.ts'
import { getTraderTrades } from './prediction/get-trader-trades.ts'
import { getTraderPnl } from './prediction/get-trader-pnl.ts'
import { getPlatformOverview } from './prediction/get-platform-overview.ts'
import { getPlatformVolume } from './prediction/get-platform-volume.ts'
import { getPlatformCategories } from './prediction/get-platform-categories.ts'
import { getPredictionSearch } from './prediction/get-search.ts'
import { getPredictionTags } from './prediction/get-tags.ts'
import { getQuote } from './quote/get-quote.ts'
import type { Route } from './route.ts'
import { getStatus } from './status/get-status.ts'
import { getExchanges } from './tickers/get-exchanges.ts'
import { getTickerMarkets } from './tickers/get-markets.ts'
import { getCredits } from './usage/get-credits.ts'
import { getBalance } from './wallet/get-balance.ts'
import { getBalanceMany, getBalances } from './wallet/get-balances.ts'
import { getBlockchains } from './wallet/get-blockchains.ts'
import { getWalletChart } from './wallet/get-chart.ts'
import { getWalletCharts } from './wallet/get-charts.ts'
import { getWalletPl } from './wallet/get-pl.ts'
import { getWalletExplain } from './wallet/get-explain.ts'
import { getPlHistory } from './wallet/get-pl-history.ts'
import { getWalletStatus } from './wallet/get-status.ts'
import { getTransactions } from './wallet/get-transactions.ts'
import { patchTransactions } from './wallet/patch-transactions.ts'

/** Every endpoint, the only list of them. More specific paths need no order: the router prefers literals. */
export const routes: readonly Route[] = [
  getStatus,
  getCredits,
  getQuote,
  getCoins,
  getCoin,
  getCoinCharts,
  getCoinsCharts,
  getPriceAvg,
  getPriceExchange,
  getMarkets,
  getExchanges,
  getTickerMarkets,
  getFiats,
  getCurrencies,
  getNews,
  getNewsByType,
  getNewsSources,
  getNewsItem,
  getBtcDominance,
  getFearAndGreed,
  getFearAndGreedChart,
  getRainbowChart,
  getTokenRisks,
  getWalletAssets,
  getNftCollection,
  getTrendingNfts,
  getCollectionAssets,
  getNftAsset,
  getBlockchains,
  getBalance,
  getBalanceMany,
  getBalances,
  getWalletStatus,
  patchTransactions,
  getTransactions,
  getWalletChart,
  getWalletCharts,
  getWalletPl,
  getPlHistory,
  getWalletExplain,
  getExchangeSupport,
  postExchangeBalance,
  getExchangeStatus,
  patchExchangeSync,
  getExchangeTransactions,
  getExchangeChart,
  getExchangePl,
  getExchangePlHistory,
  getPortfolioList,
  getPortfolioValue,
  getPortfolioCoins,
  getPortfolioChart,
  getPortfolioTransactions,
  getPortfolioDefi,
  getSnapshotItems,
  getPortfolioPlHistory,
  getPortfolioExplain,
  getPortfolioStatus,
  postPortfolioWallet,
  postPortfolioExchange,
  postPortfolioTransaction,
  patchPortfolioSync,
  deletePortfolio,
  getWalletDefi,
  getPredictionMarkets,
  getPredictionMarket,
  getPredictionHistory,
  getOrderbook,
  getMarketTrades,
  getHolders,
  getMarketCrossVenue,
  getPredictionEvents,
  getPredictionEvent,
  getEventCrossVenue,
  getTraders,
  getTrader,
  getTraderPositions,
  getTraderTrades,
  getTraderPnl,
  getPlatformOverview,
  getPlatformVolume,
  getPlatformCategories,
  getPredictionSearch,
  getPredictionTags,
]
