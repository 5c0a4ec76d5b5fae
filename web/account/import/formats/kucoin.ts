import { amountIn, lineByLine, noteOf, timeIn } from '../fields.ts'
import type { ImportFormat, Row } from '../movement.ts'
import { feeIn, isBuyIn, pairIn, tradeOf, transfers } from '../trade.ts'

/** Offsets from UTC, of which the header of a time names one: `Time(UTC+08:00)`. */
const OFFSETS = Array.from({ length: 27 }, (_, i) => i - 12).flatMap((hours) =>
  ['00', '30', '45'].map(
    (minutes) => `${hours < 0 ? '-' : '+'}${String(Math.abs(hours)).padStart(2, '0')}:${minutes}`,
  ),
)

/** Older files name no offset: theirs is that of KuCoin's clock. */
function timeWithZoneIn(row: Row, name: string): Date {
  const offset = ['', ...OFFSETS].find((one) => row.get(`${name}(UTC${one})`) !== '')
  const [text, zone] =
    offset === undefined ? [row.get(name), '+08:00'] : [row.get(`${name}(UTC${offset})`), offset || 'Z']
  return timeIn({ ...row, get: () => `${text.replace(' ', 'T')}${zone}` }, name)
}

const trades: ImportFormat = {
  name: 'KuCoin, filled orders',
  columns: ['Symbol', 'Side', 'Filled Amount', 'Filled Volume', 'Fee', 'Fee Currency'],
  read: lineByLine((row) => {
    const [base, quote] = pairIn(row, 'Symbol')
    return {
      at: timeWithZoneIn(row, 'Filled Time'),
      ...tradeOf({
        isBuy: isBuyIn(row, 'Side'),
        base: amountIn(row, 'Filled Amount', base),
        quote: amountIn(row, 'Filled Volume', quote),
        fee: feeIn(row, 'Fee', row.get('Fee Currency')),
      }),
      note: noteOf(row.get('Symbol')),
    }
  }),
}

const COLUMNS = ['UID', 'Account Type', 'Coin', 'Amount', 'Fee', 'Transfer Network', 'Status']
const common = { done: ['SUCCESS'], timeIn: timeWithZoneIn, note: 'Remarks' }

/** KuCoin's filled orders, withdrawals and deposits. */
export const kucoin: readonly ImportFormat[] = [
  trades,
  transfers(
    { name: 'KuCoin, withdrawals', columns: [...COLUMNS, 'Withdrawal Address/Account'] },
    { ...common, isIn: false },
  ),
  transfers({ name: 'KuCoin, deposits', columns: COLUMNS }, { ...common, isIn: true }),
]
