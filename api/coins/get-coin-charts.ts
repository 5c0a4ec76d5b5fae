import { z } from 'zod'
import { type PricePoint, readPriceSeries } from '../../db/prices/read-prices.ts'
import { readCoin } from '../../db/prices/read-coins.ts'
import { readCurrentPrice } from '../../db/prices/read-current-price.ts'
import { RANGES, rangeStart } from '../../db/values/periods.ts'
import { enumParam, identifierParam } from '../params.ts'
import { defineRoute } from '../route.ts'
import { type Point4, pointSchema, ratio, toNumber } from '../shapes.ts'
import { coinNotFound } from './get-coin.ts'

/** Presets that are drawn from hourly points; the longer ones are from midnights. */
const HOURLY: readonly string[] = ['24h', '1w', '1m']

export const getCoinCharts = defineRoute({
  method: 'GET',
  path: '/coins/{coinId}/charts',
  tag: 'Coins',
  summary: 'Price history of a coin',
  description:
    'Hourly points up to `1m`, daily ones (00:00 UTC) above; the last point is the current price. BTC and ETH are of the same instant. A point is left out while either was not priced yet.',
  pathParams: z.object({ coinId: identifierParam('Coin id') }),
  query: z.object({ period: enumParam(RANGES) }),
  response: z.array(pointSchema('seconds')),
  credits: 3,
  plan: 'any',
  x402: '0.001',
  async handler({ path: { coinId }, query: { period } }, { db, now }) {
    const coin = await readCoin(db, coinId)
    if (!coin) throw coinNotFound(coinId)
    const to = now()
    const startMs = rangeStart(period, to.getTime())
    const from = startMs === null ? null : new Date(startMs)
    const [series, bitcoin, ethereum] = await Promise.all([
      readPriceSeries(db, {
        coinIds: [coinId, 'bitcoin', 'ethereum'],
        resolution: HOURLY.includes(period) ? 'hour' : 'day',
        from,
        to,
      }),
      readCurrentPrice(db, 'bitcoin'),
      readCurrentPrice(db, 'ethereum'),
    ])
    const of = (id: string, current: { priceUsd: string; at: Date } | undefined) => [
      ...series.filter((point) => point.coinId === id),
      ...(current ? [{ coinId: id, at: current.at, usd: current.priceUsd }] : []),
    ]
    const points = of(coinId, { priceUsd: coin.price_usd, at: coin.at })
    const body = chartOf({
      points: points.filter(({ at }) => at <= to && (from === null || at >= from)),
      bitcoin: of('bitcoin', bitcoin),
      ethereum: of('ethereum', ethereum),
    })
    return { body, asOf: coin.at }
  },
})

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
