import { amountIn, amountsIn, lineByLine, noteOf, numberIn, timeIn, Unreadable } from '../fields.ts'
import { type Decimal, subtract, ZERO } from '../../../../db/values/decimal.ts'
import type { ImportFormat, Row } from '../movement.ts'
import { feeIn, isBuyIn, moveOf, pairIn, tradeOf } from '../trade.ts'

const AMERICAN = /^(\d{1,2})\/(\d{1,2})\/(\d{4}) (\d{1,2}):(\d\d):(\d\d) (AM|PM)$/

/** Bittrex writes `1/31/2021 6:30:00 PM`. */
function americanTimeIn(row: Row, column: string): Date {
  const text = row
    .get(column)
    .replace(AMERICAN, (_, month: string, day: string, year: string, hour: string, ...rest: string[]) => {
      const [minute, second, half] = rest
      const hours = (Number(hour) % 12) + (half === 'PM' ? 12 : 0)
      const two = (part: string | number) => String(part).padStart(2, '0')
      return `${year}-${two(month)}-${two(day)}T${two(hours)}:${minute}:${second}Z`
    })
  return timeIn({ ...row, get: () => text }, column)
}

/** The price of an order is what all of it costs or pays. The market names the other coin first. */
const trades: ImportFormat = {
  name: 'Bittrex, orders',
  columns: [
    'Uuid',
    'Exchange',
    'TimeStamp',
    'OrderType',
    'Quantity',
    'QuantityRemaining',
    'Commission',
    'Price',
  ],
  read: lineByLine((row) => {
    const [quote, base] = pairIn(row, 'Exchange')
    const filled = less(row, 'Quantity', 'QuantityRemaining')
    return {
      at: americanTimeIn(row, 'TimeStamp'),
      ...tradeOf({
        isBuy: isBuyIn(row, 'OrderType'),
        base: { amount: filled, asset: base },
        quote: amountIn(row, 'Price', quote),
        fee: feeIn(row, 'Commission', quote),
      }),
      note: noteOf(row.get('Exchange')),
    }
  }),
}

const less = (row: Row, whole: string, part: string): Decimal =>
  subtract(numberIn(row, whole) ?? ZERO, numberIn(row, part) ?? ZERO)

const deposits: ImportFormat = {
  name: 'Bittrex, deposits',
  columns: ['Id', 'Currency', 'Amount', 'Confirmations', 'LastUpdatedDate', 'TxId', 'CryptoAddress'],
  read: lineByLine((row) => {
    const state = row.get('State')
    if (state !== '' && state !== 'CONFIRMED') return `its state is ${state}`
    return {
      at: americanTimeIn(row, 'LastUpdatedDate'),
      ...moveOf(amountIn(row, 'Amount', row.get('Currency')), true),
      fees: [],
      note: null,
    }
  }),
}

const withdrawals: ImportFormat = {
  name: 'Bittrex, withdrawals',
  columns: ['PaymentUuid', 'Currency', 'Amount', 'Address', 'OpenedDate', 'Authorized', 'TxFee', 'Canceled'],
  read: lineByLine((row) => {
    if (row.get('Canceled').toLowerCase() !== 'false') return 'it was cancelled'
    if (row.get('Authorized').toLowerCase() !== 'true')
      throw new Unreadable('Authorized: it was never allowed')
    const currency = row.get('Currency')
    return {
      at: americanTimeIn(row, 'OpenedDate'),
      ...moveOf(amountIn(row, 'Amount', currency), false),
      fees: amountsIn(row, 'TxFee', currency),
      note: null,
    }
  }),
}

/** Bittrex' orders, deposits and withdrawals, as it wrote them until it closed. */
export const bittrex: readonly ImportFormat[] = [trades, deposits, withdrawals]
