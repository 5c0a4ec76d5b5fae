import { add, decimal, divide, isZero, multiply, subtract, ZERO } from '../../db/values/decimal.ts'
import type { Decimal } from '../../db/values/decimal.ts'
import { realised } from './fold-lots.ts'
import type { CoinFold, Totals } from './fold-lots.ts'

type ProfitKey = 'allTime' | 'unrealized' | 'realized' | 'hour24' | 'lastTrade'
type ByKey = Record<ProfitKey, Decimal>

/** One coin of a portfolio in one unit of account. Percents as percentages; a denominator of 0 gives 0. */
export interface CoinItem {
  count: Decimal
  price: Decimal
  totalCost: Decimal
  profit: ByKey
  profitPercent: ByKey
  averageBuy: ByKey
  averageSell: ByKey
}

const HUNDRED = decimal('100')

/** `price` and `dayAgoPrice` are in the unit of the fold; both 0 for a coin without a price. */
export function coinItem(coin: CoinFold, prices: { price: Decimal; dayAgoPrice: Decimal }): CoinItem {
  const { price } = prices
  const { recent, lastTrade } = coin
  const count = coin.pool.quantity()
  const totalCost = coin.pool.cost()
  const value = multiply(count, price)
  const dayAgoValue = multiply(recent.openingQuantity, prices.dayAgoPrice)

  const unrealized = subtract(value, totalCost)
  const realized = realised(coin)
  const allTime = add(realized, unrealized)
  const hour24 = add(subtract(subtract(value, dayAgoValue), recent.acquired), recent.disposed)
  const sinceTrade = lastTrade ? subtract(multiply(lastTrade.quantity, price), lastTrade.amount) : ZERO
  const lastTradeProfit = lastTrade?.side === 'sell' ? subtract(ZERO, sinceTrade) : sinceTrade
  const tradePrice = lastTrade ? ratio(lastTrade.amount, lastTrade.quantity) : ZERO
  const soldPrice = mean(coin.sold)

  return {
    count,
    price,
    totalCost,
    profit: { allTime, unrealized, realized, hour24, lastTrade: lastTradeProfit },
    profitPercent: {
      allTime: percent(allTime, coin.acquired.amount),
      unrealized: percent(unrealized, totalCost),
      realized: percent(realized, coin.disposedCost),
      hour24: percent(hour24, dayAgoValue),
      lastTrade: percent(lastTradeProfit, lastTrade?.amount ?? ZERO),
    },
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

function percent(part: Decimal, whole: Decimal): Decimal {
  return ratio(multiply(part, HUNDRED), whole)
}
