import { add, compare, divide, isZero, multiply, sign, subtract, sum, ZERO } from '../../db/values/decimal.ts'
import type { Decimal } from '../../db/values/decimal.ts'
import { createLotPool } from './lot-pool.ts'
import type { CostMethod, Lot, LotPool } from './lot-pool.ts'
import { shares } from './shares.ts'
import type { CarryLeg, Posting, Reason } from './posting.ts'

/** A posting at its instant. */
export interface DatedPostings {
  txId: string
  atMs: number
  postings: readonly Posting[]
}

export interface Totals {
  quantity: Decimal
  amount: Decimal
}

/** Everything about one coin under one method, in the unit of account of the fold. */
export interface CoinFold {
  pool: LotPool
  acquired: Totals
  /** all disposals: quantity and proceeds */
  disposed: Totals
  disposedCost: Decimal
  /** disposals that are sells or sends, without fees */
  sold: Totals
  lastTrade: { side: 'buy' | 'sell'; quantity: Decimal; amount: Decimal } | null
  /** quantity that was disposed of without having been acquired */
  uncovered: Decimal
  recent: RecentFold
}

/** The part since `recentFromMs`. */
interface RecentFold {
  openingQuantity: Decimal
  /** market value that came in and went out; fees and income are profit and not counted */
  acquired: Decimal
  disposed: Decimal
  bought: Totals
  sold: Totals
}

export interface Disposal {
  txId: string
  coinId: string
  reason: Reason
  quantity: Decimal
  proceeds: Decimal
  cost: Decimal
}

/**
 * Folds postings, in order, into the state of each coin. `unitUsd` prices the unit of account (BTC, ETH) in USD at an
 * instant, null where it has no price; absent, the unit is USD. Each unit is a fold of its own: converting a finished
 * profit at today's rate can flip its sign.
 */
export function foldLots(input: {
  entries: Iterable<DatedPostings>
  method: CostMethod
  recentFromMs: number
  unitUsd?: (atMs: number) => Decimal | null
  onDisposal?: (disposal: Disposal) => void
}): Map<string, CoinFold> {
  const coins = new Map<string, CoinFold>()
  let recent = false
  let seq = 0
  const coinOf = (coinId: string): CoinFold => {
    let coin = coins.get(coinId)
    if (!coin) coins.set(coinId, (coin = emptyFold(input.method)))
    return coin
  }
  for (const { txId, atMs, postings } of input.entries) {
    if (!recent && atMs >= input.recentFromMs) {
      recent = true
      for (const coin of coins.values()) coin.recent.openingQuantity = coin.pool.quantity()
    }
    const unit = input.unitUsd?.(atMs)
    const money = (usd: Decimal) => (!input.unitUsd ? usd : unit ? divide(usd, unit) : ZERO)
    for (const posting of postings) {
      seq++
      if (posting.kind === 'carry') {
        carry({ posting, coinOf, atMs, seq })
        if (recent) countCarry({ posting, coinOf, money })
        continue
      }
      const coin = coinOf(posting.coinId)
      const { quantity, reason } = posting
      const amount = money(posting.kind === 'acquire' ? posting.costUsd : posting.proceedsUsd)
      const market = posting.marketUsd === null ? ZERO : money(posting.marketUsd)
      if (posting.kind === 'acquire') {
        coin.pool.add({ atMs, seq, quantity, cost: amount })
        count(coin.acquired, quantity, amount)
        if (recent) coin.recent.acquired = add(coin.recent.acquired, market)
        if (recent && reason === 'trade') count(coin.recent.bought, quantity, amount)
        if (reason === 'trade') coin.lastTrade = { side: 'buy', quantity, amount }
      } else {
        const { cost, missing } = coin.pool.take(quantity)
        count(coin.disposed, quantity, amount)
        coin.disposedCost = add(coin.disposedCost, cost)
        coin.uncovered = add(coin.uncovered, missing)
        if (reason === 'trade' || reason === 'send') count(coin.sold, quantity, amount)
        if (recent) coin.recent.disposed = add(coin.recent.disposed, market)
        if (recent && reason === 'trade') count(coin.recent.sold, quantity, amount)
        if (reason === 'trade') coin.lastTrade = { side: 'sell', quantity, amount }
        input.onDisposal?.({ txId, coinId: posting.coinId, reason, quantity, proceeds: amount, cost })
      }
    }
  }
  if (!recent) for (const coin of coins.values()) coin.recent.openingQuantity = coin.pool.quantity()
  return coins
}

function emptyFold(method: CostMethod): CoinFold {
  const totals = () => ({ quantity: ZERO, amount: ZERO })
  return {
    pool: createLotPool(method),
    acquired: totals(),
    disposed: totals(),
    disposedCost: ZERO,
    sold: totals(),
    lastTrade: null,
    uncovered: ZERO,
    recent: { openingQuantity: ZERO, acquired: ZERO, disposed: ZERO, bought: totals(), sold: totals() },
  }
}

function count(totals: Totals, quantity: Decimal, amount: Decimal): void {
  totals.quantity = add(totals.quantity, quantity)
  totals.amount = add(totals.amount, amount)
}

type Carry = Extract<Posting, { kind: 'carry' }>
type CoinOf = (coinId: string) => CoinFold

/** Moves lots with their cost and their dates, split over what was received by its worth. */
function carry(input: { posting: Carry; coinOf: CoinOf; atMs: number; seq: number }): void {
  const { posting, coinOf } = input
  const taken: { lot: Lot; weight: Decimal }[] = []
  for (const leg of posting.from) {
    const coin = coinOf(leg.coinId)
    const { lots, missing } = coin.pool.take(leg.quantity)
    coin.uncovered = add(coin.uncovered, missing)
    const parts: Lot[] = [...lots]
    if (sign(missing) > 0) parts.push({ atMs: input.atMs, seq: input.seq, quantity: missing, cost: ZERO })
    for (const lot of parts) taken.push({ lot, weight: weightOf(lot, leg, posting.from.length > 1) })
  }
  const worth = posting.to.map((leg) => leg.marketUsd)
  const costs = taken.map(({ lot }) => shares(lot.cost, worth))
  posting.to.forEach((leg, target) => {
    const quantities = shares(
      leg.quantity,
      taken.map(({ weight }) => weight),
    )
    // A lot that comes to nothing at 30 places still has a cost: the largest one takes it.
    let largest = 0
    quantities.forEach((quantity, index) => {
      if (compare(quantity, quantities[largest]!) > 0) largest = index
    })
    const strays = sum(costs.map((cost, index) => (isZero(quantities[index]!) ? cost[target]! : ZERO)))
    taken.forEach(({ lot }, index) => {
      const { atMs, seq } = lot
      const cost = index === largest ? add(costs[index]![target]!, strays) : costs[index]![target]!
      coinOf(leg.coinId).pool.add({ atMs, seq, quantity: quantities[index]!, cost })
    })
  })
}

/** Lots of one coin weigh as much as their quantity; several coins are compared by their worth. */
function weightOf(lot: Lot, leg: CarryLeg, several: boolean): Decimal {
  if (!several || isZero(leg.quantity)) return lot.quantity
  return divide(multiply(lot.quantity, leg.marketUsd), leg.quantity)
}

function countCarry(input: { posting: Carry; coinOf: CoinOf; money: (usd: Decimal) => Decimal }): void {
  for (const leg of input.posting.from) {
    const { recent } = input.coinOf(leg.coinId)
    recent.disposed = add(recent.disposed, input.money(leg.marketUsd))
  }
  for (const leg of input.posting.to) {
    const { recent } = input.coinOf(leg.coinId)
    recent.acquired = add(recent.acquired, input.money(leg.marketUsd))
  }
}

/** Profit booked so far: proceeds less basis, fees included. */
export function realised(coin: CoinFold): Decimal {
  return subtract(coin.disposed.amount, coin.disposedCost)
}

/** Sum over coins of what is booked and what is open at the given prices. */
export function totalProfit(
  coins: Map<string, CoinFold>,
  priceOf: (coinId: string) => Decimal | null,
): Decimal {
  return sum(
    [...coins].map(([coinId, coin]) => {
      const value = multiply(coin.pool.quantity(), priceOf(coinId) ?? ZERO)
      return add(realised(coin), subtract(value, coin.pool.cost()))
    }),
  )
}
