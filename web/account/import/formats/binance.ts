import { add, sign, ZERO } from '../../../../db/values/decimal.ts'
import { amountIn, entryOf, noteOf, numberIn, timeIn, Unreadable } from '../fields.ts'
import type { Amount, Entry, ImportFormat, Row } from '../movement.ts'

const FEES = ['fee', 'transaction fee']
const TRADES = [
  'buy',
  'sell',
  'transaction buy',
  'transaction spend',
  'transaction sold',
  'transaction revenue',
  'transaction related',
  'binance convert',
  'large otc trading',
  'small assets exchange bnb',
  ...FEES,
]
/** Moves between wallets of the same account, also into and out of its savings. */
const INNER = /transfer|subscription|redemption|main and funding|staking purchase/i

/**
 * Binance's transaction history. It has a line for each change of a balance: the sides and fees of a trade are lines
 * of the same second.
 */
export const binance: ImportFormat = {
  name: 'Binance',
  columns: ['UTC_Time', 'Account', 'Operation', 'Coin', 'Change'],
  read(rows) {
    const isTrade = (row: Row) => TRADES.includes(row.get('Operation').toLowerCase())
    const trades = Map.groupBy(rows.filter(isTrade), (row) => `${row.get('UTC_Time')} ${row.get('Account')}`)
    return [
      ...rows.filter((row) => !isTrade(row)).map((row) => entryOf(row.line, () => single(row))),
      ...[...trades.values()].flatMap(traded),
    ]
  },
}

function single(row: Row) {
  const operation = row.get('Operation')
  if (INNER.test(operation)) return 'it moves between the wallets of the account'
  const change = numberIn(row, 'Change')
  const own = amountIn(row, 'Change', row.get('Coin'))
  if (change === null || !own) return 'the change is 0'
  const isIn = sign(change) > 0
  return {
    at: timeIn(row, 'UTC_Time'),
    received: isIn ? own : null,
    spent: isIn ? null : own,
    fees: [],
    note: noteOf(operation),
  }
}

function traded(rows: readonly Row[]): Entry[] {
  const [first, ...others] = rows
  const entry = entryOf(first!.line, () => {
    const isFee = (row: Row) => FEES.includes(row.get('Operation').toLowerCase())
    const came = totals(rows.filter((row) => !isFee(row) && sign(numberIn(row, 'Change') ?? ZERO) > 0))
    const went = totals(rows.filter((row) => !isFee(row) && sign(numberIn(row, 'Change') ?? ZERO) < 0))
    if (came.length > 1 || went.length > 1)
      throw new Unreadable(`UTC_Time: the lines of ${first!.get('UTC_Time')} are of more than one pair`)
    return {
      at: timeIn(first!, 'UTC_Time'),
      received: came[0] ?? null,
      spent: went[0] ?? null,
      fees: totals(rows.filter(isFee)),
      note: noteOf(first!.get('Operation')),
    }
  })
  const isRefused = 'refused' in entry
  return [
    entry,
    ...others.map(({ line }) =>
      isRefused
        ? { line, refused: entry.refused }
        : { line, left: `it belongs to the trade of line ${first!.line}` },
    ),
  ]
}

/** Sums by coin. */
function totals(rows: readonly Row[]): Amount[] {
  const sums = new Map<string, Amount>()
  for (const row of rows) {
    const own = amountIn(row, 'Change', row.get('Coin'))
    if (own) sums.set(own.asset, { ...own, amount: add(sums.get(own.asset)?.amount ?? ZERO, own.amount) })
  }
  return [...sums.values()]
}
