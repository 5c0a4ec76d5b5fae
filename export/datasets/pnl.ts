import {
  AMOUNT_PLACES,
  bigint,
  boolean,
  type Dataset,
  decimal,
  instant,
  integer,
  rounded,
  text,
} from '../dataset.ts'

const value = (unit: string) =>
  rounded(AMOUNT_PLACES, `Value at that midnight, ${unit} at the prices of the instant`)
const flow = (unit: string) =>
  rounded(AMOUNT_PLACES, `What came in from outside in the day that ends there, less what went out, ${unit}`)
const BOOK = bigint('books.id')
const COIN = text('Coin id, as in the API')
const coins = (comment: string) => rounded(AMOUNT_PLACES, `${comment}, coins`)
const usd = (comment: string) => rounded(AMOUNT_PLACES, `${comment}, USD`)

export const pnlDatasets: readonly Dataset[] = [
  {
    name: 'books',
    family: 'P&L',
    description:
      'Whatever holds coins and has a ledger of its own: a wallet on a network, an account at an exchange, a portfolio stated by hand.',
    from: 'books',
    cut: null,
    sort: ['id'],
    columns: {
      id: bigint('Its id'),
      wallet_id: bigint('wallets.id; null: it is no wallet'),
      network_id: text('Of a wallet'),
      connection_id: text('exchange_connections.id; null: it is no account at an exchange'),
      portfolio_id: text('portfolios.id; null: it is not stated by hand'),
    },
  },
  {
    name: 'role_treatments',
    family: 'P&L',
    description: 'Books that treat what came in for nothing in their own way, as an operator asked.',
    from: 'role_treatments',
    cut: null,
    sort: ['book_id', 'role'],
    columns: {
      book_id: BOOK,
      role: text('airdrop, reward, interest or rebase'),
      treatment: text('income or flow'),
      asked_at: instant('When the operator asked'),
    },
  },
  {
    name: 'pl_days',
    family: 'P&L',
    description:
      'Value and external flow of a book at each midnight: profit of a span is the change of the value less the flows.',
    from: 'pl_days',
    cut: { at: 'at', key: 'book_id' },
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
    name: 'balance_days',
    family: 'P&L',
    description: 'What a book held of a coin at the end of each day on which that changed.',
    from: 'balance_days',
    cut: { at: 'at', key: 'book_id' },
    sort: ['book_id', 'coin_id', 'at'],
    columns: {
      book_id: BOOK,
      coin_id: COIN,
      at: instant('The UTC midnight that ends the day'),
      raw: decimal(0, 'Base units'),
      decimals: integer('Decimal places of the coin'),
      amount: decimal(AMOUNT_PLACES, 'Coins', `raw * ('1e-' || decimals)::numeric`),
    },
  },
  {
    name: 'scopes',
    family: 'P&L',
    description:
      'What is looked at together: one book, all of a wallet, or those of all portfolios of an account.',
    from: 'scopes',
    cut: null,
    sort: ['id'],
    columns: {
      id: bigint('Its id'),
      book_id: bigint('books.id; null: it is more than one'),
      wallet_id: bigint('wallets.id; null: it is not a wallet'),
      account_id: text('Whose portfolios they are; null: it is no account'),
    },
  },
  {
    name: 'scope_books',
    family: 'P&L',
    description: 'The books of each scope.',
    from: 'scope_books',
    cut: null,
    sort: ['scope_id', 'book_id'],
    columns: { scope_id: bigint('scopes.id'), book_id: BOOK },
  },
  {
    name: 'folds',
    family: 'P&L',
    description: 'The lots of a scope by one cost method.',
    from: 'folds',
    cut: null,
    sort: ['id'],
    columns: {
      id: bigint('Its id'),
      scope_id: bigint('scopes.id'),
      method: text('average, fifo, lifo or hifo'),
      folded_at: instant('As of when it is computed; null: never yet'),
    },
  },
  {
    name: 'coin_folds',
    family: 'P&L',
    description: 'What each coin had cost and earned at the end of each month in which that changed.',
    from: 'coin_folds',
    cut: { at: 'month', key: 'fold_id' },
    sort: ['fold_id', 'coin_id', 'month'],
    columns: {
      fold_id: bigint('folds.id'),
      coin_id: COIN,
      month: instant('Its start'),
      quantity: coins('Held'),
      acquired_quantity: coins('All that came in'),
      disposed_quantity: coins('All that went out'),
      sold_quantity: coins('Sold'),
      uncovered: coins('Went out without having come in: its cost is taken as zero'),
      cost_usd: usd('What its lots cost'),
      acquired_usd: usd('Paid for all that came in'),
      disposed_usd: usd('Value of all that went out'),
      disposed_cost_usd: usd('What that had cost'),
      sold_usd: usd('Received for what was sold'),
    },
  },
  {
    name: 'transfer_matches',
    family: 'P&L',
    description: 'Own transfers of a scope, each between two of its books: no flow.',
    from: 'transfer_matches',
    cut: null,
    sort: ['scope_id', 'from_book_id', 'from_tx_id', 'from_seq'],
    columns: {
      scope_id: bigint('scopes.id'),
      coin_id: COIN,
      raw: decimal(0, 'Arrived, base units'),
      fee: decimal(0, 'What left beyond that, base units: taken by a bridge'),
      decimals: integer('Decimal places of the coin'),
      from_book_id: BOOK,
      from_at: instant('Of this end'),
      from_tx_id: text('Transaction of this end'),
      from_seq: integer('Order in it'),
      to_book_id: BOOK,
      to_at: instant('Of this end'),
      to_tx_id: text('Transaction of this end'),
      to_seq: integer('Order in it'),
    },
  },
]
