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
  unvalued: ZERO,
  paid: ZERO,
  lots: null,
}

/**
 * Adds amounts whose history is not known yet to the coins of a fold. They count as received at this instant
 * and at its price, so they have a value and no profit. Without a price they have an unknown cost.
 */
export async function withReceived(
  db: ReadonlyDb,
  input: { rows: readonly CoinRow[]; received: ReadonlyMap<string, Decimal>; nowMs: number },
): Promise<CoinRow[]> {
  const { rows, received, nowMs } = input
  if (received.size === 0) return [...rows]
  const known = new Map(rows.map((row) => [row.coinId, row]))
  const { pricesOf, pricedAt } = await pricesNowAndBefore(db, { coinIds: [...received.keys()], nowMs })
  const changed = [...received].map(([coinId, quantity]): CoinRow => {
    const old = known.get(coinId)
    known.delete(coinId)
    const prices = inUnits((unit) => pricesOf(coinId, unit))
    const state = inUnits((unit) => {
      const before = old?.state[unit] ?? EMPTY
      const { price } = prices[unit]
      if (!price) return { ...before, unvalued: add(before.unvalued, quantity) }
      const value = multiply(quantity, price)
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
      const { price } = prices[unit]
      return {
        ...before,
        quantity: add(before.quantity, quantity),
        acquired: price ? add(before.acquired, multiply(quantity, price)) : before.acquired,
      }
    })
    const item = inUnits((unit) => coinItem(state[unit], { ...prices[unit], recent: recent[unit] }))
    return { coinId, isPriced: prices.usd.price !== null, item, state, recent, pricedAt: pricedAt(coinId) }
  })
  return [...known.values(), ...changed]
}
