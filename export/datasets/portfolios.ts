import {
  AMOUNT_PLACES,
  bigint,
  type Dataset,
  decimal,
  FETCHED_AT,
  instant,
  PRICE_PLACES,
  SOURCE,
  text,
  value,
} from '../dataset.ts'

const PORTFOLIO = text("The API's portfolioId")
const READ = { source: SOURCE, fetched_at: FETCHED_AT }
const COIN = text('Coin id, as in the API')

/** No dataset contains credentials, their fingerprints, share links or passcodes. */
export const portfolioDatasets: readonly Dataset[] = [
  {
    name: 'portfolios',
    family: 'P&L',
    description: 'Portfolios of the accounts: wallets, exchange accounts and manual portfolios.',
    from: '(select own.*, of.book_id from portfolios as own left join portfolio_books as of on of.portfolio_id = own.id) as item',
    cut: null,
    sort: ['id'],
    columns: {
      id: PORTFOLIO,
      account_id: text('Owner; null: removed by the owner'),
      kind: text('wallet, exchange or manual'),
      name: text('Name given by the owner'),
      address: text('Address of a wallet'),
      network_id: text('Network of a wallet'),
      cost_method: text('average, fifo, lifo or hifo'),
      book_id: bigint('Key of its rows in pl_days; null: nothing was computed yet'),
      created_at: instant('Time of creation'),
    },
  },
  {
    name: 'manual_transactions',
    family: 'Transactions',
    description: 'Transactions of manual portfolios, as their owners entered them.',
    from: 'manual_transactions',
    cut: null,
    sort: ['portfolio_id', 'occurred_at', 'id'],
    columns: {
      id: text('Id of the transaction'),
      portfolio_id: PORTFOLIO,
      occurred_at: instant('Time, as the owner entered it', 'at'),
      coin_id: text('Coin id, or FiatCoin with a currency code'),
      count: decimal(AMOUNT_PLACES, 'Coins; negative for a sale'),
      price: decimal(PRICE_PLACES, 'Price of one coin in `currency`; null: the price at that time'),
      currency: text('ISO code or coin'),
      price_usd: decimal(PRICE_PLACES, 'Price of one coin, USD; null: unknown'),
      value_usd: value('count at that price', 'count * price_usd'),
      ...READ,
    },
  },
  {
    name: 'portfolio_snapshots',
    family: 'Snapshots',
    description: 'Holdings of a portfolio at each UTC midnight, one row per coin; rows never change.',
    from: `portfolio_snapshots cross join unnest(coin_ids, quantities, prices_usd) as held (coin_id, quantity, price_usd)`,
    cut: { at: 'occurred_at', key: 'portfolio_id' },
    sort: ['portfolio_id', 'occurred_at', 'coin_id'],
    columns: {
      portfolio_id: PORTFOLIO,
      occurred_at: instant('UTC midnight', 'at'),
      coin_id: COIN,
      quantity: decimal(AMOUNT_PLACES, 'Coins'),
      price_usd: decimal(PRICE_PLACES, 'Price of one coin, USD; null: unknown at that time'),
      value_usd: value('quantity at that price', 'quantity * price_usd'),
      ...READ,
    },
  },
]
