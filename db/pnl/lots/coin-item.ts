import { add, decimal, divide, isZero, multiply, subtract, ZERO } from '../../values/decimal.ts'
import type { Decimal } from '../../values/decimal.ts'
import type { CoinState, RecentMoves, Totals } from './coin-state.ts'

export const PROFIT_KEYS = ['allTime', 'hour24', 'lastTrade', 'unrealized', 'realized'] as const
type ProfitKey = (typeof PROFIT_KEYS)[number]
type ByKey = Record<ProfitKey, Decimal>

/** One coin of a portfolio in one unit of account. A percentage with base 0 is 0. */
export interface CoinItem {
  count: Decimal
  /** 0 without a price */
  price: Decimal
  /** without a price, what was paid for the coin */
  value: Decimal
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
 * Prices are in the unit of the fold, null for a coin without one. `recent`: the moves of the last 24 hours;
 * `dayAgoPrice`: the price at their start. `inUnit` converts USD at the rate of either end of these hours.
 */
export function coinItem(
  coin: CoinState,
  present: {
    price: Decimal | null
    dayAgoPrice: Decimal | null
    recent: RecentMoves
    inUnit?: (usd: Decimal, end: 'now' | 'dayAgo') => Decimal
  },
): CoinItem {
  const { price, recent, inUnit = (usd: Decimal) => usd } = present
  const { lastTrade, cost: totalCost } = coin
  const count = add(coin.quantity, coin.unvalued)
  const value = price ? multiply(count, price) : inUnit(coin.paid, 'now')
  const dayAgoValue = present.dayAgoPrice
    ? multiply(subtract(count, recent.quantity), present.dayAgoPrice)
    : inUnit(subtract(coin.paid, recent.paid), 'dayAgo')

  const unrealized = subtract(value, totalCost)
  const realized = subtract(coin.disposed.amount, coin.disposedCost)
  const allTime = add(realized, unrealized)
  const hour24 = add(subtract(subtract(value, dayAgoValue), recent.acquired), recent.disposed)
  const sinceTrade =
    lastTrade && price ? subtract(multiply(lastTrade.quantity, price), lastTrade.amount) : ZERO
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
    price: price ?? ZERO,
    value,
    totalCost,
    profit,
    base,
    profitPercent: percents(profit, base),
    averageBuy: {
      allTime: mean(coin.acquired),
      unrealized: ratio(totalCost, coin.quantity),
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
