import type { Db } from '../../schema.ts'
import type { Decimal } from '../../values/decimal.ts'
import { loadPriceBook } from './load-price-book.ts'
import { inUnits } from './money.ts'
import type { Money } from './money.ts'

/** Units of account besides USD. */
export const UNIT_COINS = { btc: 'bitcoin', eth: 'ethereum' } as const

export type Convert = (usd: Decimal, atMs: number) => Money

/** Converts at the prices of BTC and ETH in force at instants of [fromMs, toMs]; 0 without a price. */
export async function unitConverter(input: { db: Db; fromMs: number; toMs: number }): Promise<Convert> {
  const book = await loadPriceBook({ ...input, coinIds: Object.values(UNIT_COINS) })
  return (usd, atMs) => inUnits(usd, book.at(UNIT_COINS.btc, atMs), book.at(UNIT_COINS.eth, atMs))
}
