import { amountIn, amountsIn, lineByLine, noteOf, timeIn } from '../fields.ts'
import type { ImportFormat } from '../movement.ts'
import { feeIn, isBuyIn, moveOf, pairIn, tradeOf } from '../trade.ts'

const trades: ImportFormat = {
  name: 'FTX, trades',
  columns: ['Time', 'Market', 'Side', 'Order Type', 'Size', 'Total', 'Fee', 'Fee Currency'],
  read: lineByLine((row) => {
    if (!row.get('Market').includes('/')) return 'it is of a future, not of coins'
    const [base, quote] = pairIn(row, 'Market')
    return {
      at: timeIn(row, 'Time'),
      ...tradeOf({
        isBuy: isBuyIn(row, 'Side'),
        base: amountIn(row, 'Size', base),
        quote: amountIn(row, 'Total', quote),
        fee: feeIn(row, 'Fee', row.get('Fee Currency')),
      }),
      note: noteOf(row.get('Market')),
    }
  }),
}

const isDone = (status: string) => ['complete', 'confirmed'].includes(status)

const transfers = (name: string, { columns, isIn }: { columns: string[]; isIn: boolean }): ImportFormat => ({
  name,
  columns: ['Time', 'Coin', 'Amount', 'Status', 'Transaction ID', ...columns],
  read: lineByLine((row) => {
    if (!isDone(row.get('Status'))) return `its status is ${row.get('Status')}`
    const coin = row.get('Coin')
    return {
      at: timeIn(row, 'Time'),
      ...moveOf(amountIn(row, 'Amount', coin), isIn),
      fees: amountsIn(row, 'fee', coin),
      note: noteOf(row.get('Additional info')),
    }
  }),
})

/** FTX' trades, withdrawals and deposits. */
export const ftx: readonly ImportFormat[] = [
  trades,
  transfers('FTX, withdrawals', { columns: ['Destination', 'fee'], isIn: false }),
  transfers('FTX, deposits', { columns: ['Additional info'], isIn: true }),
]
