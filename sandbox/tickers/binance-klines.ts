import { exchanges, type Exchanges } from '../market/exchanges.ts'
import { numberOf, ok, type Upstream, type UpstreamReply } from '../upstream.ts'

const hour = 3600
const binance = exchanges.find(({ name }) => name === 'Binance')!
const invalid = (code: number, msg: string): UpstreamReply => ({ status: 400, body: { code, msg } })

/**
 * GET /api/v3/klines of Binance's public market data: hourly candles only; the last one may be incomplete.
 */
export function createBinanceKlines(world: Exchanges): Upstream {
  return ({ path, query, now }): UpstreamReply => {
    if (path.join('/') !== 'api/v3/klines') return { status: 404, body: {} }
    if (query.get('interval') !== '1h') return invalid(-1120, 'Invalid interval.')
    const pair = world.pair(binance, query.get('symbol') ?? '')
    if (!pair) return invalid(-1121, 'Invalid symbol.')
    const limit = numberOf(query, 'limit', { or: 500, max: 1000 })
    const end = Math.min(Number(query.get('endTime') ?? now * 1000) / 1000, now)
    const start = query.has('startTime') ? Number(query.get('startTime')) / 1000 : end - limit * hour
    const rows: unknown[] = []
    for (let at = Math.ceil(start / hour) * hour; at <= end && rows.length < limit; at += hour) {
      const prices = [0, 0.25, 0.5, 0.75, 1].map((part) => pair.priceAt(Math.min(at + part * hour, now)))
      if (prices.includes(null)) continue
      const [open, close] = [prices[0]!, prices[4]!]
      const text = (value: number): string => value.toFixed(8)
      const volume = pair.volumeUsd / 24 / open
      rows.push([
        at * 1000,
        text(open),
        text(Math.max(...(prices as number[]))),
        text(Math.min(...(prices as number[]))),
        text(close),
        text(volume),
        (at + hour) * 1000 - 1,
        text(volume * close),
        1200,
        text(volume / 2),
        text((volume * close) / 2),
        '0',
      ])
    }
    return ok(rows)
  }
}
