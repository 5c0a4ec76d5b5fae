import type { ReadonlyDb } from '../../db/schema.ts'
import { readCurrentPrices } from '../../db/prices/read-current-price.ts'
import { type PricePoint, readPriceSeries } from '../../db/prices/read-prices.ts'
import { type Decimal, decimal, isZero, quotientToNumber } from '../../db/values/decimal.ts'
import { DAY_MS, type Range, rangeStart } from '../../db/values/periods.ts'
import { type Point4, toNumber } from '../shapes.ts'

/** Periods with hourly points; longer periods have one point per UTC midnight. */
const HOURLY: readonly string[] = ['24h', '1w', '1m']

export interface CoinChart {
  points: Point4[]
  /** The instant of the current price. */
  asOf: Date
}

/** Price histories of coins up to now. Coins without a price are left out. */
export async function readCoinCharts(
  db: ReadonlyDb,
  options: { coinIds: readonly string[]; period: Range; now: Date },
): Promise<Map<string, CoinChart>> {
  const { period, now: to } = options
  const startMs = chartStart(period, to.getTime())
  const from = startMs === null ? null : new Date(startMs)
  const coinIds = [...new Set([...options.coinIds, 'bitcoin', 'ethereum'])]
  const resolution = HOURLY.includes(period) ? 'hour' : 'day'
  const [series, current] = await Promise.all([
    readPriceSeries(db, { coinIds, resolution, from, to }),
    readCurrentPrices(db, coinIds),
  ])
  const pointsOf = (coinId: string): PricePoint[] => {
    const now = current.get(coinId)
    return [...(series.get(coinId) ?? []), ...(now ? [{ atMs: now.at.getTime(), usd: now.priceUsd }] : [])]
  }
  const [bitcoin, ethereum] = [pointsOf('bitcoin').map(unitOf), pointsOf('ethereum').map(unitOf)]
  return new Map(
    options.coinIds.flatMap((coinId) => {
      const asOf = current.get(coinId)?.at
      if (!asOf) return []
      const points = pointsOf(coinId).filter(
        ({ atMs }) => atMs <= to.getTime() && (startMs === null || atMs >= startMs),
      )
      return [[coinId, { points: chartOf({ points, bitcoin, ethereum }), asOf }] as const]
    }),
  )
}

/** Sources state `priceChange1m` over 30 days, so the chart of a month is as long. */
const MONTH_MS = 30 * DAY_MS

const chartStart = (period: Range, nowMs: number): number | null =>
  period === '1m' ? nowMs - MONTH_MS : rangeStart(period, nowMs)

/** Price of bitcoin or ether, in which the other coins are quoted. */
interface UnitPoint {
  atMs: number
  usd: Decimal
}
// Parsed once for all coins of the response: as text they would be parsed for each point of each coin.
const unitOf = ({ atMs, usd }: PricePoint): UnitPoint => ({ atMs, usd: decimal(usd) })

/**
 * Quotes each point in USD, BTC and ETH, with the last BTC and ETH price at or before it. The series are
 * sorted.
 */
function chartOf(series: {
  points: readonly PricePoint[]
  bitcoin: readonly UnitPoint[]
  ethereum: readonly UnitPoint[]
}): Point4[] {
  const btcAt = inForce(series.bitcoin)
  const ethAt = inForce(series.ethereum)
  const chart: Point4[] = []
  for (const { atMs, usd } of series.points) {
    const btc = btcAt(atMs)
    const eth = ethAt(atMs)
    const timeS = Math.floor(atMs / 1_000)
    if (btc === null || eth === null || (chart.at(-1)?.[0] ?? -1) >= timeS) continue
    const exact = decimal(usd)
    chart.push([timeS, toNumber(usd), inUnits(exact, btc), inUnits(exact, eth)])
  }
  return chart
}

const inUnits = (usd: Decimal, unit: Decimal): number => (isZero(unit) ? 0 : quotientToNumber(usd, unit))

/** Reads a series forward only: call it with ascending instants. */
function inForce(series: readonly UnitPoint[]): (atMs: number) => Decimal | null {
  let next = 0
  return (atMs) => {
    while (next < series.length && series[next]!.atMs <= atMs) next++
    return next === 0 ? null : series[next - 1]!.usd
  }
}
