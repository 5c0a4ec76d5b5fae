import { absolute, isZero, multiply, sign } from '../../../../db/values/decimal.ts'
import { unquoted } from '../../../../db/values/csv-line.ts'
import { lineByLine, noteOf, numberIn, timeIn, Unreadable } from '../fields.ts'
import type { ImportFormat } from '../movement.ts'

/** Our own: `date,coin,count,price,currency,note`. A count below zero is a sale, an empty price that of the market. */
export const sluice: ImportFormat = {
  name: 'Sluice',
  columns: ['date', 'coin', 'count', 'price', 'currency'],
  read: lineByLine((row) => {
    const count = numberIn(row, 'count')
    if (count === null || isZero(count)) throw new Unreadable('count: it must be a number other than 0')
    const asset = row.get('coin')
    if (asset === '') throw new Unreadable('coin: it is missing')
    const price = numberIn(row, 'price')
    const own = { amount: absolute(count), asset }
    const paid = price && {
      amount: multiply(absolute(count), absolute(price)),
      asset: row.get('currency') || 'USD',
    }
    const isSale = sign(count) < 0
    return {
      at: timeIn(row, 'date'),
      received: isSale ? paid : own,
      spent: isSale ? own : paid,
      fees: [],
      // Our own files mark what a spreadsheet would run.
      note: noteOf(unquoted(row.get('note'))),
    }
  }),
}
