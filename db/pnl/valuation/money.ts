import { add, divide, ZERO } from '../../values/decimal.ts'
import type { Decimal } from '../../values/decimal.ts'

/** One amount in the three units of account, each at the price of its own instant. */
export interface Money {
  usd: Decimal
  btc: Decimal
  eth: Decimal
}

export const NO_MONEY: Money = { usd: ZERO, btc: ZERO, eth: ZERO }

export function addMoney(a: Money, b: Money): Money {
  return { usd: add(a.usd, b.usd), btc: add(a.btc, b.btc), eth: add(a.eth, b.eth) }
}

/** Converts USD to all units, rounded to 30 places, at the given prices of BTC and ETH; 0 without a price. */
export function inUnits(usd: Decimal, btcUsd: Decimal | null, ethUsd: Decimal | null): Money {
  const per = (price: Decimal | null) => (price && price.coefficient > 0n ? divide(usd, price) : ZERO)
  return { usd, btc: per(btcUsd), eth: per(ethUsd) }
}
