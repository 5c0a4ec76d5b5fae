const KEY = { key: 'apiKey', name: 'API Key' }
const SECRET = { key: 'apiSecret', name: 'API Secret' }
const PASSPHRASE = { key: 'passphrase', name: 'Passphrase' }

/**
 * Exchanges that can be connected, each with its `connectionId`, the credentials it needs, and what it calls the rights
 * that a key needs. All other rights must be off.
 */
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
] as const

export type SupportedExchange = (typeof EXCHANGES)[number]
export type ExchangeId = SupportedExchange['id']

/** Credentials of an exchange account, as the client sent them. */
export interface Credentials {
  apiKey: string
  apiSecret: string
  passphrase?: string
}

const byId = new Map<string, SupportedExchange>(EXCHANGES.map((exchange) => [exchange.id, exchange]))

export const exchangeOf = (id: string): SupportedExchange | undefined => byId.get(id)

export const exchangeIcon = ({ site }: Pick<SupportedExchange, 'site'>): string => `${site}/favicon.ico`
