import type { RecountedTransaction } from './recount-chain.ts'

// Computes cost and profit of a wallet at average cost, from what a recount of its chain says and by the rules of
// docs/figures.md. Shares no code with the product.

export interface Market {
  /** price of a coin in force at an instant, in a unit of account */
  price: (coin: string, atMs: number) => number
  isStable: (coin: string) => boolean
  /** of two sides of a swap without a stable coin, the one with more trust values both */
  trust: (coin: string) => number
  /** pays the fees */
  native: string
}

/** One coin of a wallet, in the unit of the prices. */
export interface CoinProfit {
  count: number
  cost: number
  unrealized: number
  realized: number
  allTime: number
  hour24: number
  averageBuy: number
}

const DAY_MS = 86_400_000

class Coin {
  count = 0
  cost = 0
  acquired = { count: 0, cost: 0 }
  realized = 0
  /** of the last day: what came in less what went out, at market */
  lastDay = 0
  countDayAgo = 0

  acquire(count: number, cost: number): void {
    this.count += count
    this.cost += cost
    this.acquired.count += count
    this.acquired.cost += cost
  }

  dispose(count: number, proceeds: number): void {
    const basis = (this.cost * count) / this.count
    this.cost -= basis
    this.count -= count
    this.realized += proceeds - basis
  }
}

/** By coin. Transactions of a wallet, oldest first. */
export function recountCoins(
  transactions: readonly RecountedTransaction[],
  market: Market,
  nowMs: number,
): Map<string, CoinProfit> {
  const coins = new Map<string, Coin>()
  const coinOf = (id: string) => coins.get(id) ?? coins.set(id, new Coin()).get(id)!
  const dayAgoMs = nowMs - DAY_MS
  let isPast = true
  for (const { at, moved, fee } of transactions) {
    const atMs = at.getTime()
    if (isPast && atMs >= dayAgoMs) {
      isPast = false
      for (const coin of coins.values()) coin.countDayAgo = coin.count
    }
    const worth = (id: string, count: number) => count * market.price(id, atMs)
    const paid = fee === null ? 0 : worth(market.native, fee)
    const trade = tradeOf(moved, market)
    // What came counts before what went.
    const ordered = Object.entries(moved).toSorted(([, a], [, b]) => b - a)
    for (const [id, count] of ordered) {
      const coin = coinOf(id)
      const value = trade
        ? Math.abs(worth(trade.valuedBy, moved[trade.valuedBy]!))
        : worth(id, Math.abs(count))
      if (!isPast) coin.lastDay += Math.sign(count) * value
      // The fee of a purchase with a stable coin adds to the cost; of other swaps, it is less to get.
      if (count > 0) coin.acquire(count, value + (trade?.isPurchase ? paid : 0))
      else coin.dispose(-count, value - (trade && !trade.isPurchase ? paid : 0))
    }
    if (fee !== null) coinOf(market.native).dispose(fee, trade ? paid : 0)
  }
  return new Map(
    [...coins].map(([id, coin]) => {
      const { count, cost, realized, acquired } = coin
      const value = count * market.price(id, nowMs)
      const dayAgo = isPast ? count : coin.countDayAgo
      const unrealized = value - cost
      const hour24 = value - dayAgo * market.price(id, dayAgoMs) - coin.lastDay
      const averageBuy = acquired.count === 0 ? 0 : acquired.cost / acquired.count
      return [id, { count, cost, unrealized, realized, allTime: realized + unrealized, hour24, averageBuy }]
    }),
  )
}

/** null: no swap, so what moves crosses the border of the wallet. */
function tradeOf(
  moved: Record<string, number>,
  { isStable, trust }: Market,
): { valuedBy: string; isPurchase: boolean } | null {
  const ids = Object.keys(moved)
  const [given, received] = [ids.filter((id) => moved[id]! < 0), ids.filter((id) => moved[id]! > 0)]
  if (given.length === 0 || received.length === 0) return null
  if (ids.length > 2) throw new Error(`a swap of more than two coins: ${ids.join(', ')}`)
  const trustIn = (id: string) => (isStable(id) ? Infinity : trust(id))
  const [from, to] = [given[0]!, received[0]!]
  return { valuedBy: trustIn(to) > trustIn(from) ? to : from, isPurchase: isStable(from) }
}

/** Change of the value less what crossed the border, between instants in order; the first is before all transactions. */
export function recountPeriods(
  transactions: readonly RecountedTransaction[],
  market: Market,
  endsMs: readonly number[],
): number[] {
  const held = new Map<string, number>()
  const add = (id: string, count: number) => held.set(id, (held.get(id) ?? 0) + count)
  let next = 0
  let before = 0
  return endsMs.map((endMs) => {
    let flow = 0
    for (; next < transactions.length && transactions[next]!.at.getTime() < endMs; next++) {
      const { at, moved, fee } = transactions[next]!
      const isFlow = tradeOf(moved, market) === null
      for (const [id, count] of Object.entries(moved)) {
        add(id, count)
        if (isFlow) flow += count * market.price(id, at.getTime())
      }
      add(market.native, -(fee ?? 0))
    }
    let value = 0
    for (const [id, count] of held) value += count * market.price(id, endMs)
    const profit = value - before - flow
    before = value
    return profit
  })
}
