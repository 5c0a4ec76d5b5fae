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
} from '../dataset.ts'

const PORTFOLIO = text("The API's portfolioId")
const READ = { source: SOURCE, fetched_at: FETCHED_AT }
/** Credentials, their fingerprints, share links and passcodes stand in none of these. */
const COIN = text('Coin id, as in the API')

/** Credentials, their fingerprints, share links and passcodes stand in none of these. */
export const portfolioDatasets: readonly Dataset[] = [
  {
    name: 'portfolios',
    family: 'P&L',
    description:
      'What an account keeps together: wallets, accounts at exchanges, transactions stated by hand.',
    from: '(select own.*, of.book_id from portfolios as own left join portfolio_books as of on of.portfolio_id = own.id) as item',
    cut: null,
    sort: ['id'],
    columns: {
      id: PORTFOLIO,
      account_id: text('Whose it is; null: given up'),
      kind: text('wallet, exchange or manual'),
      name: text('Given by its owner'),
      address: text('Of a wallet'),
      network_id: text('Of a wallet'),
      cost_method: text('average, fifo, lifo or hifo'),
      book_id: bigint('Its rows in pl_days; null: nothing was computed for it yet'),
      created_at: instant('When it was made'),
    },
  },
  {
    name: 'manual_transactions',
    family: 'Transactions',
    description: 'Transactions that the owners of portfolios stated by hand.',
    from: 'manual_transactions',
    cut: null,
    sort: ['portfolio_id', 'at', 'id'],
    columns: {
      id: text('Its id'),
      portfolio_id: PORTFOLIO,
      at: instant('As stated'),
      coin_id: text('A coin, or FiatCoinXXX'),
      count: decimal(AMOUNT_PLACES, 'Coins; negative: sold'),
      price: decimal(PRICE_PLACES, 'Of one, in its currency; null: that of its instant'),
      currency: text('ISO code or coin'),
      price_usd: decimal(PRICE_PLACES, 'Of one, USD; null: it had none'),
      ...READ,
    },
  },
  {
    name: 'portfolio_snapshots',
    family: 'Snapshots',
    description: 'What a portfolio held at each midnight, one row for each coin: kept as it was.',
    from: `portfolio_snapshots cross join unnest(coin_ids, quantities, prices_usd) as held (coin_id, quantity, price_usd)`,
    cut: { at: 'at', key: 'portfolio_id' },
    sort: ['portfolio_id', 'at', 'coin_id'],
    columns: {
      portfolio_id: PORTFOLIO,
      at: instant('The UTC midnight'),
      coin_id: COIN,
      quantity: decimal(AMOUNT_PLACES, 'Coins'),
      price_usd: decimal(PRICE_PLACES, 'Of one, USD; null: it had none yet'),
      ...READ,
    },
  },
]
