export type Publisher = {
  /** First segment of the path below the upstream's base. */
  name: string
  title: string
  /** Path of the feed, in segments. */
  path: string[]
  /** Path of the news sitemap, in segments. */
  sitemap?: string[]
  dialect: 'arc' | 'cdata' | 'html' | 'wordpress' | 'atom' | 'rdf'
  /** Number of items in the feed. */
  window: number
  /** Share of the stories that it publishes, 0 to 1, and the delay after the event in minutes. */
  share: number
  delayMinutes: number
  /** Publishes only stories about this coin. */
  onlyCoin?: string
}

/**
 * The publishers of the simulated feeds. Their domains end in .example, since the real publishers wrote none
 * of this. Busy feeds reach back a day or two, quiet ones some weeks.
 */
export const publishers: Publisher[] = [
  {
    name: 'coindesk',
    title: 'CoinDesk',
    path: ['arc', 'outboundfeeds', 'rss'],
    dialect: 'arc',
    sitemap: ['arc', 'outboundfeeds', 'news-sitemap'],
    window: 25,
    share: 0.3,
    delayMinutes: 12,
  },
  {
    name: 'cointelegraph',
    title: 'Cointelegraph.com News',
    path: ['rss'],
    dialect: 'cdata',
    sitemap: ['sitemap', 'google-news.xml'],
    window: 30,
    share: 0.4,
    delayMinutes: 20,
  },
  {
    name: 'decrypt',
    title: 'Decrypt',
    path: ['feed'],
    dialect: 'html',
    window: 40,
    share: 0.12,
    delayMinutes: 35,
  },
  {
    name: 'theblock',
    title: 'The Block',
    path: ['rss.xml'],
    dialect: 'html',
    window: 20,
    share: 0.25,
    delayMinutes: 15,
  },
  {
    name: 'bitcoinmagazine',
    title: 'Bitcoin Magazine',
    path: ['feed'],
    dialect: 'wordpress',
    window: 20,
    share: 0.5,
    delayMinutes: 90,
    onlyCoin: 'bitcoin',
  },
  {
    name: 'thedefiant',
    title: 'The Defiant',
    path: ['api', 'feed'],
    dialect: 'atom',
    window: 50,
    share: 0.06,
    delayMinutes: 60,
  },
  {
    name: 'cryptoslate',
    title: 'CryptoSlate',
    path: ['feed'],
    dialect: 'wordpress',
    window: 10,
    share: 0.15,
    delayMinutes: 45,
  },
  {
    name: 'cryptonews',
    title: 'crypto.news',
    path: ['feed'],
    dialect: 'wordpress',
    window: 50,
    share: 0.35,
    delayMinutes: 30,
  },
  {
    name: 'beincrypto',
    title: 'BeInCrypto',
    path: ['feed'],
    dialect: 'rdf',
    window: 30,
    share: 0.04,
    delayMinutes: 50,
  },
]
