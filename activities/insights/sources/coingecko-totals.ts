import { z } from 'zod'
import { decimal, divide, formatDecimal, multiply } from '../../../db/values/decimal.ts'
import { createCoinGeckoGet } from '../../coingecko.ts'
import { millisecondsField, positiveField } from '../../fields.ts'
import type { HttpClient } from '../../http-client.ts'
import { parseRows } from '../../parse-rows.ts'

/** Market totals at one instant. */
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

/**
 * Tolerance: two charts stamp the same point some seconds apart. A point without a partner this near is
 * skipped.
 */
const NEAR_MS = 15 * 60_000
const HUNDRED = decimal('100')

type Point = z.output<typeof point>

/** Client of CoinGecko's past totals. Paid plans only: other plans get SourceRejected (10005). */
export function createCoinGeckoTotals(options: { http: HttpClient; url: string; key: string | null }) {
  const get = createCoinGeckoGet(options)

  /**
   * Totals up to now: hourly for one day, daily (00:00 UTC) for `max`. Skips instants that one chart lacks.
   */
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

/** Returns the value nearest to an instant, null beyond `NEAR_MS`. Call it with ascending instants. */
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
