const KEY = { key: 'apiKey', name: 'API Key' } as const
const SECRET = { key: 'apiSecret', name: 'API Secret' } as const
const PASSPHRASE = { key: 'passphrase', name: 'Passphrase' } as const

interface ExchangeRow {
  /** The `connectionId`. */
  id: string
  name: string
  site: string
  /** The credentials it needs. */
  fields: readonly { key: keyof Credentials; name: string }[]
  /** What it calls the rights that a key needs. All other rights must be off. */
  allow: string
  /** It does not tell the rights of a key, so they cannot be checked. */
  hidesRights?: true
}

/** Exchanges that can be connected. */
export const EXCHANGES = [
  {
    id: 'binance',
    name: 'Binance',
    site: 'https://www.binance.com',
    fields: [KEY, SECRET],
    allow: 'Enable Reading',
  },
  {
    id: 'coinbase',
    name: 'Coinbase',
    site: 'https://www.coinbase.com',
    fields: [
      { key: 'apiKey', name: 'API Key Name' },
      { key: 'apiSecret', name: 'Private Key' },
    ],
    allow: 'View',
  },
  {
    id: 'kraken',
    name: 'Kraken',
    site: 'https://www.kraken.com',
    fields: [KEY, { key: 'apiSecret', name: 'Private Key' }],
    allow: 'Query Funds, Query Closed Orders & Trades, Query Ledger Entries',
  },
  {
    id: 'okx',
    name: 'OKX',
    site: 'https://www.okx.com',
    fields: [KEY, SECRET, PASSPHRASE],
    allow: 'Read',
  },
  {
    id: 'bybit',
    name: 'Bybit',
    site: 'https://www.bybit.com',
    fields: [KEY, SECRET],
    allow: 'Read-Only',
  },
  {
    id: 'bitget',
    name: 'Bitget',
    site: 'https://www.bitget.com',
    fields: [KEY, SECRET, PASSPHRASE],
    allow: 'Read-only',
  },
  {
    id: 'kucoin',
    name: 'KuCoin',
    site: 'https://www.kucoin.com',
    fields: [KEY, SECRET, PASSPHRASE],
    allow: 'General',
  },
  {
    id: 'gate',
    name: 'Gate',
    site: 'https://www.gate.com',
    fields: [KEY, SECRET],
    allow: 'Read Only for spot trading, wallet and account',
  },
  {
    id: 'mexc',
    name: 'MEXC',
    site: 'https://www.mexc.com',
    fields: [KEY, SECRET],
    allow: 'View Account Details, View Order Details',
    hidesRights: true,
  },
  {
    id: 'htx',
    name: 'HTX',
    site: 'https://www.htx.com',
    fields: [KEY, SECRET],
    allow: 'Read-Only',
  },
  {
    id: 'cryptocom',
    name: 'Crypto.com',
    site: 'https://crypto.com',
    fields: [KEY, SECRET],
    allow: 'Can Read',
    hidesRights: true,
  },
  {
    id: 'bitfinex',
    name: 'Bitfinex',
    site: 'https://www.bitfinex.com',
    fields: [KEY, SECRET],
    allow: 'Get (read) for account history, orders and wallets',
  },
  {
    id: 'bitstamp',
    name: 'Bitstamp',
    site: 'https://www.bitstamp.net',
    fields: [KEY, SECRET],
    allow: 'Account balance, User transactions',
    hidesRights: true,
  },
  {
    id: 'gemini',
    name: 'Gemini',
    site: 'https://www.gemini.com',
    fields: [KEY, SECRET],
    allow: 'Auditor',
  },
  {
    id: 'whitebit',
    name: 'WhiteBIT',
    site: 'https://whitebit.com',
    fields: [KEY, SECRET],
    allow: 'Info & Wallet endpoints without operations',
    hidesRights: true,
  },
  {
    id: 'bitvavo',
    name: 'Bitvavo',
    site: 'https://bitvavo.com',
    fields: [KEY, SECRET],
    allow: 'View information',
    hidesRights: true,
  },
  {
    id: 'coinex',
    name: 'CoinEx',
    site: 'https://www.coinex.com',
    fields: [KEY, SECRET],
    allow: 'Read-only',
    hidesRights: true,
  },
  {
    id: 'xt',
    name: 'XT.COM',
    site: 'https://www.xt.com',
    fields: [KEY, SECRET],
    allow: 'Read',
    hidesRights: true,
  },
  {
    id: 'poloniex',
    name: 'Poloniex',
    site: 'https://poloniex.com',
    fields: [KEY, SECRET],
    allow: 'Read Only',
    hidesRights: true,
  },
  {
    id: 'hitbtc',
    name: 'HitBTC',
    site: 'https://hitbtc.com',
    fields: [KEY, SECRET],
    allow: 'Order book, History, Trading balance and Payment information',
    hidesRights: true,
  },
] as const satisfies readonly ExchangeRow[]

export type ExchangeId = (typeof EXCHANGES)[number]['id']
export type SupportedExchange = ExchangeRow & { id: ExchangeId }

/** Credentials of an exchange account, as the client sent them. */
export interface Credentials {
  apiKey: string
  apiSecret: string
  passphrase?: string
}

const byId = new Map<string, SupportedExchange>(EXCHANGES.map((exchange) => [exchange.id, exchange]))

export const exchangeOf = (id: string): SupportedExchange | undefined => byId.get(id)

export const exchangeIcon = ({ site }: Pick<SupportedExchange, 'site'>): string => `${site}/favicon.ico`
