import type { SourceSpec } from '../area.ts'

/** A publisher's feed and where to read it. */
export interface Feed {
  /** Name of the source in tables and settings. */
  name: string
  /** Public name of the publisher. */
  title: string
  site: string
  /** Path of the feed below the base URL. */
  path: string
  /**
   * Path of the news sitemap, which is read while the feed is down. Absent for publishers without a known
   * one.
   */
  sitemap?: string
  /** Off until its URL variable is set. */
  off?: true
}

export const FEEDS: readonly Feed[] = [
  {
    name: 'coindesk',
    title: 'CoinDesk',
    site: 'https://www.coindesk.com',
    path: '/arc/outboundfeeds/rss',
    sitemap: '/arc/outboundfeeds/news-sitemap/?outputType=xml',
  },
  {
    name: 'cointelegraph',
    title: 'Cointelegraph',
    site: 'https://cointelegraph.com',
    path: '/rss',
    sitemap: '/sitemap/google-news.xml',
  },
  { name: 'decrypt', title: 'Decrypt', site: 'https://decrypt.co', path: '/feed' },
  { name: 'theblock', title: 'The Block', site: 'https://www.theblock.co', path: '/rss.xml' },
  { name: 'bitcoinmagazine', title: 'Bitcoin Magazine', site: 'https://bitcoinmagazine.com', path: '/feed' },
  { name: 'thedefiant', title: 'The Defiant', site: 'https://thedefiant.io', path: '/api/feed' },
  { name: 'cryptoslate', title: 'CryptoSlate', site: 'https://cryptoslate.com', path: '/feed/' },
  { name: 'cryptonews', title: 'crypto.news', site: 'https://crypto.news', path: '/feed/' },
  { name: 'beincrypto', title: 'BeInCrypto', site: 'https://beincrypto.com', path: '/feed/' },
  // Cloudflare blocks requests from data centres.
  { name: 'blockworks', title: 'Blockworks', site: 'https://blockworks.co', path: '/feed', off: true },
]

/** Each feed is a source with its own rate and health. One adapter reads all feeds. */
export const FEED_SOURCES: readonly SourceSpec[] = FEEDS.map((feed) => ({
  name: feed.name,
  adapter: 'feed',
  meaning: `News from ${feed.title}`,
  without: 'The other feeds go on',
  ...(!feed.off && { sandbox: { path: `/feeds/${feed.name}` } }),
  urlVariable: `${feed.name.toUpperCase()}_URL`,
  defaultUrl: feed.off ? null : feed.site,
  // A poll is one request, or two with a redirect.
  requestsPerSecond: 0.2,
  burst: 5,
}))
