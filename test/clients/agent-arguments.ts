/** A tool as its server describes it. */
export interface ListedTool {
  name: string
  inputSchema: { properties?: object | undefined; required?: string[] | undefined }
}

/** Asks a tool and returns its answer. */
type Use = (tool: string, args: Record<string, unknown>) => Promise<any>

/** What an agent has learned before it asks for details. */
export type Facts = Record<string, unknown>

/** Learns the names of things from lists, as an agent would. */
export async function learn(use: Use, given: { wallet: string }): Promise<Facts> {
  const coins = await use('getCoins', { limit: 2 })
  const news = await use('getNews', { limit: 1 })
  const collections = await use('getNftTrending', { limit: 1 })
  const collectionAddress = collections.data[0].address
  const tokens = await use('getNftAssets', { collectionAddress, type: 'all', limit: 1 })
  const portfolios = await use('getPortfolioList', {})
  const exchange = portfolios.result.find((one: any) => one.portfolioType === 'exchange')
  const markets = await use('getPredictionMarkets', { venue: 'polymarket', limit: 1 })
  const events = await use('getPredictionEvents', { limit: 1 })
  const traders = await use('getPredictionTraders', { limit: 1 })
  const webhooks = await use('getWebhooks', {})
  const balances = await use('getWalletBalance', { address: given.wallet, connectionId: ['ethereum'] })
  return {
    coinId: coins.result[0].id,
    coinIds: coins.result.map(({ id }: { id: string }) => id),
    id: news.result[0].id,
    collectionAddress,
    tokenId: tokens.data[0].tokenId,
    portfolioId: exchange.portfolioId,
    'market slug': markets.data[0].slug,
    'event slug': events.data[0].slug,
    'trader address': traders.data[0].address,
    'webhook id': webhooks.result[0].id,
    'wallet coinId': balances[0].coinId,
    address: given.wallet,
    connectionId: ['ethereum'],
    wallets: [`ethereum:${given.wallet}`],
    path: '/coins?limit=3',
    timestamp: Math.floor(Date.now() / 1_000),
    exchange: 'Binance',
    from: 'BTC',
    to: 'USDT',
    currency: 'USD',
    q: 'bitcoin',
    interval: 'monthly',
    range: '1y',
  }
}

/** Chooses arguments by their names, their allowed values and what was learned. */
export function chooseArguments(tool: ListedTool, facts: Facts): Record<string, unknown> {
  const { properties = {}, required = [] } = tool.inputSchema
  const names = new Set([...required, ...subjects(tool).filter((name) => name in properties)])
  return Object.fromEntries(
    [...names].map((name) => [name, factFor(tool.name, name, facts) ?? allowed(properties, name)]),
  )
}

/** Arguments that a schema does not require, but without which the tool has no subject. */
function subjects({ name, inputSchema: { properties = {} } }: ListedTool): string[] {
  if (/Explain$|^getTokenRisks$/.test(name)) return ['coinId', 'connectionId']
  if (name.endsWith('PlHistory')) return ['range', 'connectionId']
  if (name === 'getPortfolioStatus') return ['portfolioId']
  // A list of wallets names their networks.
  return 'wallets' in properties ? ['wallets'] : ['connectionId']
}

function factFor(tool: string, name: string, facts: Facts): unknown {
  const kind = /^get(?:Prediction)?(Wallet|Market|Event|Trader|Webhook)/.exec(tool)?.[1]?.toLowerCase()
  return (kind && facts[`${kind} ${name}`]) ?? facts[name]
}

function allowed(properties: object, name: string): unknown {
  const { enum: values = [] } = (properties as Record<string, { enum?: string[] }>)[name]!
  return values.find((value) => value === 'latest') ?? values[0]
}
