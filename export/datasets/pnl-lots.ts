import { AMOUNT_PLACES, bigint, boolean, type Dataset, instant, integer, rounded, text } from '../dataset.ts'

const BOOK = bigint('books.id')
const COIN = text('Coin id, as in the API')
const coins = (comment: string) => rounded(AMOUNT_PLACES, `${comment}, coins`)
const usd = (comment: string) => rounded(AMOUNT_PLACES, `${comment}, USD`)

/** Said of every dataset of folds, because sums over all rows count a coin several times. */
const OVERLAP =
  'Do not add folds: a book counts in its own scope, in that of its wallet and in those of accounts, and each method counts all of it. Choose one fold_id.'
const FOLD = bigint('folds.id: the scope and the cost method')
const DAY = instant('The UTC midnight that begins its day')
const SEQ = integer('Order within its instant, in the fold')

/** Lots of folds and what was acquired and disposed of. */
export const lotDatasets: readonly Dataset[] = [
  {
    name: 'coin_folds',
    family: 'P&L',
    description:
      'Cost and proceeds of each coin, in total up to the end of each month in which they changed. ' +
      OVERLAP +
      ' Nor add months: the last row of a coin has its totals.',
    from: 'coin_folds',
    cut: { at: 'month', key: 'fold_id' },
    sort: ['fold_id', 'coin_id', 'month'],
    columns: {
      fold_id: bigint('folds.id'),
      coin_id: COIN,
      month: instant('Start of the month'),
      quantity: coins('Quantity held'),
      acquired_quantity: coins('Total quantity acquired'),
      disposed_quantity: coins('Total quantity disposed of'),
      sold_quantity: coins('Total quantity sold or sent'),
      uncovered: coins('Total quantity disposed of that was never acquired, at zero cost'),
      unvalued_quantity: coins(
        'Quantity held at an unknown cost while the coin has no market price, beside quantity',
      ),
      paid_usd: usd('What was paid for the coin until it had a market price, as far as it was held'),
      cost_usd: usd('Cost basis of the quantity held'),
      acquired_usd: usd('Cost of the acquired quantity'),
      disposed_usd: usd('Proceeds of the disposed quantity'),
      disposed_cost_usd: usd('Cost basis of the disposed quantity'),
      sold_usd: usd('Proceeds of the sold quantity'),
    },
  },
  {
    name: 'open_lots',
    family: 'P&L',
    description: `Lots that a fold still holds of each coin, with their cost. ${OVERLAP}`,
    from: 'open_lots',
    cut: null,
    sort: ['fold_id', 'coin_id', 'position'],
    columns: {
      fold_id: FOLD,
      coin_id: COIN,
      position: integer('Order of arrival'),
      acquired_at: instant('When it was acquired; null: method average, where all lots of a coin are one'),
      quantity: coins('Quantity left of the lot'),
      cost_usd: usd('Cost basis of that quantity, with fees'),
      acquired_book_id: bigint('books.id of the acquisition; null: as acquired_tx_id'),
      acquired_tx_id: text(
        'Transaction that acquired it, in the ledger of that book; null: none, as at the first price of a coin or by average',
      ),
    },
  },
  {
    name: 'disposals',
    family: 'P&L',
    description:
      'What left a fold (sales, sends, fees), a row for each lot that it took. Its gains add up to the realised profit of coin_folds. ' +
      OVERLAP,
    // In a schema, because it is a view: its rows have no stored version to compare.
    from: 'public.disposals',
    cut: { at: 'day', key: 'fold_id' },
    sort: ['fold_id', 'disposed_at', 'seq', 'position'],
    columns: {
      fold_id: FOLD,
      day: DAY,
      coin_id: COIN,
      disposed_at: instant('When it was disposed of'),
      seq: SEQ,
      position: integer('Order of the lot within the disposal'),
      reason: text(
        'trade, send, tradefee (a fee of a trade, at market value), fee (for nothing) or loss (negative income)',
      ),
      book_id: BOOK,
      tx_id: text('Transaction that disposed of it, in the ledger of that book'),
      acquired_at: instant('When the lot was acquired; null: never, or method average, which keeps no dates'),
      acquired_book_id: bigint('books.id of the acquisition; null: as acquired_tx_id'),
      acquired_tx_id: text(
        'Transaction that acquired the lot; null: none, as at the first price of a coin or by average',
      ),
      quantity: coins('Quantity taken from the lot'),
      proceeds_usd: usd(
        'Its share of the proceeds, after fees. Proceeds of a swap are the cost of what it acquired: do not add them to flows or income',
      ),
      cost_usd: usd('Cost basis of that quantity, with fees; 0 if it was never acquired'),
      fee_usd: usd(
        'Fee that is already taken off from proceeds_usd: do not subtract it again. The fee coin of a trade has a row of its own, tradefee',
      ),
      gain_usd: usd('proceeds_usd less cost_usd'),
      holding_days: integer('Whole days from acquisition to disposal; null: acquired_at is'),
      uncovered: boolean('True when the fold had not acquired it: its cost is unknown and counts as 0'),
      income_usd: usd(
        'Market value of that quantity when it was received, if the lot was income: gain_usd has it again. Null: it was no income, or method average',
      ),
    },
  },
  {
    name: 'income',
    family: 'P&L',
    description:
      'Coins received for nothing: airdrops, rewards, interest, rebases. They have no cost, so their whole proceeds are gain in disposals: do not add worth_usd to gains, or take income_usd off there. Rewards that an operator counts as capital are in flows. ' +
      OVERLAP,
    from: `(select * from acquisitions where reason = 'income') as income`,
    cut: { at: 'day', key: 'fold_id' },
    sort: ['fold_id', 'acquired_at', 'seq'],
    columns: {
      fold_id: FOLD,
      day: DAY,
      coin_id: COIN,
      acquired_at: instant('When it was received'),
      seq: SEQ,
      role: text('airdrop, reward, interest, rebase, or wrap (nothing was given for it)'),
      book_id: BOOK,
      tx_id: text('Transaction in the ledger of that book'),
      quantity: coins('Quantity received'),
      worth_usd: usd('Market value when it was received; negative: interest on a debt'),
    },
  },
  {
    name: 'flows',
    family: 'P&L',
    description:
      'Coins that came into a fold from outside or left it, at market value. What left is in disposals too. Transfers between two books are flows of each book and none of a scope of both, so flows of books do not add up to those of their account. ' +
      OVERLAP,
    from: 'public.flows',
    cut: { at: 'day', key: 'fold_id' },
    sort: ['fold_id', 'occurred_at', 'seq'],
    columns: {
      fold_id: FOLD,
      day: DAY,
      coin_id: COIN,
      occurred_at: instant('When it moved', 'at'),
      seq: SEQ,
      book_id: bigint('books.id; null: the first price of a coin, at which what is held counts as received'),
      tx_id: text('Transaction in the ledger of that book; null: as book_id'),
      quantity: coins('Quantity, negative: it left'),
      flow_usd: usd('Market value then, negative: it left'),
    },
  },
]
