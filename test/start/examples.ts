import { binanceKeys } from '../../sandbox/exchanges/keys.ts'

export interface Walker {
  /** Wallet whose sync was requested. */
  wallet: string
  send: (method: string, target: string, body?: unknown) => Promise<{ status: number; body: any }>
}

/** Returns the target for a GET; null while the data that it needs is missing. */
type Example = (walker: Walker) => Promise<string | null>

const is =
  (target: string): Example =>
  () =>
    Promise.resolve(target)

const ofWallet =
  (target: string): Example =>
  ({ wallet }) =>
    Promise.resolve(target.replaceAll('WALLET', wallet))

/** Inserts a value from another answer into the target. */
const after =
  (target: string, first: string, pick: (body: any) => string | undefined): Example =>
  async ({ send }) => {
    const { status, body } = await send('GET', first)
    const value = status === 200 ? pick(body) : undefined
    return value === undefined ? null : target.replace('VALUE', encodeURIComponent(value))
  }

/** Adds an alert. The plan limits their number, so it is added once. */
const ofAlert: Example = async ({ send }) => {
  const { body: known } = await send('GET', '/alerts')
  if (known.result.length > 0) return '/alerts'
  await send('POST', '/alerts', { type: 'coin.price', coinId: 'bitcoin', above: 10_000_000 })
  return null
}

/** Adds an endpoint, and does not reach it. The plan limits their number, so it is added once. */
const ofWebhook =
  (target: string): Example =>
  async ({ send }) => {
    const { body: known } = await send('GET', '/webhooks')
    const [first] = known.result ?? []
    if (first) return target.replace('VALUE', first.id)
    const endpoint = { url: 'https://hooks.example.com/in', types: ['test.ping'], wallets: 'all' }
    const { body } = await send('POST', '/webhooks', endpoint)
    return body.id ? target.replace('VALUE', body.id) : null
  }

const ofMarket = (path: string): Example =>
  after(
    `/prediction/markets/VALUE${path}`,
    '/prediction/markets?venue=polymarket',
    (body) => body.data[0]?.slug,
  )
const ofEvent = (path: string): Example =>
  after(`/prediction/events/VALUE${path}`, '/prediction/events', (body) => body.data[0]?.slug)
/** A market that another venue also has, or its event. */
const matched =
  (kind: 'markets' | 'events'): Example =>
  async ({ send }) => {
    const { body: found } = await send(
      'GET',
      '/prediction/search?q=bitcoin&type=markets&venue=polymarket&limit=50',
    )
    for (const market of found.data?.markets ?? []) {
      const path = `/prediction/${kind}/${kind === 'markets' ? market.slug : market.eventSlug}/cross-venue`
      if ((await send('GET', path)).body.data?.summary.venuesCount > 1) return path
    }
    return null
  }
const ofTrader = (path: string): Example =>
  after(`/prediction/traders/VALUE${path}`, '/prediction/traders', (body) => body.data[0]?.address)

/** Connects and syncs an account at a simulated exchange; connecting it twice has one effect. */
const ofExchange =
  (target: string): Example =>
  async ({ send }) => {
    const { apiKey, apiSecret } = binanceKeys[0]!
    const connection = { connectionId: 'binance', connectionFields: { apiKey, apiSecret } }
    const { body } = await send('POST', '/exchange/balance', connection)
    const portfolioId = body.portfolio?.id
    if (!portfolioId) return null
    const { body: state } = await send('GET', `/exchange/status?portfolioId=${portfolioId}`)
    if (state.status !== 'synced') return null
    return target.replace('PORTFOLIO', portfolioId)
  }

const NOW_S = () => Math.floor(Date.now() / 1_000)
const YESTERDAY_S = NOW_S() - 86_400
const networks = 'connectionId=ethereum,base-wallet'

/** Examples by path, for GETs that need more than their path. */
const EXAMPLES: Record<string, Example> = {
  '/quote': async () => `/quote?method=GET&path=${encodeURIComponent('/coins?limit=3')}`,

  '/coins/{coinId}': is('/coins/bitcoin'),
  '/coins/{coinId}/charts': is('/coins/bitcoin/charts?period=1m'),
  '/coins/charts': is('/coins/charts?period=1w&coinIds=bitcoin,ethereum'),
  '/coins/price/avg': is(`/coins/price/avg?coinId=ethereum&timestamp=${YESTERDAY_S}`),
  // Prices of an exchange are known only after its markets were first fetched.
  '/coins/price/exchange': () =>
    Promise.resolve(`/coins/price/exchange?exchange=Binance&from=BTC&to=USDT&timestamp=${NOW_S()}`),

  '/news/type/{type}': is('/news/type/latest'),
  '/news/{id}': after('/news/VALUE', '/news', (body) => body.result[0]?.id),

  '/insights/btc-dominance': is('/insights/btc-dominance?type=1m'),
  '/insights/rainbow-chart/{coinId}': is('/insights/rainbow-chart/bitcoin'),
  '/token-risks': is('/token-risks?coinId=usd-coin'),

  '/wallet/balance': ofWallet(`/wallet/balance?address=WALLET&${networks}`),
  '/wallet/balance/many': ofWallet('/wallet/balance/many?wallets=ethereum:WALLET,base-wallet:WALLET'),
  '/wallet/balances': ofWallet('/wallet/balances?address=WALLET&blockchain=ethereum'),
  '/wallet/status': ofWallet(`/wallet/status?address=WALLET&${networks}`),
  '/wallet/transactions': ofWallet(`/wallet/transactions?address=WALLET&${networks}`),
  '/wallet/chart': ofWallet(`/wallet/chart?type=1y&address=WALLET&${networks}`),
  '/wallet/charts': ofWallet('/wallet/charts?type=1y&wallets=ethereum:WALLET'),
  // The first read subscribes the account; the end of a sync that it asks for is an event.
  '/events': async ({ wallet, send }) => {
    await send('POST', '/portfolio/wallet', { address: wallet, connectionId: 'ethereum' })
    const { body } = await send('GET', '/events')
    if (body.result?.length > 0) return '/events'
    await send('PATCH', `/wallet/transactions?address=${wallet}&connectionId=ethereum`)
    return null
  },
  '/wallet/pl': ofWallet('/wallet/pl?address=WALLET&connectionId=all'),
  '/wallet/pl/history': ofWallet(`/wallet/pl/history?address=WALLET&${networks}&range=1y&interval=monthly`),
  '/wallet/explain': ofWallet('/wallet/explain?address=WALLET&connectionId=all&coinId=ethereum'),
  '/wallet/defi': ofWallet('/wallet/defi?address=WALLET&connectionId=ethereum'),

  '/nft/wallet/{address}/assets': ofWallet('/nft/wallet/WALLET/assets'),
  '/nft/collection/{collectionAddress}': after(
    '/nft/collection/VALUE',
    '/nft/trending',
    (body) => body.data[0]?.address,
  ),
  '/nft/{collectionAddress}/assets': after(
    '/nft/VALUE/assets?type=all',
    '/nft/trending',
    (body) => body.data[0]?.address,
  ),
  '/nft/{collectionAddress}/asset/{tokenId}': async (walker) => {
    const collection = (await walker.send('GET', '/nft/trending')).body.data[0]?.address
    if (!collection) return null
    const { body } = await walker.send('GET', `/nft/${collection}/assets?type=all`)
    return body.data?.[0] ? `/nft/${collection}/asset/${body.data[0].tokenId}` : null
  },

  '/prediction/markets/{slug}': ofMarket(''),
  '/prediction/markets/{slug}/history': ofMarket('/history?range=1m'),
  '/prediction/markets/{slug}/orderbook': ofMarket('/orderbook'),
  '/prediction/markets/{slug}/trades': ofMarket('/trades'),
  '/prediction/markets/{slug}/holders': ofMarket('/holders'),
  '/prediction/markets/{slug}/cross-venue': matched('markets'),
  '/prediction/events/{slug}': ofEvent(''),
  '/prediction/events/{slug}/cross-venue': matched('events'),
  '/prediction/traders/{address}': ofTrader(''),
  '/prediction/traders/{address}/positions': ofTrader('/positions?status=all'),
  '/prediction/traders/{address}/trades': ofTrader('/trades'),
  '/prediction/traders/{address}/pnl': ofTrader('/pnl'),
  '/prediction/search': is('/prediction/search?q=bitcoin'),

  // The account of the key has a wallet, an exchange account and a manual portfolio.
  '/portfolio/coins': is('/portfolio/coins?includeRiskScore=true'),
  '/portfolio/chart': is('/portfolio/chart?type=1y'),
  '/portfolio/transactions': is('/portfolio/transactions?currency=USD'),
  '/portfolio/pl/history': is('/portfolio/pl/history?range=1y&interval=monthly'),
  '/alerts': ofAlert,
  '/webhooks': ofWebhook('/webhooks'),
  '/webhooks/{id}': ofWebhook('/webhooks/VALUE'),
  '/webhooks/{id}/deliveries': ofWebhook('/webhooks/VALUE/deliveries'),
  '/portfolio/status': after(
    '/portfolio/status?portfolioId=VALUE',
    '/portfolio/list',
    (body) => body.result[0]?.portfolioId,
  ),
  '/portfolio/report': is('/portfolio/report?year=2026'),
  '/portfolio/explain': is('/portfolio/explain?coinId=bitcoin'),

  '/exchange/status': ofExchange('/exchange/status?portfolioId=PORTFOLIO'),
  '/exchange/transactions': ofExchange('/exchange/transactions?portfolioId=PORTFOLIO'),
  '/exchange/chart': ofExchange('/exchange/chart?type=1y&portfolioId=PORTFOLIO'),
  '/exchange/pl': ofExchange('/exchange/pl?portfolioId=PORTFOLIO'),
  '/exchange/pl/history': ofExchange('/exchange/pl/history?range=1y&interval=monthly&portfolioId=PORTFOLIO'),
}

/** Returns an example for a GET route that must answer with data after `npm start`. */
export function exampleOf(path: string): Example {
  return EXAMPLES[path] ?? is(path)
}
