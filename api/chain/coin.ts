import { z } from 'zod'
import type { CoinDescription } from '../../db/pnl/lots/read-coins.ts'
import { fiatOf, isFiatCoin } from '../../db/values/coins.ts'
import { toNumber as ofText } from '../shapes.ts'

const percent = (of: string) => z.number().describe(`Price change over ${of} in percent`)

export const coinSchema = z
  .object({
    identifier: z.string(),
    symbol: z.string(),
    name: z.string(),
    icon: z.string().describe('Empty when unknown'),
    rank: z.number().int().describe('0: unranked'),
    priceChange1h: percent('1 hour'),
    priceChange24h: percent('24 hours'),
    priceChange7d: percent('7 days'),
    priceChange1m: percent('1 month'),
    volume: z.number().describe('Trading volume of the last 24 hours in USD'),
    isFake: z.boolean(),
    isFiat: z.boolean(),
  })
  .meta({ title: 'HeldCoin' })

/** `own` supplies the name, symbol and icon that are not known for the coin. */
export function coinOf(
  coinId: string,
  row: CoinDescription | undefined,
  own: Partial<Pick<z.output<typeof coinSchema>, 'name' | 'symbol' | 'icon' | 'isFake'>> = {},
): z.output<typeof coinSchema> {
  const isFiat = isFiatCoin(coinId)
  const code = isFiat ? fiatOf(coinId) : ''
  return {
    identifier: coinId,
    symbol: row?.symbol ?? own.symbol ?? code,
    name: row?.name ?? own.name ?? code,
    icon: row?.icon ?? own.icon ?? '',
    rank: row?.rank ?? 0,
    priceChange1h: ofText(row?.priceChange1h ?? '0'),
    priceChange24h: ofText(row?.priceChange1d ?? '0'),
    priceChange7d: ofText(row?.priceChange1w ?? '0'),
    priceChange1m: ofText(row?.priceChange1m ?? '0'),
    volume: ofText(row?.volume24hUsd ?? '0'),
    isFake: own.isFake ?? false,
    isFiat,
  }
}
