import { add, negate, sign, ZERO } from '../../values/decimal.ts'
import type { Decimal } from '../../values/decimal.ts'

export interface Totals {
  quantity: Decimal
  amount: Decimal
}

/** Everything that was folded of one coin, in one unit of account. */
export interface CoinState {
  quantity: Decimal
  /** of what is held */
  cost: Decimal
  acquired: Totals
  /** all disposals: quantity and proceeds */
  disposed: Totals
  disposedCost: Decimal
  /** disposals that are sells or sends, without fees */
  sold: Totals
  lastTrade: { side: 'buy' | 'sell'; quantity: Decimal; amount: Decimal } | null
  /** quantity that was disposed of without having been acquired */
  uncovered: Decimal
}

/** What is left of a quantity that was acquired at once. */
export interface OpenLot {
  atMs: number
  /** among those of one instant */
  seq: number
  quantity: Decimal
  /** of the whole, never a quotient */
  cost: Decimal
  /** as it came in: what is left of a lot keeps its place among the dearest */
  unitCost: Decimal
}

/** What a fold goes on from. */
export interface StoredCoin extends CoinState {
  /** in the order in which they came in; null: at average cost they are one */
  lots: readonly OpenLot[] | null
}

/** One change of what is held of a coin, in one unit of account. */
export interface Move {
  coinId: string
  atMs: number
  /** positive in, negative out */
  quantity: Decimal
  isTrade: boolean
  /** cost or proceeds, with fees */
  amount: Decimal
  /** value that moved; 0 for fees and income, which are profit */
  market: Decimal
}

/** The moves of a coin since an instant. */
export interface RecentMoves {
  /** what came in less what went out */
  quantity: Decimal
  /** market value that came in and went out */
  acquired: Decimal
  disposed: Decimal
  bought: Totals
  sold: Totals
}

const NONE: Totals = { quantity: ZERO, amount: ZERO }
export const NO_MOVES: RecentMoves = {
  quantity: ZERO,
  acquired: ZERO,
  disposed: ZERO,
  bought: NONE,
  sold: NONE,
}

/** What moves come to, by coin. */
export function sumMoves(moves: Iterable<Move>): Map<string, RecentMoves> {
  const sums = new Map<string, RecentMoves>()
  for (const { coinId, quantity, isTrade, amount, market } of moves) {
    const total = { ...(sums.get(coinId) ?? NO_MOVES) }
    sums.set(coinId, total)
    const isIn = sign(quantity) > 0
    total.quantity = add(total.quantity, quantity)
    if (isIn) total.acquired = add(total.acquired, market)
    else total.disposed = add(total.disposed, market)
    if (isTrade && isIn) total.bought = plus(total.bought, quantity, amount)
    if (isTrade && !isIn) total.sold = plus(total.sold, negate(quantity), amount)
  }
  return sums
}

export function plus(totals: Totals, quantity: Decimal, amount: Decimal): Totals {
  return { quantity: add(totals.quantity, quantity), amount: add(totals.amount, amount) }
}
