import { OF_PORTFOLIO_WALLET } from './seed-portfolios.ts'

/** Requests per endpoint: the first page, a deep page, and the most expensive filters and sorts. */
export const ENDPOINTS: Record<string, readonly string[]> = {
  '/coins, first page': ['/coins'],
  '/coins, last pages': ['/coins?page=500', '/coins?page=499&sortBy=name', '/coins?page=450&sortBy=volume'],
  '/coins, filters': [
    '/coins?name=coin%2012&sortBy=marketCap&sortDir=desc',
    '/coins?marketCap~greaterThan=1000&priceChange1d~lessThan=0',
    '/coins?categories=category-3&page=20',
  ],
  '/coins/{coinId}': ['/coins/coin-17', '/coins/coin-9000'],
  '/coins/{coinId}/charts': ['/coins/coin-17/charts?period=1y', '/coins/coin-9000/charts?period=all'],
  '/coins/charts': ['/coins/charts?period=all&coinIds=coin-17,coin-500,coin-9000'],
  '/news, first page': ['/news'],
  '/news, deep': ['/news?page=40000', '/news?page=25000&limit=40'],
  '/news, dates': ['/news?from=2024-03-01T00:00:00Z&to=2024-09-01T00:00:00Z&page=200'],
  '/news/type/{type}': ['/news/type/latest?page=1000', '/news/type/bullish', '/news/type/bearish?page=5000'],
  '/prediction/markets, first page': ['/prediction/markets'],
  '/prediction/markets, deep': [
    '/prediction/markets?page=400&limit=100',
    '/prediction/markets?status=all&sortBy=createdAt&page=250&limit=100',
  ],
  '/prediction/markets, filters': [
    '/prediction/markets?search=bitcoin&sortBy=liquidity',
    '/prediction/markets?category=Crypto&venue=kalshi&sortBy=endDate&sortDir=asc&page=20',
    '/prediction/markets?tag=tag-7&minVolume24h=500&sortBy=priceChange24h',
  ],
  '/prediction/markets, filters, deep': [
    '/prediction/markets?venue=kalshi&status=all&sortBy=volume24h&page=625',
    '/prediction/markets?minVolume24h=500&status=all&sortBy=endDate&page=1000',
    '/prediction/markets?category=Crypto&status=all&sortBy=endDate&page=250',
  ],
  '/prediction/markets, a word that all markets have, deep': [
    '/prediction/markets?search=market&status=all&sortBy=liquidity&page=250&limit=100',
  ],
  '/prediction/markets/{slug}': ['/prediction/markets/market-1', '/prediction/markets/market-49999'],
  '/prediction/markets/{slug}/trades': ['/prediction/markets/market-2/trades'],
  '/prediction/markets/{slug}/trades, deep': [
    '/prediction/markets/market-1/trades?page=1000&limit=100',
    '/prediction/markets/market-1/trades?side=sell&minValue=100&page=50',
  ],
  '/prediction/markets/{slug}/cross-venue': [
    '/prediction/markets/market-1/cross-venue',
    '/prediction/markets/market-49999/cross-venue',
  ],
  '/prediction/events/{slug}/cross-venue': ['/prediction/events/event-1/cross-venue'],
  '/prediction/search': ['/prediction/search?q=bitcoin', '/prediction/search?q=election%20market%20777'],
  '/prediction/search, a word that all markets have': ['/prediction/search?q=market&status=all&limit=50'],
  '/prediction/platform/overview': ['/prediction/platform/overview'],
  '/prediction/platform/volume': ['/prediction/platform/volume?range=1y'],
  '/portfolio/coins, of ten portfolios': [
    '/portfolio/coins',
    '/portfolio/coins?page=2&includeRiskScore=true',
  ],
  '/portfolio/value, of ten portfolios': ['/portfolio/value', '/portfolio/value?currency=EUR'],
  '/portfolio/chart, of ten portfolios': ['/portfolio/chart?type=24h', '/portfolio/chart?type=1y'],
  '/portfolio/pl/history, of ten portfolios': [
    '/portfolio/pl/history?range=24h&interval=hourly',
    '/portfolio/pl/history?range=1y&interval=daily',
    '/portfolio/pl/history?range=all&interval=monthly&currency=EUR',
  ],
  '/wallet/pl/history': [
    `/wallet/pl/history?address=${OF_PORTFOLIO_WALLET}&connectionId=ethereum&range=1m&interval=daily`,
    `/wallet/pl/history?address=${OF_PORTFOLIO_WALLET}&connectionId=all&range=1y&interval=weekly`,
  ],
}
