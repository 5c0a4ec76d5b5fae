import {
  AMOUNT_PLACES,
  boolean,
  type Dataset,
  decimal,
  FETCHED_AT,
  instant,
  integer,
  PRICE_PLACES,
  rounded,
  SOURCE,
  text,
} from '../dataset.ts'

const EXCHANGE = text('Id of the exchange: ticker_exchanges.id')
const PAIR = { base: text('Traded symbol, upper case'), target: text('Quote symbol, upper case') }
const READ = { source: SOURCE, fetched_at: FETCHED_AT }
const volume = (span: string) => rounded(AMOUNT_PLACES, `Volume over ${span}, USD`)
const PRICE = decimal(PRICE_PLACES, 'Units of target per unit of base')

export const tickerDatasets: readonly Dataset[] = [
  {
    name: 'ticker_exchanges',
    family: 'Exchanges and their markets',
    description: 'Exchanges with their volumes.',
    from: 'ticker_exchanges',
    cut: null,
    sort: ['id'],
    columns: {
      id: text('Id of the exchange, as in the API'),
      name: text('Name of the exchange'),
      url: text('URL of the web site'),
      rank: integer('Rank by volume; null: no source lists the exchange any more'),
      volume_24h_usd: volume('24 hours'),
      volume_7d_usd: volume('seven days'),
      volume_30d_usd: volume('30 days'),
      change_24h: rounded(AMOUNT_PLACES, 'Volume change over 24 hours, percent'),
      occurred_at: instant('Instant of the volumes', 'at'),
      tickers_at: instant('When the markets of the exchange were read'),
      charted_at: instant('When the past volumes of the exchange were read'),
      ...READ,
    },
  },
  {
    name: 'ticker_exchange_volumes',
    family: 'Exchanges and their markets',
    description: 'Volume over the 24 hours before a full hour, one series per source.',
    from: 'ticker_exchange_volumes',
    cut: { at: 'occurred_at' },
    sort: ['exchange_id', 'source', 'occurred_at'],
    columns: {
      exchange_id: EXCHANGE,
      source: SOURCE,
      occurred_at: instant('Full hour at which the 24 hours end', 'at'),
      volume_24h_usd: volume('24 hours'),
      fetched_at: FETCHED_AT,
    },
  },
  {
    name: 'tickers',
    family: 'Exchanges and their markets',
    description: 'The latest state of a market.',
    from: 'tickers',
    cut: null,
    sort: ['exchange_id', 'base', 'target'],
    columns: {
      exchange_id: EXCHANGE,
      ...PAIR,
      base_coin_id: text('Coin id, as in the API; null: unknown'),
      target_coin_id: text('Coin id, as in the API; null: unknown'),
      pair_price: PRICE,
      pair_volume: decimal(AMOUNT_PLACES, 'Volume over 24 hours, units of base'),
      price_usd: decimal(PRICE_PLACES, 'Price of one base, USD'),
      volume_usd: volume('24 hours'),
      verified: boolean('True if neither outlier nor stale and within 10 % of the price of the coin'),
      listed: boolean('False once the market was missing twice in a row or its exchange is no longer read'),
      occurred_at: instant('Time of the last trade', 'at'),
      first_seen_at: instant('When the market was first read'),
      seen_at: instant('When the market was last read'),
      ...READ,
    },
  },
  {
    name: 'ticker_prices',
    family: 'Exchanges and their markets',
    description: 'Prices of markets over time.',
    from: 'ticker_prices',
    cut: { at: 'occurred_at' },
    sort: ['exchange_id', 'base', 'target', 'occurred_at'],
    columns: {
      exchange_id: EXCHANGE,
      ...PAIR,
      occurred_at: instant('Instant of the price', 'at'),
      pair_price: PRICE,
      ...READ,
    },
  },
]
