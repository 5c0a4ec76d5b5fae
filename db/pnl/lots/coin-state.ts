import { add, negate, sign, ZERO } from '../../values/decimal.ts'
import type { Decimal } from '../../values/decimal.ts'

export interface Totals {
  quantity: Decimal
  amount: Decimal
}

/** Folded state of one coin, in one unit of account. */
export interface CoinState {
  quantity: Decimal
  /** cost basis */
  cost: Decimal
  acquired: Totals
  /** all disposals: quantity and proceeds */
  disposed: Totals
  disposedCost: Decimal
  /** disposals that are sells or sends, without fees */
  sold: Totals
  lastTrade: { side: 'buy' | 'sell'; quantity: Decimal; amount: Decimal } | null
  /** quantity disposed of that was never acquired */
  uncovered: Decimal
  /** quantity held at an unknown cost while the coin has no market price, beside `quantity` */
  unvalued: Decimal
  /** what was paid for the coin while it had no market price, as far as it was held; always in USD */
  paid: Decimal
}

/** The rest of a lot. */
export interface OpenLot {
  atMs: number
  /** number within its instant */
  seq: number
  quantity: Decimal
  /** of the whole quantity, never per unit */
  cost: Decimal
  /** at the acquisition, so that the rest of a lot keeps its place with `hifo` */
  unitCost: Decimal
}

/** State from which a fold resumes. */
export interface StoredCoin extends CoinState {
  /** in the order of arrival; null: method `average`, where all are one lot */
  lots: readonly OpenLot[] | null
}

/** One change of the holding of a coin, in one unit of account. */
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
  /** change of what was paid for a coin without a market price; always in USD */
  paid: Decimal
}

/** The moves of a coin since an instant. */
export interface RecentMoves {
  /** net change */
  quantity: Decimal
  /** market value of arrivals; `disposed`: of departures */
  acquired: Decimal
  disposed: Decimal
  /** change of what was paid, in USD */
  paid: Decimal
  bought: Totals
  sold: Totals
}

const NONE: Totals = { quantity: ZERO, amount: ZERO }
export const NO_MOVES: RecentMoves = {
  quantity: ZERO,
  acquired: ZERO,
  disposed: ZERO,
  paid: ZERO,
  bought: NONE,
  sold: NONE,
}

/** Sums moves by coin. */
export function sumMoves(moves: Iterable<Move>): Map<string, RecentMoves> {
  const sums = new Map<string, RecentMoves>()
  for (const { coinId, quantity, isTrade, amount, market, paid } of moves) {
    const total = { ...(sums.get(coinId) ?? NO_MOVES) }
    sums.set(coinId, total)
    const isIn = sign(quantity) > 0
    total.quantity = add(total.quantity, quantity)
    total.paid = add(total.paid, paid)
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
