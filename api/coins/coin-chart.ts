import type { ReadonlyDb } from '../../db/connect.ts'
import { readCurrentPrices } from '../../db/prices/read-current-price.ts'
import { type PricePoint, readPriceSeries } from '../../db/prices/read-prices.ts'
import { type Range, rangeStart } from '../../db/values/periods.ts'
import { type Point4, ratio, toNumber } from '../shapes.ts'

/** Presets that are drawn from hourly points; the longer ones are from midnights. */
const HOURLY: readonly string[] = ['24h', '1w', '1m']

export interface CoinChart {
  points: Point4[]
  /** When the current price was true. */
  asOf: Date
}

/** Price histories of coins up to now; a coin without a price is not among them. */
export async function readCoinCharts(
  db: ReadonlyDb,
  options: { coinIds: readonly string[]; period: Range; now: Date },
): Promise<Map<string, CoinChart>> {
  const { period, now: to } = options
  const startMs = rangeStart(period, to.getTime())
  const from = startMs === null ? null : new Date(startMs)
  const coinIds = [...new Set([...options.coinIds, 'bitcoin', 'ethereum'])]
  const resolution = HOURLY.includes(period) ? 'hour' : 'day'
  const [series, current] = await Promise.all([
    readPriceSeries(db, { coinIds, resolution, from, to }),
    readCurrentPrices(db, coinIds),
  ])
  const stored = Map.groupBy(series, ({ coinId }) => coinId)
  const pointsOf = (coinId: string): PricePoint[] => {
    const now = current.get(coinId)
    return [...(stored.get(coinId) ?? []), ...(now ? [{ coinId, at: now.at, usd: now.priceUsd }] : [])]
  }
  const [bitcoin, ethereum] = [pointsOf('bitcoin'), pointsOf('ethereum')]
  return new Map(
    options.coinIds.flatMap((coinId) => {
      const asOf = current.get(coinId)?.at
      if (!asOf) return []
      const points = pointsOf(coinId).filter(({ at }) => at <= to && (from === null || at >= from))
      return [[coinId, { points: chartOf({ points, bitcoin, ethereum }), asOf }] as const]
    }),
  )
}

/** Each series is in order; the prices of BTC and ETH in force at a point are the last ones at or before it. */
function chartOf(series: {
  points: readonly PricePoint[]
  bitcoin: readonly PricePoint[]
  ethereum: readonly PricePoint[]
}): Point4[] {
  const btcAt = inForce(series.bitcoin)
  const ethAt = inForce(series.ethereum)
  const chart: Point4[] = []
  for (const { at, usd } of series.points) {
    const btc = btcAt(at)
    const eth = ethAt(at)
    const timeS = Math.floor(at.getTime() / 1_000)
    if (btc === null || eth === null || (chart.at(-1)?.[0] ?? -1) >= timeS) continue
    chart.push([timeS, toNumber(usd), ratio(usd, btc), ratio(usd, eth)])
  }
  return chart
}

/** Reads a series forward only: each instant has to be at or after the one before. */
function inForce(series: readonly PricePoint[]): (at: Date) => string | null {
  let next = 0
  return (at) => {
    while (next < series.length && series[next]!.at <= at) next++
    return next === 0 ? null : series[next - 1]!.usd
  }
}
