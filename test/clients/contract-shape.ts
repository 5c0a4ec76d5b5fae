/**
 * What a program reads of an answer: the type of each field, a list of one shape, or an object. A name with `?`
 * may be absent.
 */
export type Shape =
  | 'string'
  | 'number'
  | 'boolean'
  | 'time'
  | readonly [Shape]
  | { readonly [name: string]: Shape }

/** Throws with the place of the first field that is not as the contract says. Other fields are fine. */
export function readShape(value: unknown, shape: Shape, place = 'answer'): void {
  if (Array.isArray(shape)) {
    if (!Array.isArray(value)) throw wrong(value, 'a list', place)
    for (const [index, item] of value.entries()) readShape(item, shape[0] as Shape, `${place}[${index}]`)
  } else if (typeof shape === 'object') {
    if (typeof value !== 'object' || value === null) throw wrong(value, 'an object', place)
    for (const [name, inner] of Object.entries(shape)) {
      const field = name.replace(/\?$/, '')
      const found = (value as Record<string, unknown>)[field]
      if (found !== undefined || field === name) readShape(found, inner, `${place}.${field}`)
    }
  } else if (!isOf(value, shape as string)) throw wrong(value, shape as string, place)
}

function isOf(value: unknown, type: string): boolean {
  if (type === 'time') return typeof value === 'string' && /^\d{4}-\d\d-\d\dT.*Z$/.test(value)
  return typeof value === type && (type !== 'number' || Number.isFinite(value))
}

const wrong = (value: unknown, wanted: string, place: string) =>
  new Error(`${place} is ${JSON.stringify(value)?.slice(0, 100)}, not ${wanted}`)

const TRIPLE = { USD: 'number', BTC: 'number', ETH: 'number' } as const
const COIN = { id: 'string', name: 'string', symbol: 'string', icon: 'string' } as const

export const NETWORKS: Shape = [{ name: 'string', connectionId: 'string', chain: 'string', icon: 'string' }]

export const BALANCES: Shape = [
  {
    coinId: 'string',
    name: 'string',
    symbol: 'string',
    imgUrl: 'string',
    amount: 'number',
    price: 'number',
    priceBtc: 'number',
    pCh24h: 'number',
    rank: 'number',
    volume: 'number',
    'chain?': 'string',
    'connectionId?': 'string',
    'decimals?': 'number',
    'contractAddress?': 'string',
  },
]

export const BALANCES_OF_MANY: Shape = [
  { blockchain: 'string', 'address?': 'string', 'connectionId?': 'string', balances: BALANCES },
]

export const DEFI: Shape = {
  totalAssets: TRIPLE,
  protocols: [
    {
      id: 'string',
      name: 'string',
      logo: 'string',
      totalValue: TRIPLE,
      chain: 'string',
      walletAddress: 'string',
      url: 'string',
      investments: [
        {
          id: 'string',
          name: 'string',
          value: TRIPLE,
          assets: [{ title: 'string', amount: 'number', symbol: 'string', price: TRIPLE }],
        },
      ],
    },
  ],
}

export const NFTS: Shape = {
  meta: { page: 'number', limit: 'number', itemCount: 'number', pageCount: 'number', hasNextPage: 'boolean' },
  'data?': [
    {
      name: 'string',
      logo: 'string',
      address: 'string',
      id: 'string',
      assetsCount: 'number',
      assets: [{ previewImg: 'string' }],
    },
  ],
}

export const TRANSACTIONS: Shape = {
  meta: { page: 'number', limit: 'number' },
  result: [
    {
      type: 'string',
      date: 'time',
      mainContent: { coinIcons: ['string'], coinAssets: ['string'] },
      'coinData?': { count: 'number', symbol: 'string', currentValue: 'number' },
      transactions: [
        {
          action: 'string',
          items: [{ id: 'string', count: 'number', totalWorth: 'number', 'coin?': COIN }],
        },
      ],
      'fee?': { coin: COIN, count: 'number', totalWorth: 'number' },
      'hash?': { id: 'string', explorerUrl: 'string' },
    },
  ],
}

export const CHARTS: Shape = [{ data: [['number']] }]

export const PL_HISTORY: Shape = {
  result: [{ date: 'time', profitLoss: 'number', profitLossPercent: 'number' }],
  meta: { currency: 'string', interval: 'string', to: 'time' },
}

export const SYNC_STATUS: Shape = { status: 'string' }

export const CONNECTED: Shape = { portfolioId: 'string', connectionId: 'string', status: 'string' }

export const PORTFOLIO_COINS: Shape = {
  result: [
    {
      count: 'number',
      coin: { identifier: 'string', symbol: 'string', name: 'string', icon: 'string', isFake: 'boolean' },
      totalCost: TRIPLE,
    },
  ],
}

export const PORTFOLIO_VALUE: Shape = {
  'totalValue?': 'number',
  'defiValue?': 'number',
  'totalCost?': 'number',
  unrealizedProfitLossPercent: 'number',
  realizedProfitLossPercent: 'number',
  allTimeProfitLossPercent: 'number',
}
