import { amountIn, lineByLine, noteOf, timeIn } from '../fields.ts'
import type { ImportFormat } from '../movement.ts'
import { feeIn, isBuyIn, pairIn, tradeOf, transfers } from '../trade.ts'

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

const COLUMNS = ['Time', 'Coin', 'Amount', 'Status', 'Transaction ID']
const common = { done: ['complete', 'confirmed'], timeIn, note: 'Additional info' }

/** FTX' trades, withdrawals and deposits. */
export const ftx: readonly ImportFormat[] = [
  trades,
  transfers(
    { name: 'FTX, withdrawals', columns: [...COLUMNS, 'Destination', 'fee'] },
    { ...common, isIn: false },
  ),
  transfers({ name: 'FTX, deposits', columns: [...COLUMNS, 'Additional info'] }, { ...common, isIn: true }),
]
