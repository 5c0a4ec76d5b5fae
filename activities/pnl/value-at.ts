import type { Db } from '../../db/schema.ts'
import type { FirstPrices } from '../../db/pnl/legs/measured-legs.ts'
import type { Holdings } from '../../db/pnl/legs/value-unpriced.ts'
import { type MidnightPrices, midnightPrices } from '../../db/pnl/valuation/midnight-prices.ts'
import { inUnits } from '../../db/pnl/valuation/money.ts'
import type { Money } from '../../db/pnl/valuation/money.ts'
import { UNIT_COINS } from '../../db/values/coins.ts'
import { add, multiply, ZERO } from '../../db/values/decimal.ts'

const UNITS: string[] = Object.values(UNIT_COINS)

/** Prices of coins, and of BTC and ETH, at the midnights after `afterMs` up to `toMs` (both midnights). */
export async function pricesToValue(input: {
  db: Db
  coinIds: Iterable<string>
  firsts: FirstPrices
  afterMs: number
  toMs: number
}): Promise<Map<string, MidnightPrices>> {
  const { coinIds, firsts, ...window } = input
  return await midnightPrices({
    ...window,
    coinIds: [...new Set([...coinIds, ...UNITS])],
    firstMs: (coinId) => (UNITS.includes(coinId) ? -Infinity : (firsts.byCoin.get(coinId)?.atMs ?? Infinity)),
  })
}

/** Value at the midnight of an index. A coin without a price counts with what was paid for it. */
export function valueAt(
  { balances, paid }: Holdings,
  { prices, index }: { prices: ReadonlyMap<string, MidnightPrices>; index: number },
): { value: Money; stale: boolean } {
  let usd = ZERO
  let stale = false
  for (const [coinId, quantity] of balances) {
    const coin = prices.get(coinId)!
    const price = coin.usd[index]
    if (!price) {
      usd = add(usd, paid.get(coinId)?.usd ?? ZERO)
      continue
    }
    usd = add(usd, multiply(quantity, price))
    stale ||= coin.stale[index]!
  }
  const unit = (coinId: string) => prices.get(coinId)!.usd[index]!
  return { value: inUnits(usd, unit(UNIT_COINS.btc), unit(UNIT_COINS.eth)), stale }
}
