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

const EXCHANGE = text('ticker_exchanges.id')
const PAIR = { base: text('Symbol in upper case'), target: text('Symbol in upper case') }
const READ = { source: SOURCE, fetched_at: FETCHED_AT }
const volume = (span: string) => rounded(AMOUNT_PLACES, `Traded in ${span}, USD`)
const PRICE = decimal(PRICE_PLACES, 'Units of target for one base')

export const tickerDatasets: readonly Dataset[] = [
  {
    name: 'ticker_exchanges',
    family: 'Exchanges and their markets',
    description: 'Exchanges with their volumes.',
    from: 'ticker_exchanges',
    cut: null,
    sort: ['id'],
    columns: {
      id: text('Its id in the API'),
      name: text('Its name'),
      url: text('Its site'),
      rank: integer('By volume; null: no source lists it any more'),
      volume_24h_usd: volume('24 hours'),
      volume_7d_usd: volume('seven days'),
      volume_30d_usd: volume('30 days'),
      change_24h: rounded(AMOUNT_PLACES, 'Of the volume in 24 hours, percent'),
      at: instant('When that was so'),
      tickers_at: instant('When its markets were read'),
      charted_at: instant('When its past volumes were read'),
      ...READ,
    },
  },
  {
    name: 'ticker_exchange_volumes',
    family: 'Exchanges and their markets',
    description: 'Volume of the 24 hours before a full hour, one series for each source.',
    from: 'ticker_exchange_volumes',
    cut: { at: 'at' },
    sort: ['exchange_id', 'source', 'at'],
    columns: {
      exchange_id: EXCHANGE,
      source: SOURCE,
      at: instant('The full hour'),
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
      pair_volume: decimal(AMOUNT_PLACES, 'Units of base in 24 hours'),
      price_usd: decimal(PRICE_PLACES, 'Of one base, USD'),
      volume_usd: volume('24 hours'),
      verified: boolean('Its source trusts it'),
      listed: boolean('The exchange has it'),
      at: instant('When that was so'),
      first_seen_at: instant('When it was first read'),
      seen_at: instant('When it was last read'),
      ...READ,
    },
  },
  {
    name: 'ticker_prices',
    family: 'Exchanges and their markets',
    description: 'What a market traded at, at the instants at which it was read.',
    from: 'ticker_prices',
    cut: { at: 'at' },
    sort: ['exchange_id', 'base', 'target', 'at'],
    columns: {
      exchange_id: EXCHANGE,
      ...PAIR,
      at: instant('The instant it is of'),
      pair_price: PRICE,
      ...READ,
    },
  },
]
