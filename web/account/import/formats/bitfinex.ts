import { absolute, multiply, negate, sign } from '../../../../db/values/decimal.ts'
import { amountIn, amountsIn, lineByLine, noteOf, numberIn, timeIn, Unreadable } from '../fields.ts'
import type { ImportFormat, Row } from '../movement.ts'
import { feeIn, pairIn, signedMoveIn, tradeOf } from '../trade.ts'

const DAY_FIRST = /^(\d\d)-(\d\d)-(\d\d)(?= )/

/** Bitfinex writes `31-01-26 18:30:00` unless a user has chosen another form. */
function dateIn(row: Row): Date {
  const [, , month] = DAY_FIRST.exec(row.get('DATE')) ?? []
  if (Number(month ?? 0) > 12)
    throw new Unreadable(
      `DATE: "${row.get('DATE')}" has the month first. Export the file with the day first.`,
    )
  return timeIn({ ...row, get: () => row.get('DATE').replace(DAY_FIRST, '20$3-$2-$1') }, 'DATE')
}

const trades: ImportFormat = {
  name: 'Bitfinex, trades',
  columns: ['PAIR', 'AMOUNT', 'PRICE', 'FEE', 'FEE CURRENCY', 'DATE', 'ORDER ID'],
  read: lineByLine((row) => {
    const [base, quote] = pairIn(row, 'PAIR')
    const [amount, price] = [numberIn(row, 'AMOUNT'), numberIn(row, 'PRICE')]
    const own = amountIn(row, 'AMOUNT', base)
    if (!own || !amount) return 'the amount is 0'
    if (!price) throw new Unreadable('PRICE: the price is missing')
    const fee = feeIn(row, 'FEE', row.get('FEE CURRENCY'))
    return {
      at: dateIn(row),
      // What is paid is below zero.
      ...tradeOf({
        isBuy: sign(amount) > 0,
        base: own,
        quote: { amount: absolute(multiply(amount, price)), asset: quote },
        fee: fee && { ...fee, amount: negate(fee.amount) },
      }),
      note: noteOf(row.get('PAIR')),
    }
  }),
}

const movements: ImportFormat = {
  name: 'Bitfinex, movements',
  columns: ['DATE', 'CURRENCY', 'STATUS', 'AMOUNT', 'FEES', 'DESCRIPTION', 'TRANSACTION ID'],
  read: lineByLine((row) => {
    if (row.get('STATUS') !== 'COMPLETED') return `its status is ${row.get('STATUS')}`
    const currency = row.get('CURRENCY')
    if (!amountIn(row, 'AMOUNT', currency)) return 'the amount is 0'
    return {
      at: dateIn(row),
      ...signedMoveIn(row, 'AMOUNT', currency),
      fees: amountsIn(row, 'FEES', currency),
      note: noteOf(row.get('NOTE')),
    }
  }),
}

/** Bitfinex' trades and movements. */
export const bitfinex: readonly ImportFormat[] = [trades, movements]
