import { amountIn, lineByLine, noteOf, timeIn, Unreadable } from '../fields.ts'
import type { ImportFormat } from '../movement.ts'
import { feeIn, isBuyIn, moveOf, tradeOf } from '../trade.ts'

const CAME = ['deposit', 'ripple deposit', 'staking reward']
const WENT = ['withdrawal', 'ripple payment']
/** What Bitstamp calls a reward of staked ETH. */
const REWARD_OF_ETH = 'ETH2R'

/** Bitstamp's transactions. A fee is beside the value of a trade. */
export const bitstamp: ImportFormat = {
  name: 'Bitstamp',
  columns: [
    'ID',
    'Type',
    'Subtype',
    'Datetime',
    'Amount',
    'Amount currency',
    'Value',
    'Value currency',
    'Fee',
  ],
  read: lineByLine((row) => {
    const type = row.get('Type').toLowerCase()
    const currency = row.get('Amount currency')
    const own = amountIn(row, 'Amount', currency === REWARD_OF_ETH ? 'ETH' : currency)
    if (!own) return 'the amount is 0'
    const fee = feeIn(row, 'Fee', row.get('Fee currency'))
    const common = { at: timeIn(row, 'Datetime'), note: noteOf(row.get('Type'), row.get('Subtype')) }
    if (type === 'market') {
      const quote = amountIn(row, 'Value', row.get('Value currency'))
      return { ...common, ...tradeOf({ isBuy: isBuyIn(row, 'Subtype'), base: own, quote, fee }) }
    }
    if (!CAME.includes(type) && !WENT.includes(type))
      throw new Unreadable(`Type: "${row.get('Type')}" is not known`)
    return { ...common, ...moveOf(own, CAME.includes(type)), fees: fee ? [fee] : [] }
  }),
}
