import {
  add,
  compare,
  type Decimal,
  decimal,
  divide,
  isZero,
  multiply,
  negate,
  subtract,
  ZERO,
} from '../../values/decimal.ts'
import type { CostMethod } from './lot-pool.ts'
import { DAY_MS } from '../../values/periods.ts'
import type { LotUse } from './fold-lots.ts'
import type { Posting } from './posting.ts'

// A fold keeps its amounts in USD by the day from which they are, because a rate holds for a day: so they can be
// had in any currency, each at the rate of its own instant, without a fold of each.

/** USD amounts of one coin that are from one day. */
export interface DayAmounts {
  acquired: Decimal
  disposed: Decimal
  /** change of `HeldCosts` */
  cost: Decimal
}

/** Costs by the day of their acquisition, counted from 1970. `held` times each is still held. */
export type HeldCosts = ReadonlyMap<number, Decimal>

/** What changed of a coin in a month. */
export interface MonthAmounts {
  coinId: string
  /**
   * With the method `average` all lots are one, so a disposal takes the same part of every day's cost: it changes
   * this number alone. 1 with other methods.
   */
  held: Decimal
  days: { day: number; amounts: DayAmounts }[]
}

const ONE = decimal('1')
const NONE: DayAmounts = { acquired: ZERO, disposed: ZERO, cost: ZERO }
/** `held` needs more places than amounts, because it gets small and divides them. */
const HELD_PLACES = 60
/** Below it the costs are written anew, so that their digits stay few. */
const LEAST_HELD = decimal('1e-20')
/** Half of it is above `LEAST_HELD`. */
const SMALL_HELD = decimal('1e-19')
const HALF = decimal('0.5')

const dayOf = (atMs: number): number => Math.floor(atMs / DAY_MS)

interface Coin {
  held: Decimal
  /** kept only with the method `average`; those from before the fold began are missing until they are loaded */
  costs: Map<number, Decimal>
  isLoaded: boolean
  month: Map<number, DayAmounts>
}

/**
 * Notes the amounts of a fold in USD by day. `quantityOf` returns the quantity held after the last use; `heldOf`, for
 * coins that were held when the fold began, `held` of then. Their costs of then are needed only for some postings:
 * before each, `missingFor` names the coins to `load`.
 */
export function createDayAmounts(input: {
  method: CostMethod
  quantityOf: (coinId: string) => Decimal
  heldOf: ReadonlyMap<string, Decimal>
}) {
  const isAverage = input.method === 'average'
  const coins = new Map<string, Coin>()
  const coinOf = (coinId: string): Coin => {
    let coin = coins.get(coinId)
    if (!coin) {
      const held = isAverage ? input.heldOf.get(coinId) : undefined
      coin = { held: held ?? ONE, costs: new Map(), isLoaded: held === undefined, month: new Map() }
      coins.set(coinId, coin)
    }
    return coin
  }
  // Costs on their way from one coin to another: a carry reports what it takes, then what it gives.
  let carried = { isTaking: false, total: ZERO, costs: new Map<number, Decimal>() }

  const putCost = (coin: Coin, day: number, cost: Decimal): void => {
    const sum = add(coin.costs.get(day) ?? ZERO, cost)
    if (isZero(sum)) coin.costs.delete(day)
    else coin.costs.set(day, sum)
  }
  const change = (coin: Coin, day: number, amounts: Partial<DayAmounts>): void => {
    const { acquired, disposed, cost } = coin.month.get(day) ?? NONE
    coin.month.set(day, {
      acquired: add(acquired, amounts.acquired ?? ZERO),
      disposed: add(disposed, amounts.disposed ?? ZERO),
      cost: add(cost, amounts.cost ?? ZERO),
    })
  }
  const addCost = (coin: Coin, day: number, cost: Decimal): void => {
    change(coin, day, { cost })
    if (isAverage) putCost(coin, day, cost)
  }

  /** Changes costs so that `held` is 1 again. */
  const settle = (coin: Coin): void => {
    for (const [day, cost] of coin.costs)
      addCost(coin, day, subtract(divide(multiply(cost, coin.held), ONE), cost))
    coin.held = ONE
  }
  const takeAverage = (coin: Coin, { coinId, quantity, missing, kind, cost }: LotUse): void => {
    const left = input.quantityOf(coinId)
    const taken = subtract(quantity, missing)
    const before = add(left, taken)
    if (isZero(before)) return
    if (kind === 'carry out') {
      const part = divide(multiply(coin.held, taken), before, HELD_PLACES)
      for (const [day, own] of coin.costs)
        carried.costs.set(day, add(carried.costs.get(day) ?? ZERO, multiply(own, part)))
      carried.total = add(carried.total, cost)
    }
    coin.held = divide(multiply(coin.held, left), before, HELD_PLACES)
    if (compare(coin.held, LEAST_HELD) < 0) settle(coin)
  }
  const giveAverage = (coin: Coin, { kind, cost }: LotUse, atMs: number): void => {
    if (kind === 'acquire') addCost(coin, dayOf(atMs), divide(cost, coin.held))
    else if (!isZero(carried.total))
      for (const [day, own] of carried.costs)
        addCost(coin, day, divide(multiply(own, cost), multiply(carried.total, coin.held)))
  }

  return {
    /** Coins whose costs a transaction may need: it carries them, or takes so much that they are written anew. */
    missingFor(postings: readonly Posting[]): string[] {
      const taken = new Map<string, Decimal>()
      const carriedFrom = new Set<string>()
      for (const posting of postings) {
        if (posting.kind === 'acquire') continue
        const legs = posting.kind === 'carry' ? posting.from : [posting]
        for (const { coinId, quantity } of legs) {
          if (coinOf(coinId).isLoaded) continue
          if (posting.kind === 'carry') carriedFrom.add(coinId)
          taken.set(coinId, add(taken.get(coinId) ?? ZERO, quantity))
        }
      }
      return [...taken.keys()].filter((coinId) => {
        const half = multiply(input.quantityOf(coinId), HALF)
        const isMost = compare(taken.get(coinId)!, half) >= 0
        return isMost || carriedFrom.has(coinId) || compare(coinOf(coinId).held, SMALL_HELD) < 0
      })
    },

    /** Adds the costs of a coin at the start of the fold. */
    load(coinId: string, costs: HeldCosts): void {
      const coin = coinOf(coinId)
      coin.isLoaded = true
      for (const [day, cost] of costs) putCost(coin, day, cost)
    },

    note(use: LotUse, atMs: number): void {
      const coin = coinOf(use.coinId)
      const { kind, amount } = use
      if (kind === 'acquire') change(coin, dayOf(atMs), { acquired: amount })
      if (kind === 'dispose') change(coin, dayOf(atMs), { disposed: amount })
      const isTaking = kind === 'carry out'
      if (isTaking && !carried.isTaking) carried = { isTaking, total: ZERO, costs: new Map() }
      carried.isTaking = isTaking
      const isOut = isTaking || kind === 'dispose'
      if (isAverage) (isOut ? takeAverage : giveAverage)(coin, use, atMs)
      else
        for (const { atMs: sinceMs, cost } of use.lots)
          addCost(coin, dayOf(sinceMs), isOut ? negate(cost) : cost)
    },

    /** Returns what changed of a coin since the last call. */
    endMonth(coinId: string): MonthAmounts {
      const coin = coinOf(coinId)
      const days = [...coin.month]
        .filter(([, amounts]) => !Object.values(amounts).every(isZero))
        .sort(([a], [b]) => a - b)
        .map(([day, amounts]) => ({ day, amounts }))
      coin.month.clear()
      return { coinId, held: coin.held, days }
    },
  }
}
