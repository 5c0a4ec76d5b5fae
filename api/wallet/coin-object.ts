import { z } from 'zod'
import type { CoinDescription } from '../../db/pnl/read-coins.ts'
import { fiatOf, isFiatCoin } from '../../db/values/fiat-coin.ts'
import { toNumber } from '../shapes.ts'

const percent = (of: string) => z.number().describe(`Change of the price over ${of} in percent`)

export const coinSchema = z.object({
  identifier: z.string(),
  symbol: z.string(),
  name: z.string(),
  icon: z.string().describe('Empty when unknown'),
  rank: z.number().int().describe('0: unranked'),
  priceChange1h: percent('1 hour'),
  priceChange24h: percent('24 hours'),
  priceChange7d: percent('7 days'),
  priceChange1m: percent('1 month'),
  volume: z.number().describe('USD, 24 hours'),
  isFake: z.boolean(),
  isFiat: z.boolean(),
})

/** A coin with how it is doing; one without a description is known by its id alone. */
export function coinOf(coinId: string, row: CoinDescription | undefined) {
  const isFiat = isFiatCoin(coinId)
  const code = isFiat ? fiatOf(coinId) : ''
  return {
    identifier: coinId,
    symbol: row?.symbol ?? code,
    name: row?.name ?? code,
    icon: row?.icon ?? '',
    rank: row?.rank ?? 0,
    priceChange1h: toNumber(row?.priceChange1h ?? '0'),
    priceChange24h: toNumber(row?.priceChange1d ?? '0'),
    priceChange7d: toNumber(row?.priceChange1w ?? '0'),
    priceChange1m: toNumber(row?.priceChange1m ?? '0'),
    volume: toNumber(row?.volume24hUsd ?? '0'),
    // What is spam is in no ledger.
    isFake: false,
    isFiat,
  }
}
