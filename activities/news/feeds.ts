import type { SourceSpec } from '../area.ts'

/** A publisher's feed, from the outside. */
export interface Feed {
  /** Name of the source in tables and settings. */
  name: string
  /** As readers know the publisher. */
  title: string
  site: string
  /** Of the feed, below the base URL. */
  path: string
  /** Of its news sitemap: what stands in for the feed while that is down. Not every publisher is known to keep one. */
  sitemap?: string
  /** Off until its variable is set. */
  off?: true
}

export const FEEDS: readonly Feed[] = [
  {
    name: 'coindesk',
    title: 'CoinDesk',
    site: 'https://www.coindesk.com',
    path: '/arc/outboundfeeds/rss/',
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
  { name: 'thedefiant', title: 'The Defiant', site: 'https://thedefiant.io', path: '/feed/' },
  { name: 'cryptoslate', title: 'CryptoSlate', site: 'https://cryptoslate.com', path: '/feed/' },
  { name: 'cryptonews', title: 'crypto.news', site: 'https://crypto.news', path: '/feed/' },
  { name: 'beincrypto', title: 'BeInCrypto', site: 'https://beincrypto.com', path: '/feed/' },
  // Cloudflare keeps the addresses of data centres out.
  { name: 'blockworks', title: 'Blockworks', site: 'https://blockworks.co', path: '/feed', off: true },
]

/** Each feed is a source of its own, with an allowance and a health of its own; one adapter reads them all. */
export const FEED_SOURCES: readonly SourceSpec[] = FEEDS.map((feed) => ({
  name: feed.name,
  adapter: 'feed',
  meaning: `News of ${feed.title}`,
  ...(!feed.off && { sandbox: { path: `/feeds/${feed.name}` } }),
  urlVariable: `${feed.name.toUpperCase()}_URL`,
  defaultUrl: feed.off ? null : feed.site,
  keyVariable: null,
  keyRequired: false,
  // A poll is one request, with a redirect two.
  requestsPerSecond: 0.2,
  burst: 5,
}))
