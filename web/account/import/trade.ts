import { add, type Decimal, isZero, sign, subtract } from '../../../db/values/decimal.ts'
import { amountIn, amountsIn, lineByLine, noteOf, numberIn, Unreadable } from './fields.ts'
import type { Amount, ImportFormat, Movement, Row } from './movement.ts'

/** `BTC/USD`, `BTC-USDT` or `BTC_USDT` as its coins. */
export function pairIn(row: Row, column: string): [base: string, quote: string] {
  const [base, quote, ...more] = row.get(column).split(/[-/_]/)
  if (!base || !quote || more.length > 0) throw new Unreadable(`${column}: "${row.get(column)}" is no pair`)
  return [base, quote]
}

/** Whether a line buys the first coin of its pair. */
export function isBuyIn(row: Row, column: string): boolean {
  const [, side] = /(buy|sell)$/i.exec(row.get(column)) ?? []
  if (side === undefined)
    throw new Unreadable(`${column}: "${row.get(column)}" is neither a purchase nor a sale`)
  return side.toLowerCase() === 'buy'
}

/** A fee with its sign: a rebate is below zero. */
interface Fee {
  amount: Decimal
  asset: string
}

type Trade = Pick<Movement, 'received' | 'spent' | 'fees'>

/** What a trade gives and takes. */
export function tradeOf(of: {
  isBuy: boolean
  base: Amount | null
  quote: Amount | null
  fee: Fee | null
}): Trade {
  const { isBuy, base, quote, fee } = of
  const [received, spent] = isBuy ? [base, quote] : [quote, base]
  return withFee({ received, spent, fees: [] }, fee)
}

/** A trade with one more fee. A rebate is part of what moves. */
export function withFee(trade: Trade, fee: Fee | null): Trade {
  if (!fee) return trade
  const { received, spent, fees } = trade
  if (sign(fee.amount) > 0) return { ...trade, fees: [...fees, fee] }
  if (received?.asset === fee.asset)
    return { ...trade, received: { ...received, amount: subtract(received.amount, fee.amount) } }
  if (spent?.asset !== fee.asset) throw new Unreadable('the fee is below zero and in a third coin')
  return { ...trade, spent: { ...spent, amount: add(spent.amount, fee.amount) } }
}

/** A fee, not zero; null: none. */
export function feeIn(row: Row, column: string, asset: string): Fee | null {
  const amount = numberIn(row, column)
  if (amount === null || isZero(amount)) return null
  if (asset === '') throw new Unreadable(`${column}: the coin or currency of the fee is missing`)
  return { amount, asset }
}

/** A movement of one coin, in if it came and out if it went. */
export const moveOf = (own: Amount | null, isIn: boolean): Pick<Movement, 'received' | 'spent'> => ({
  received: isIn ? own : null,
  spent: isIn ? null : own,
})

/** A file of deposits or of withdrawals in the columns `Time`, `Coin`, `Amount`, `Fee` and `Status`. */
export const transfers = (
  { name, columns }: Pick<ImportFormat, 'name' | 'columns'>,
  of: {
    isIn: boolean
    /** Statuses of transfers that have happened. */
    done: readonly string[]
    timeIn: (row: Row, column: string) => Date
    /** Column of the note. */
    note: string
  },
): ImportFormat => ({
  name,
  columns,
  read: lineByLine((row) => {
    if (!of.done.includes(row.get('Status'))) return `its status is ${row.get('Status')}`
    const coin = row.get('Coin')
    return {
      at: of.timeIn(row, 'Time'),
      ...moveOf(amountIn(row, 'Amount', coin), of.isIn),
      fees: amountsIn(row, 'Fee', coin),
      note: noteOf(row.get(of.note)),
    }
  }),
})

/** A movement of one coin by the sign of its amount. */
export function signedMoveIn(row: Row, column: string, asset: string): Pick<Movement, 'received' | 'spent'> {
  return moveOf(amountIn(row, column, asset), sign(numberIn(row, column)!) > 0)
}
