import {
  AMOUNT_PLACES,
  bigint,
  boolean,
  type Dataset,
  decimal,
  FETCHED_AT,
  instant,
  PRICE_PLACES,
  rounded,
  SOURCE,
  text,
} from '../dataset.ts'

const CONNECTION = text('exchange_connections.id; the id of its portfolio as well')
const PORTFOLIO = text("The API's portfolioId")
const COIN = text('Coin id, as in the API')
const ASSET = text('Unified code of what the venue calls it')
const READ = { source: SOURCE, fetched_at: FETCHED_AT }
const value = (unit: string) =>
  rounded(AMOUNT_PLACES, `Value at that midnight, ${unit} at the prices of the instant`)
const flow = (unit: string) =>
  rounded(AMOUNT_PLACES, `What came in from outside in the day that ends there, less what went out, ${unit}`)

/** Credentials, their fingerprints, share links and passcodes stand in none of these. */
export const accountDatasets: readonly Dataset[] = [
  {
    name: 'exchange_connections',
    family: 'Fills',
    description: 'Accounts at exchanges, without their credentials.',
    from: 'exchange_connections',
    month: null,
    sort: ['id'],
    columns: {
      id: CONNECTION,
      account_id: text('Whose it is'),
      venue: text('The exchange'),
      name: text('Given by its owner'),
      created_at: instant('When it was connected'),
      synced_at: instant('When a sync was last complete; null: never yet'),
      covered_to: instant('Everything that the venue had until then is stored'),
      failed_at: instant('Null: the last sync did not fail'),
    },
  },
  {
    name: 'exchange_transactions',
    family: 'Fills',
    description: 'Fills, deposits and withdrawals as the venue states them.',
    from: 'exchange_transactions',
    month: 'at',
    sort: ['connection_id', 'at', 'kind', 'key'],
    columns: {
      connection_id: CONNECTION,
      kind: text('fill, dust, convert, deposit, withdrawal, reward, adjustment, fee or opening'),
      key: text("The venue's id, with the symbol where ids are unique in it only"),
      at: instant('When the venue says'),
      status: text('ok, pending or failed'),
      type: text('deposit, withdraw, executed, balance or fee'),
      symbol: text('The market of a fill'),
      order_id: text("The venue's id of the order"),
      asset: ASSET,
      amount: decimal(AMOUNT_PLACES, 'Positive came in'),
      quote_asset: text('What a fill was paid in'),
      quote_amount: decimal(AMOUNT_PLACES, 'Positive came in'),
      fee_asset: text('What the fee was paid in'),
      fee_amount: decimal(AMOUNT_PLACES, 'Positive: paid'),
      network: text('Of a deposit or withdrawal, as the venue says'),
      tx_hash: text('Of a deposit or withdrawal, as the venue says'),
      identified: boolean('Its asset is a known coin or currency'),
      ...READ,
    },
  },
  {
    name: 'exchange_balances',
    family: 'Balances',
    description: 'What accounts at exchanges hold as of their last sync.',
    from: 'exchange_balances',
    month: null,
    sort: ['connection_id', 'asset'],
    columns: {
      connection_id: CONNECTION,
      asset: ASSET,
      amount: decimal(AMOUNT_PLACES, 'Coins or units of the currency'),
      ...READ,
    },
  },
  {
    name: 'portfolios',
    family: 'P&L',
    description:
      'What an account keeps together: wallets, accounts at exchanges, transactions stated by hand.',
    from: '(select own.*, of.book_id from portfolios as own left join portfolio_books as of on of.portfolio_id = own.id) as item',
    month: null,
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
    month: null,
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
    name: 'pl_days',
    family: 'P&L',
    description:
      'Value and external flow of a book at each midnight: profit of a span is the change of the value less the flows.',
    from: 'pl_days',
    month: 'at',
    sort: ['book_id', 'at'],
    columns: {
      book_id: bigint('portfolios.book_id'),
      at: instant('The UTC midnight that ends the day'),
      value_usd: value('USD'),
      value_btc: value('BTC'),
      value_eth: value('ETH'),
      flow_usd: flow('USD'),
      flow_btc: flow('BTC'),
      flow_eth: flow('ETH'),
      stale: boolean('A price had to be carried forward'),
    },
  },
  {
    name: 'portfolio_snapshots',
    family: 'Snapshots',
    description: 'What a portfolio held at each midnight, one row for each coin: kept as it was.',
    from: `portfolio_snapshots cross join unnest(coin_ids, quantities, prices_usd) as held (coin_id, quantity, price_usd)`,
    month: 'at',
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
