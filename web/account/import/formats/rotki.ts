import { amountIn, amountsIn, entryOf, noteOf, Unreadable } from '../fields.ts'
import type { ImportFormat } from '../movement.ts'

/** rotki's generic trades. Assets are symbols, or identifiers of tokens such as `eip155:1/erc20:0x..`. */
export const rotki: ImportFormat = {
  name: 'rotki',
  columns: ['Location', 'Spend Currency', 'Receive Currency', 'Receive Amount', 'Spend Amount', 'Timestamp'],
  read: (rows) =>
    rows.map((row) =>
      entryOf(row.line, () => {
        const text = row.get('Timestamp')
        if (!/^\d{12,14}$/.test(text))
          throw new Unreadable(`Timestamp: "${text}" is no Unix time in milliseconds`)
        const received = amountIn(row, 'Receive Amount', row.get('Receive Currency'))
        const spent = amountIn(row, 'Spend Amount', row.get('Spend Currency'))
        if (!received && !spent) return 'nothing is spent or received'
        return {
          at: new Date(Number(text)),
          received,
          spent,
          fees: amountsIn(row, 'Fee', row.get('Fee Currency')),
          note: noteOf(row.get('Location'), row.get('Description')),
        }
      }),
    ),
}
