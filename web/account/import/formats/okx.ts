import { negate } from '../../../../db/values/decimal.ts'
import { amountIn, amountsIn, entryOf, lineByLine, noteOf, timeIn, Unreadable } from '../fields.ts'
import type { Entry, ImportFormat, Row } from '../movement.ts'
import { feeIn, moveOf, tradeOf, withFee } from '../trade.ts'

/** Lines of one `id`, or of one order where ids differ, are the sides of a trade. Amounts are before the fee. */
const trades: ImportFormat = {
  name: 'OKX, trading history',
  columns: ['Order id', 'Time', 'Trade Type', 'Type', 'Amount', 'Unit', 'Fee'],
  read(rows) {
    const { spot = [], others = [] } = Object.groupBy(rows, (row) =>
      row.get('Trade Type') === 'Spot' ? 'spot' : 'others',
    )
    const byId = Map.groupBy(spot, (row) => row.get('id') || `order ${row.get('Order id')}`)
    const alone = [...byId.values()].filter(({ length }) => length === 1).flat()
    const pairs = [
      ...[...byId.values()].filter(({ length }) => length !== 1),
      ...Map.groupBy(alone, (row) => row.get('Order id')).values(),
    ]
    return [...others.map(untraded), ...pairs.flatMap(traded)]
  },
}

const untraded = (row: Row): Entry =>
  entryOf(row.line, () => {
    if (row.get('Trade Type') === 'Transfer') return 'it moves between the wallets of the account'
    throw new Unreadable(`Trade Type: "${row.get('Trade Type')}" is not read`)
  })

function traded(rows: Row[]): Entry[] {
  const side = (name: string) => rows.filter((row) => row.get('Type') === name)
  const [[bought], [sold]] = [side('Buy'), side('Sell')]
  if (rows.length !== 2 || !bought || !sold)
    return rows.map(({ line }) => ({
      line,
      refused: 'Type: a trade has one line that buys and one that sells',
    }))
  return [
    entryOf(bought.line, () => ({
      at: timeIn(bought, 'Time'),
      ...withFee(
        tradeOf({ isBuy: true, base: ownIn(bought), quote: ownIn(sold), fee: chargedIn(bought) }),
        chargedIn(sold),
      ),
      note: noteOf(bought.get('Instrument')),
    })),
    { line: sold.line, left: `it is the other side of line ${bought.line}` },
  ]
}

const ownIn = (row: Row) => amountIn(row, 'Amount', row.get('Unit'))

/** OKX writes what it charges below zero, and a rebate above. */
function chargedIn(row: Row) {
  const fee = feeIn(row, 'Fee', row.get('Unit'))
  return fee && { ...fee, amount: negate(fee.amount) }
}

const CAME = ['Deposit', 'Staking Yield', 'Fee rebate']
const INNER = [
  'Stake',
  'Redeem staking',
  'Savings subscription',
  'Savings redemption',
  'From unified trading account',
  'To unified trading account',
]

const funding: ImportFormat = {
  name: 'OKX, funding history',
  columns: ['Time', 'Type', 'Amount', 'Before Balance', 'After Balance', 'Fee', 'Symbol'],
  read: lineByLine((row) => {
    const type = row.get('Type')
    if (INNER.includes(type)) return 'it moves between the wallets of the account'
    if (!CAME.includes(type) && type !== 'Withdrawal') throw new Unreadable(`Type: "${type}" is not known`)
    const coin = row.get('Symbol')
    return {
      at: timeIn(row, 'Time'),
      ...moveOf(amountIn(row, 'Amount', coin), CAME.includes(type)),
      fees: amountsIn(row, 'Fee', coin),
      note: noteOf(type),
    }
  }),
}

/** OKX' histories of trading and of funding. */
export const okx: readonly ImportFormat[] = [trades, funding]
