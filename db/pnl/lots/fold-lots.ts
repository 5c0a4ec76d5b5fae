import { type CoinState, type Move, plus, type StoredCoin } from './coin-state.ts'
import {
  add,
  compare,
  divide,
  isZero,
  multiply,
  negate,
  shares,
  sign,
  subtract,
  sum,
  ZERO,
} from '../../values/decimal.ts'
import type { Decimal } from '../../values/decimal.ts'
import { createLotPool } from './lot-pool.ts'
import type { CostMethod, Lot, LotPool } from './lot-pool.ts'
import type { CarryLeg, Posting, Reason } from './posting.ts'

/** Postings of one transaction with their instant. */
export interface DatedPostings {
  txId: string
  atMs: number
  postings: readonly Posting[]
}

/** State of one coin with one method, in the unit of account of the fold. */
export interface CoinFold extends Omit<CoinState, 'quantity' | 'cost'> {
  pool: LotPool
}

export interface Disposal {
  txId: string
  coinId: string
  reason: Reason
  quantity: Decimal
  proceeds: Decimal
  cost: Decimal
}

/** One change of the lots of a coin. */
export interface LotUse {
  kind: 'acquire' | 'dispose' | 'carry out' | 'carry in'
  coinId: string
  /** null: carried */
  reason: Reason | null
  /** positive */
  quantity: Decimal
  /** cost of an acquisition, proceeds of a disposal, 0 when carried */
  amount: Decimal
  /** cost of the lots */
  cost: Decimal
  lots: readonly Lot[]
  /** quantity that went out but was not held */
  missing: Decimal
}

/** Where a change of lots comes from. */
export interface UseSource {
  posting: Posting
  atMs: number
  /** number within its instant, as in the lots that it adds */
  seq: number
}

interface FoldInput {
  method: CostMethod
  /** USD per unit of account (BTC, ETH) at an instant, null without a price; absent: the unit is USD */
  unitUsd?: (atMs: number) => Decimal | null
  onDisposal?: (disposal: Disposal) => void
  onMove?: (move: Move) => void
  /** earlier moves are not reported */
  movesFromMs?: number
  onLots?: (use: LotUse, source: UseSource) => void
}

/** Folds postings, in order, into the state of each coin. */
export function foldLots(
  input: FoldInput & { entries: Iterable<DatedPostings>; coins?: Map<string, CoinFold> },
): Map<string, CoinFold> {
  const fold = createLotFold(input)
  for (const entry of input.entries) fold.apply(entry)
  return fold.coins
}

/**
 * Folds entry by entry, from a given state on. Each unit of account has a fold of its own, because converting
 * a finished profit at today's rate can flip its sign.
 */
export function createLotFold(input: FoldInput & { coins?: Map<string, CoinFold> }) {
  const coins = input.coins ?? new Map<string, CoinFold>()
  // Restarts at each instant, so that a resumed fold numbers like one from the beginning.
  let last = { atMs: -Infinity, seq: 0 }
  const coinOf = (coinId: string): CoinFold => {
    let coin = coins.get(coinId)
    if (!coin) coins.set(coinId, (coin = emptyFold(input.method)))
    return coin
  }
  const apply = ({ txId, atMs, postings }: DatedPostings): void => {
    const unit = input.unitUsd?.(atMs)
    const money = (usd: Decimal) => (!input.unitUsd ? usd : unit ? divide(usd, unit) : ZERO)
    const onMove = atMs >= (input.movesFromMs ?? -Infinity) ? input.onMove : undefined
    if (atMs !== last.atMs) last = { atMs, seq: 0 }
    for (const posting of postings) {
      if (posting.kind === 'unvalued') {
        const coin = coinOf(posting.coinId)
        coin.unvalued = add(coin.unvalued, posting.quantity)
        continue
      }
      const seq = ++last.seq
      if (posting.kind === 'carry') {
        carry({ posting, coinOf, atMs, seq, onLots: input.onLots })
        if (onMove) for (const move of carriedMoves(posting, money)) onMove({ ...move, atMs })
        continue
      }
      const coin = coinOf(posting.coinId)
      const { coinId, quantity, reason } = posting
      const isTrade = reason === 'trade'
      const amount = money(posting.kind === 'acquire' ? posting.costUsd : posting.proceedsUsd)
      const paid = posting.paidUsd ?? ZERO
      coin.paid = add(coin.paid, paid)
      const market = () => (posting.marketUsd === null ? ZERO : money(posting.marketUsd))
      if (posting.kind === 'acquire') {
        const lot = { atMs, seq, quantity, cost: amount }
        coin.pool.add(lot)
        coin.acquired = plus(coin.acquired, quantity, amount)
        if (isTrade) coin.lastTrade = { side: 'buy', quantity, amount }
        onMove?.({ coinId, atMs, quantity, isTrade, amount, market: market(), paid })
        const kind = 'acquire'
        input.onLots?.(
          { kind, coinId, reason, quantity, amount, cost: amount, lots: [lot], missing: ZERO },
          { posting, atMs, seq },
        )
      } else {
        const { cost, missing, lots } = coin.pool.take(quantity)
        coin.disposed = plus(coin.disposed, quantity, amount)
        coin.disposedCost = add(coin.disposedCost, cost)
        coin.uncovered = add(coin.uncovered, missing)
        if (isTrade || reason === 'send') coin.sold = plus(coin.sold, quantity, amount)
        if (isTrade) coin.lastTrade = { side: 'sell', quantity, amount }
        const out = subtract(missing, quantity)
        onMove?.({ coinId, atMs, quantity: out, isTrade, amount, market: market(), paid })
        input.onDisposal?.({ txId, coinId, reason, quantity, proceeds: amount, cost })
        const kind = 'dispose'
        input.onLots?.(
          { kind, coinId, reason, quantity, amount, cost, lots, missing },
          { posting, atMs, seq },
        )
      }
    }
  }
  return { coins, apply }
}

function emptyFold(method: CostMethod): CoinFold {
  const none = { quantity: ZERO, amount: ZERO }
  return {
    pool: createLotPool(method),
    acquired: none,
    disposed: none,
    disposedCost: ZERO,
    sold: none,
    lastTrade: null,
    uncovered: ZERO,
    unvalued: ZERO,
    paid: ZERO,
  }
}

/** Restores the fold of a coin from `stateOf`. With method `average` its lots are one. */
export function foldOf(method: CostMethod, { quantity, cost, lots, ...totals }: StoredCoin): CoinFold {
  const one = { atMs: 0, seq: 0, quantity, cost, unitCost: ZERO }
  return { pool: createLotPool(method, lots ?? [one]), ...totals }
}

export function stateOf({ pool, ...totals }: CoinFold): StoredCoin {
  return { quantity: pool.quantity(), cost: pool.cost(), lots: pool.open(), ...totals }
}

type Carry = Extract<Posting, { kind: 'carry' }>
type CoinOf = (coinId: string) => CoinFold

/** Moves lots with their cost and dates to the received coins, split by the value of these. */
function carry(input: {
  posting: Carry
  coinOf: CoinOf
  atMs: number
  seq: number
  onLots: FoldInput['onLots']
}): void {
  const { posting, coinOf, onLots } = input
  const carried = { reason: null, amount: ZERO }
  const source = { posting, atMs: input.atMs, seq: input.seq }
  const taken: { lot: Lot; weight: Decimal }[] = []
  for (const leg of posting.from) {
    const coin = coinOf(leg.coinId)
    const { lots, missing, cost } = coin.pool.take(leg.quantity)
    const { coinId, quantity } = leg
    onLots?.({ ...carried, kind: 'carry out', coinId, quantity, cost, lots, missing }, source)
    coin.uncovered = add(coin.uncovered, missing)
    coin.paid = add(coin.paid, leg.paidUsd ?? ZERO)
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
    // A lot whose quantity rounds to zero at 30 places still has a cost, which the largest lot takes.
    let largest = 0
    quantities.forEach((quantity, index) => {
      if (compare(quantity, quantities[largest]!) > 0) largest = index
    })
    const strays = sum(costs.map((cost, index) => (isZero(quantities[index]!) ? cost[target]! : ZERO)))
    const received = taken.map(({ lot: { atMs, seq } }, index): Lot => {
      const cost = index === largest ? add(costs[index]![target]!, strays) : costs[index]![target]!
      return { atMs, seq, quantity: quantities[index]!, cost }
    })
    // Drops lots without a quantity; the largest lot has their cost.
    const lots = received.filter(({ quantity }) => !isZero(quantity))
    const { coinId, quantity } = leg
    const coin = coinOf(coinId)
    coin.paid = add(coin.paid, leg.paidUsd ?? ZERO)
    for (const lot of lots) coin.pool.add(lot)
    const cost = sum(lots.map((lot) => lot.cost))
    onLots?.({ ...carried, kind: 'carry in', coinId, quantity, lots, missing: ZERO, cost }, source)
  })
}

/** Weighs lots of one coin by quantity, and lots of several coins by value. */
function weightOf(lot: Lot, leg: CarryLeg, several: boolean): Decimal {
  if (!several || isZero(leg.quantity)) return lot.quantity
  return divide(multiply(lot.quantity, leg.marketUsd), leg.quantity)
}

function carriedMoves(posting: Carry, money: (usd: Decimal) => Decimal): Omit<Move, 'atMs'>[] {
  const move = ({ coinId, quantity, marketUsd, paidUsd: paid = ZERO }: CarryLeg, isIn: boolean) => {
    const market = money(marketUsd)
    const change = isIn ? quantity : negate(quantity)
    return { coinId, quantity: change, isTrade: false, amount: market, market, paid }
  }
  return [...posting.from.map((leg) => move(leg, false)), ...posting.to.map((leg) => move(leg, true))]
}

/** Realised profit: proceeds less cost, including fees. */
export function realised(coin: CoinFold): Decimal {
  return subtract(coin.disposed.amount, coin.disposedCost)
}

/**
 * Sum of realised and unrealised profit over coins at the given prices. A coin without a price is worth what
 * was paid for it.
 */
export function totalProfit(
  coins: Map<string, CoinFold>,
  priceOf: (coinId: string) => Decimal | null,
  inUnit = (usd: Decimal): Decimal => usd,
): Decimal {
  return sum(
    [...coins].map(([coinId, coin]) => {
      const price = priceOf(coinId)
      const value = price ? multiply(coin.pool.quantity(), price) : inUnit(coin.paid)
      return add(realised(coin), subtract(value, coin.pool.cost()))
    }),
  )
}
