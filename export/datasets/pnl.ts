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
import { lotDatasets } from './pnl-lots.ts'

const value = (unit: string) =>
  rounded(AMOUNT_PLACES, `Value at that midnight, ${unit} at the prices of that instant`)
const flow = (unit: string) =>
  rounded(AMOUNT_PLACES, `External inflow less outflow of the day that ends then, ${unit}`)

const BOOK = bigint('books.id')
const COIN = text('Coin id, as in the API')

export const pnlDatasets: readonly Dataset[] = [
  {
    name: 'books',
    family: 'P&L',
    description: 'All legs of one wallet on one network, one exchange account or one manual portfolio.',
    from: 'books',
    cut: null,
    sort: ['id'],
    columns: {
      id: bigint('Id of the book'),
      wallet_id: bigint('wallets.id; null: not a wallet'),
      network_id: text('Network of the wallet; null: not a wallet'),
      connection_id: text('exchange_connections.id; null: not an exchange account'),
      portfolio_id: text('portfolios.id; null: not a manual portfolio'),
    },
  },
  {
    name: 'role_treatments',
    family: 'P&L',
    description: 'Books for which an operator chose how to count coins received without payment.',
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
      'Value and external flow of a book at each midnight. Profit is the change of value less the flows.',
    from: 'pl_days',
    cut: { at: 'occurred_at', key: 'book_id' },
    sort: ['book_id', 'occurred_at'],
    columns: {
      book_id: bigint('portfolios.book_id'),
      occurred_at: instant('The UTC midnight that ends the day', 'at'),
      value_usd: value('USD'),
      value_btc: value('BTC'),
      value_eth: value('ETH'),
      flow_usd: flow('USD'),
      flow_btc: flow('BTC'),
      flow_eth: flow('ETH'),
      stale: boolean('True when a price was a day old or older'),
    },
  },
  {
    name: 'balance_days',
    family: 'P&L',
    description: 'Balance of a coin in a book at the end of each day on which it changed.',
    from: 'balance_days',
    cut: { at: 'occurred_at', key: 'book_id' },
    sort: ['book_id', 'coin_id', 'occurred_at'],
    columns: {
      book_id: BOOK,
      coin_id: COIN,
      occurred_at: instant('The UTC midnight that ends the day', 'at'),
      raw: decimal(0, 'Base units'),
      decimals: integer('Decimal places of the coin'),
      amount: decimal(AMOUNT_PLACES, 'Coins', `raw * ('1e-' || decimals)::numeric`),
      paid_quantity: rounded(
        AMOUNT_PLACES,
        'Quantity of known cost while the coin has no market price, coins; null: none',
      ),
      paid_usd: rounded(
        AMOUNT_PLACES,
        'What was paid for that quantity, USD; null: nothing, or the coin has a price',
      ),
    },
  },
  {
    name: 'scopes',
    family: 'P&L',
    description:
      'Books computed together: one book, all of a wallet, or those of all portfolios of an account.',
    from: 'scopes',
    cut: null,
    sort: ['id'],
    columns: {
      id: bigint('Id of the scope'),
      book_id: bigint('books.id; null: not a single book'),
      wallet_id: bigint('wallets.id; null: not all books of a wallet'),
      account_id: text('Owner of the portfolios; null: not all portfolios of an account'),
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
    description: 'Computed lots of a scope by one cost method.',
    from: 'folds',
    cut: null,
    sort: ['id'],
    columns: {
      id: bigint('Id of the fold'),
      scope_id: bigint('scopes.id'),
      method: text('average, fifo, lifo or hifo'),
      folded_at: instant('Instant up to which it is computed; null: not computed yet'),
    },
  },
  ...lotDatasets,
  {
    name: 'transfer_matches',
    family: 'P&L',
    description: 'Own transfers of a scope, each between two of its books. They are not flows.',
    from: 'transfer_matches',
    cut: null,
    sort: ['scope_id', 'from_book_id', 'from_tx_id', 'from_seq'],
    columns: {
      scope_id: bigint('scopes.id'),
      coin_id: COIN,
      raw: decimal(0, 'Base units that arrived'),
      fee: decimal(AMOUNT_PLACES, 'Coins that left and did not arrive: the fee of a bridge'),
      decimals: integer('Decimal places of the coin'),
      from_book_id: BOOK,
      from_at: instant('Departure'),
      from_tx_id: text('Transaction of the departure'),
      from_seq: integer('Position of the leg in that transaction'),
      to_book_id: BOOK,
      to_at: instant('Arrival'),
      to_tx_id: text('Transaction of the arrival'),
      to_seq: integer('Position of the leg in that transaction'),
    },
  },
]
