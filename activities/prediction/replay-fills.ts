import {
  add,
  compare,
  type Decimal,
  decimal,
  divide,
  multiply,
  negate,
  subtract,
  ZERO,
} from '../../db/values/decimal.ts'
import { DAY_MS } from '../../db/values/periods.ts'

/** The fills of one trader in one market, oldest first, and the resolution of the market. */
export interface MarketFills {
  fills: readonly Fill[]
  /** by outcome position; null: not resolved */
  payouts: readonly (string | null)[]
  resolvedAt: Date | null
}

export interface Fill {
  at: Date
  outcome: number
  side: 'buy' | 'sell'
  price: string
  size: string
}

export interface Position {
  outcome: number
  shares: Decimal
  costUsd: Decimal
  boughtShares: Decimal
  boughtUsd: Decimal
  realizedUsd: Decimal
  status: 'open' | 'won' | 'lost' | 'sold'
  openedAt: Date
  closedAt: Date | null
}

/** One UTC day: cash received minus cash paid, and the shares that are open at its end. */
export interface FillDay {
  dayMs: number
  cashUsd: Decimal
  paidUsd: Decimal
  volumeUsd: Decimal
  trades: number
  shares: Decimal[]
}

const ONE = decimal('1')
const dayOf = (at: Date): number => Math.floor(at.getTime() / DAY_MS) * DAY_MS
const isPositive = (value: Decimal): boolean => value.coefficient > 0n

/**
 * Positions at average cost, exact to 30 places. A trader who sells more than they bought has split dollars
 * into full sets: each costs 1 USD and leaves them the other outcomes. At resolution a share pays its payout.
 */
export function replayFills({ fills, payouts, resolvedAt }: MarketFills): {
  positions: Position[]
  days: FillDay[]
} {
  const positions = new Map<number, Position>()
  const days = new Map<number, FillDay>()

  function positionOf(outcome: number, at: Date): Position {
    let position = positions.get(outcome)
    if (!position) {
      const none = { shares: ZERO, costUsd: ZERO, boughtShares: ZERO, boughtUsd: ZERO, realizedUsd: ZERO }
      position = { outcome, ...none, status: 'open', openedAt: at, closedAt: null }
      positions.set(outcome, position)
    }
    return position
  }

  function dayAt(at: Date): FillDay {
    const dayMs = dayOf(at)
    let day = days.get(dayMs)
    if (!day)
      days.set(dayMs, (day = { dayMs, cashUsd: ZERO, paidUsd: ZERO, volumeUsd: ZERO, trades: 0, shares: [] }))
    return day
  }

  function pay(day: FillDay, usd: Decimal): void {
    day.cashUsd = subtract(day.cashUsd, usd)
    day.paidUsd = add(day.paidUsd, usd)
  }

  /** Buys full sets for 1 USD each: the sold outcome costs its price, the other outcomes share the rest. */
  function split({ at, outcome, price }: Fill, missing: Decimal, day: FillDay): void {
    const others = payouts.map((_, other) => other).filter((other) => other !== outcome)
    const rest = divide(subtract(ONE, decimal(price)), decimal(String(others.length)), 30)
    take(positionOf(outcome, at), missing, multiply(missing, decimal(price)))
    for (const other of others) take(positionOf(other, at), missing, multiply(missing, rest))
    pay(day, missing)
  }

  for (const fill of fills) {
    const [price, size] = [decimal(fill.price), decimal(fill.size)]
    const value = multiply(price, size)
    const day = dayAt(fill.at)
    const position = positionOf(fill.outcome, fill.at)
    day.volumeUsd = add(day.volumeUsd, value)
    day.trades += 1
    if (fill.side === 'buy') {
      take(position, size, value)
      pay(day, value)
    } else {
      const missing = subtract(size, position.shares)
      if (isPositive(missing)) split(fill, missing, day)
      give(position, { size, value, at: fill.at })
      day.cashUsd = add(day.cashUsd, value)
    }
    for (const { outcome, shares } of positions.values()) day.shares[outcome] = shares
  }
  if (resolvedAt !== null && payouts.every((payout) => payout !== null)) {
    const last = fills.at(-1)!.at
    const day = dayAt(resolvedAt > last ? resolvedAt : last)
    for (const position of positions.values()) {
      day.cashUsd = add(day.cashUsd, resolve(position, decimal(payouts[position.outcome]!), resolvedAt))
      day.shares[position.outcome] = ZERO
    }
  }
  return { positions: [...positions.values()], days: [...days.values()] }
}

function take(position: Position, size: Decimal, cost: Decimal): void {
  position.shares = add(position.shares, size)
  position.costUsd = add(position.costUsd, cost)
  position.boughtShares = add(position.boughtShares, size)
  position.boughtUsd = add(position.boughtUsd, cost)
  position.status = 'open'
  position.closedAt = null
}

function give(position: Position, { size, value, at }: { size: Decimal; value: Decimal; at: Date }): void {
  const all = compare(size, position.shares) === 0
  const cost = all ? position.costUsd : divide(multiply(position.costUsd, size), position.shares, 30)
  position.shares = subtract(position.shares, size)
  position.costUsd = subtract(position.costUsd, cost)
  position.realizedUsd = add(position.realizedUsd, subtract(value, cost))
  if (all) Object.assign(position, { status: 'sold', closedAt: at })
}

/** Returns the payout. Shares and cost stay on record as those held at the end. */
function resolve(position: Position, payout: Decimal, at: Date): Decimal {
  if (!isPositive(position.shares)) return ZERO
  const paid = multiply(position.shares, payout)
  position.realizedUsd = add(position.realizedUsd, add(paid, negate(position.costUsd)))
  Object.assign(position, { status: isPositive(payout) ? 'won' : 'lost', closedAt: at })
  return paid
}
