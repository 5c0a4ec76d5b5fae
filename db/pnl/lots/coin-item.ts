import { add, decimal, divide, isZero, multiply, subtract, ZERO } from '../../values/decimal.ts'
import type { Decimal } from '../../values/decimal.ts'
import type { CoinState, RecentMoves, Totals } from './coin-state.ts'

export const PROFIT_KEYS = ['allTime', 'hour24', 'lastTrade', 'unrealized', 'realized'] as const
type ProfitKey = (typeof PROFIT_KEYS)[number]
type ByKey = Record<ProfitKey, Decimal>

/** One coin of a portfolio in one unit of account. A percentage with base 0 is 0. */
export interface CoinItem {
  count: Decimal
  price: Decimal
  totalCost: Decimal
  profit: ByKey
  /** bases of the percentages */
  base: ByKey
  profitPercent: ByKey
  averageBuy: ByKey
  averageSell: ByKey
}

const HUNDRED = decimal('100')

/**
 * Prices are in the unit of the fold, 0 for a coin without one. `recent`: the moves of the last 24 hours;
 * `dayAgoPrice`: the price at their start.
 */
export function coinItem(
  coin: CoinState,
  present: { price: Decimal; dayAgoPrice: Decimal; recent: RecentMoves },
): CoinItem {
  const { price, recent } = present
  const { lastTrade, quantity: count, cost: totalCost } = coin
  const value = multiply(count, price)
  const dayAgoValue = multiply(subtract(count, recent.quantity), present.dayAgoPrice)

  const unrealized = subtract(value, totalCost)
  const realized = subtract(coin.disposed.amount, coin.disposedCost)
  const allTime = add(realized, unrealized)
  const hour24 = add(subtract(subtract(value, dayAgoValue), recent.acquired), recent.disposed)
  const sinceTrade = lastTrade ? subtract(multiply(lastTrade.quantity, price), lastTrade.amount) : ZERO
  const lastTradeProfit = lastTrade?.side === 'sell' ? subtract(ZERO, sinceTrade) : sinceTrade
  const tradePrice = lastTrade ? ratio(lastTrade.amount, lastTrade.quantity) : ZERO
  const soldPrice = mean(coin.sold)
  const profit = { allTime, unrealized, realized, hour24, lastTrade: lastTradeProfit }
  const base = {
    allTime: coin.acquired.amount,
    unrealized: totalCost,
    realized: coin.disposedCost,
    hour24: dayAgoValue,
    lastTrade: lastTrade?.amount ?? ZERO,
  }

  return {
    count,
    price,
    totalCost,
    profit,
    base,
    profitPercent: percents(profit, base),
    averageBuy: {
      allTime: mean(coin.acquired),
      unrealized: ratio(totalCost, count),
      realized: ratio(coin.disposedCost, coin.disposed.quantity),
      hour24: mean(recent.bought),
      lastTrade: lastTrade?.side === 'buy' ? tradePrice : ZERO,
    },
    averageSell: {
      allTime: soldPrice,
      unrealized: ZERO,
      realized: soldPrice,
      hour24: mean(recent.sold),
      lastTrade: lastTrade?.side === 'sell' ? tradePrice : ZERO,
    },
  }
}

function ratio(part: Decimal, whole: Decimal): Decimal {
  return isZero(whole) ? ZERO : divide(part, whole)
}

function mean(totals: Totals): Decimal {
  return ratio(totals.amount, totals.quantity)
}

/** Profit as a percentage of a base; 0 where the base is 0. */
export const percentOf = (profit: Decimal, base: Decimal): Decimal => ratio(multiply(profit, HUNDRED), base)

/** Profit as a percentage of each base. */
export function percents(profit: ByKey, base: ByKey): ByKey {
  const percent = (key: ProfitKey) => percentOf(profit[key], base[key])
  return {
    allTime: percent('allTime'),
    hour24: percent('hour24'),
    lastTrade: percent('lastTrade'),
    unrealized: percent('unrealized'),
    realized: percent('realized'),
  }
}
