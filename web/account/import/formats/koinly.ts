import { amountIn, amountsIn, lineByLine, noteOf, timeIn } from '../fields.ts'
import type { ImportFormat } from '../movement.ts'

/** Koinly's universal file, which it also exports: sent, received and fee of each transaction. */
export const koinly: ImportFormat = {
  name: 'Koinly',
  columns: ['Date', 'Sent Amount', 'Sent Currency', 'Received Amount', 'Received Currency'],
  read: lineByLine((row) => {
    const received = amountIn(row, 'Received Amount', row.get('Received Currency'))
    const spent = amountIn(row, 'Sent Amount', row.get('Sent Currency'))
    if (!received && !spent) return 'nothing is sent or received'
    return {
      at: timeIn(row, 'Date'),
      received,
      spent,
      fees: amountsIn(row, 'Fee Amount', row.get('Fee Currency')),
      note: noteOf(row.get('Label') || row.get('Tag'), row.get('Description')),
    }
  }),
}
