import { amountIn, amountsIn, lineByLine, noteOf, timeIn } from '../fields.ts'
import type { ImportFormat } from '../movement.ts'
import { feeIn, isBuyIn, moveOf, pairIn, tradeOf } from '../trade.ts'

/** Withdrawals name their transaction after it. `COMPLETE ERROR` is a failure. */
const DONE = /^COMPLETED?(:|$)/

const trades: ImportFormat = {
  name: 'Poloniex, trades',
  columns: ['Date', 'Market', 'Type', 'Amount', 'Total', 'Order Number', 'Fee Currency', 'Fee Total'],
  read: lineByLine((row) => {
    const [base, quote] = pairIn(row, 'Market')
    return {
      at: timeIn(row, 'Date'),
      ...tradeOf({
        isBuy: isBuyIn(row, 'Type'),
        base: amountIn(row, 'Amount', base),
        quote: amountIn(row, 'Total', quote),
        fee: feeIn(row, 'Fee Total', row.get('Fee Currency')),
      }),
      note: noteOf(row.get('Market')),
    }
  }),
}

const withdrawals: ImportFormat = {
  name: 'Poloniex, withdrawals',
  columns: ['Date', 'Currency', 'Amount', 'Fee Deducted', 'Amount - Fee', 'Address', 'Status'],
  read: lineByLine((row) => {
    const currency = row.get('Currency')
    if (!DONE.test(row.get('Status'))) return `its status is ${row.get('Status')}`
    return {
      at: timeIn(row, 'Date'),
      ...moveOf(amountIn(row, 'Amount - Fee', currency), false),
      fees: amountsIn(row, 'Fee Deducted', currency),
      note: noteOf(row.get('Address')),
    }
  }),
}

const deposits: ImportFormat = {
  name: 'Poloniex, deposits',
  columns: ['Date', 'Currency', 'Amount', 'Address', 'Status'],
  read: lineByLine((row) => {
    if (!DONE.test(row.get('Status'))) return `its status is ${row.get('Status')}`
    return {
      at: timeIn(row, 'Date'),
      ...moveOf(amountIn(row, 'Amount', row.get('Currency')), true),
      fees: [],
      note: noteOf(row.get('Address')),
    }
  }),
}

/** Poloniex' trades, withdrawals and deposits. */
export const poloniex: readonly ImportFormat[] = [trades, withdrawals, deposits]
