import { getCoin } from './prices/get-coin.ts'
import { getCoinCharts } from './prices/get-coin-charts.ts'
import { getCoins } from './prices/get-coins.ts'
import { getCoinsCharts } from './prices/get-coins-charts.ts'
import { getPriceAvg } from './prices/get-price-avg.ts'
import { getPriceExchange } from './prices/get-price-exchange.ts'
import { getCurrencies } from './prices/get-currencies.ts'
import { getFiats } from './prices/get-fiats.ts'
import { getWalletDefi } from './defi/get-wallet-defi.ts'
import { getExchangeChart } from './exchanges/get-chart.ts'
import { getExchangePl } from './exchanges/get-pl.ts'
import { getExchangePlHistory } from './exchanges/get-pl-history.ts'
import { getExchangeStatus } from './exchanges/get-status.ts'
import { getExchangeSupport } from './exchanges/get-support.ts'
import { getExchangeTransactions } from './exchanges/get-transactions.ts'
import { patchExchangeSync } from './exchanges/patch-sync.ts'
import { postExchangeBalance } from './exchanges/post-balance.ts'
import { getBtcDominance } from './insights/get-btc-dominance.ts'
import { getFearAndGreedChart } from './insights/get-fear-and-greed-chart.ts'
import { getFearAndGreed } from './insights/get-fear-and-greed.ts'
import { getRainbowChart } from './insights/get-rainbow-chart.ts'
import { getMarkets } from './prices/get-markets.ts'
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
import { deletePortfolio } from './portfolios/delete-portfolio.ts'
import { getPortfolioChart } from './portfolios/get-chart.ts'
import { getPortfolioCoins } from './portfolios/get-coins.ts'
import { getPortfolioExplain } from './portfolios/get-explain.ts'
import { getPortfolioDefi } from './portfolios/get-defi.ts'
import { getPortfolioList } from './portfolios/get-list.ts'
import { getPortfolioPlHistory } from './portfolios/get-pl-history.ts'
import { getSnapshotItems } from './portfolios/get-snapshot-items.ts'
import { getPortfolioStatus } from './portfolios/get-status.ts'
import { getPortfolioTransactions } from './portfolios/get-transactions.ts'
import { getPortfolioValue } from './portfolios/get-value.ts'
import { patchPortfolioSync } from './portfolios/patch-sync.ts'
import { postPortfolioExchange } from './portfolios/post-exchange.ts'
import { postPortfolioTransaction } from './portfolios/post-transaction.ts'
import { postPortfolioWallet } from './portfolios/post-wallet.ts'
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
import { getBalance } from './chain/get-balance.ts'
import { getBalanceMany, getBalances } from './chain/get-balances.ts'
import { getBlockchains } from './chain/get-blockchains.ts'
import { getWalletChart } from './chain/get-chart.ts'
import { getWalletCharts } from './chain/get-charts.ts'
import { getWalletPl } from './chain/get-pl.ts'
import { getWalletExplain } from './chain/get-explain.ts'
import { getPlHistory } from './chain/get-pl-history.ts'
import { getWalletStatus } from './chain/get-status.ts'
import { getTransactions } from './chain/get-transactions.ts'
import { patchTransactions } from './chain/patch-transactions.ts'

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
