import { amountIn, lineByLine, noteOf, timeIn, Unreadable } from '../fields.ts'
import type { Amount, ImportFormat, Movement } from '../movement.ts'

const BOUGHT = ['buy', 'advanced trade buy', 'advance trade buy']
const SOLD = ['sell', 'advanced trade sell', 'advance trade sell']
const CAME = [
  'receive',
  'deposit',
  'staking income',
  'rewards income',
  'reward income',
  'learning reward',
  'coinbase earn',
  'inflation reward',
  'subscription rebate',
  'airdrop',
  'pro withdrawal',
  'exchange withdrawal',
  'admin credit',
]
const WENT = ['send', 'withdrawal', 'pro deposit', 'exchange deposit', 'subscription', 'admin debit']
const CONVERTED = /^Converted ([\d.,]+) (\S+) to ([\d.,]+) (\S+)/

/** Coinbase's transaction history. Totals include fees, and a conversion is told by its note. */
export const coinbase: ImportFormat = {
  name: 'Coinbase',
  columns: ['Timestamp', 'Transaction Type', 'Asset', 'Quantity Transacted', 'Notes'],
  read: lineByLine((row) => {
    const type = row.get('Transaction Type').toLowerCase()
    const own = amountIn(row, 'Quantity Transacted', row.get('Asset'))
    if (!own) return 'the quantity is 0'
    const notes = row.get('Notes')
    const movement = (received: Amount | null, spent: Amount | null): Movement => ({
      at: timeIn(row, 'Timestamp'),
      received,
      spent,
      fees: [],
      note: noteOf(row.get('Transaction Type'), notes),
    })
    const total = () => {
      const column =
        ['Total (inclusive of fees and/or spread)', 'Total (inclusive of fees)', 'Total'].find(
          (one) => row.get(one) !== '',
        ) ?? 'Subtotal'
      return amountIn(row, column, row.get('Price Currency') || row.get('Spot Price Currency'))
    }
    if (BOUGHT.includes(type)) return movement(own, total())
    if (SOLD.includes(type)) return movement(total(), own)
    if (CAME.includes(type)) return movement(own, null)
    if (WENT.includes(type)) return movement(null, own)
    if (type !== 'convert')
      throw new Unreadable(`Transaction Type: "${row.get('Transaction Type')}" is not known`)
    const [, , , amount, asset] = CONVERTED.exec(notes) ?? []
    if (amount === undefined) throw new Unreadable(`Notes: "${notes}" does not say what was converted`)
    const bought = amountIn({ ...row, get: () => amount }, 'Notes', asset!)
    return movement(bought, own)
  }),
}
