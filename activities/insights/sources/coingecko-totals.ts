import { z } from 'zod'
import { decimal, divide, formatDecimal, multiply } from '../../../db/values/decimal.ts'
import { createCoinGeckoGet } from '../../coingecko.ts'
import { millisecondsField, positiveField } from '../../fields.ts'
import type { HttpClient } from '../../http-client.ts'
import { parseRows } from '../../parse-rows.ts'

/** Totals of the whole market at an instant. */
export interface PastTotal {
  at: Date
  marketCapUsd: string
  volume24hUsd: string
  /** percent */
  btcDominance: string
}

const point = z.tuple([millisecondsField, positiveField]).transform(([at, usd]) => ({ at, usd }))
const totalsChart = z.object({
  market_cap_chart: z.object({ market_cap: z.array(z.unknown()), volume: z.array(z.unknown()) }),
})
const coinChart = z.object({ market_caps: z.array(z.unknown()) })

/** Two charts stamp the same bucket some seconds apart, and a gap in one of them has no partner. */
const NEAR_MS = 15 * 60_000
const HUNDRED = decimal('100')

type Point = z.output<typeof point>

/** Past totals from CoinGecko: on paid plans only, others are refused with SourceRejected (10005). */
export function createCoinGeckoTotals(options: { http: HttpClient; url: string; key: string | null }) {
  const get = createCoinGeckoGet(options)

  /** Up to now: hourly for one day, daily (00:00 UTC) for `max`. An instant that one of the charts misses has no total. */
  async function history(days: '1' | 'max'): Promise<PastTotal[]> {
    const { market_cap_chart: totals } = await get(
      `/global/market_cap_chart?vs_currency=usd&days=${days}`,
      totalsChart,
    )
    const bitcoin = await get(`/coins/bitcoin/market_chart?vs_currency=usd&days=${days}`, coinChart)
    const volumeAt = nearest(parseRows(point, totals.volume).rows)
    const bitcoinAt = nearest(parseRows(point, bitcoin.market_caps).rows)
    return parseRows(point, totals.market_cap).rows.flatMap(({ at, usd }) => {
      const volume24hUsd = volumeAt(at)
      const bitcoinUsd = bitcoinAt(at)
      if (volume24hUsd === null || bitcoinUsd === null) return []
      return [{ at, marketCapUsd: usd, volume24hUsd, btcDominance: percent(bitcoinUsd, usd) }]
    })
  }

  return { history }
}

export type CoinGeckoTotals = ReturnType<typeof createCoinGeckoTotals>

/** The value nearest to an instant, none beyond `NEAR_MS`. Instants have to be asked for in their order. */
function nearest(points: readonly Point[]): (at: Date) => string | null {
  let next = 0
  const distance = (index: number, at: Date) =>
    index < points.length ? Math.abs(points[index]!.at.getTime() - at.getTime()) : Infinity
  return (at) => {
    while (distance(next + 1, at) <= distance(next, at) && next + 1 < points.length) next++
    return distance(next, at) <= NEAR_MS ? points[next]!.usd : null
  }
}

const percent = (part: string, whole: string): string =>
  formatDecimal(divide(multiply(decimal(part), HUNDRED), decimal(whole), 12))
