import type { ReadonlyDb } from '../../schema.ts'
import { add, type Decimal, multiply, ZERO } from '../../values/decimal.ts'
import { coinItem } from './coin-item.ts'
import { NO_MOVES, type RecentMoves, type StoredCoin } from './coin-state.ts'
import { inUnits } from './fold-rows.ts'
import { type CoinRow, pricesNowAndBefore } from './read-coins.ts'

const NONE = { quantity: ZERO, amount: ZERO }
const EMPTY: StoredCoin = {
  quantity: ZERO,
  cost: ZERO,
  acquired: NONE,
  disposed: NONE,
  disposedCost: ZERO,
  sold: NONE,
  lastTrade: null,
  uncovered: ZERO,
  lots: null,
}

/**
 * Adds amounts whose history is not known yet to the coins of a fold. They count as received at this instant
 * and at its price, so they have a value and no profit.
 */
export async function withReceived(
  db: ReadonlyDb,
  input: { rows: readonly CoinRow[]; received: ReadonlyMap<string, Decimal>; nowMs: number },
): Promise<CoinRow[]> {
  const { rows, received, nowMs } = input
  if (received.size === 0) return [...rows]
  const known = new Map(rows.map((row) => [row.coinId, row]))
  const priceOf = await pricesNowAndBefore(db, { coinIds: [...received.keys()], nowMs })
  const changed = [...received].map(([coinId, quantity]): CoinRow => {
    const old = known.get(coinId)
    known.delete(coinId)
    const prices = inUnits((unit) => priceOf(coinId, unit))
    const state = inUnits((unit) => {
      const before = old?.state[unit] ?? EMPTY
      const value = multiply(quantity, prices[unit].price)
      const { acquired } = before
      return {
        ...before,
        quantity: add(before.quantity, quantity),
        cost: add(before.cost, value),
        acquired: { quantity: add(acquired.quantity, quantity), amount: add(acquired.amount, value) },
      }
    })
    const recent = inUnits((unit): RecentMoves => {
      const before = old?.recent[unit] ?? NO_MOVES
      const value = multiply(quantity, prices[unit].price)
      return {
        ...before,
        quantity: add(before.quantity, quantity),
        acquired: add(before.acquired, value),
      }
    })
    const item = inUnits((unit) => coinItem(state[unit], { ...prices[unit], recent: recent[unit] }))
    return { coinId, item, state, recent }
  })
  return [...known.values(), ...changed]
}
