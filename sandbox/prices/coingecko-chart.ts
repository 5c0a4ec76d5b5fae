import type { SandboxCoin } from '../market/coins.ts'
import { hash32 } from '../market/noise.ts'
import type { CoinGeckoWorld } from './coingecko.ts'
import { ok, type UpstreamReply, type UpstreamRequest } from '../upstream.ts'

const day = 86_400
const historySeconds = 730 * day

function stepOf(seconds: number, interval: string | null): number {
  if (interval === 'daily') return day
  if (interval === 'hourly') return 3600
  if (interval === '5m') return 300
  return seconds <= day ? 300 : seconds <= 90 * day ? 3600 : day
}

function windowOf(
  world: CoinGeckoWorld,
  { path, query, now }: UpstreamRequest,
): { from: number; to: number } | null {
  if (path[3] === 'range') {
    const seconds = (name: string): number => {
      const text = query.get(name) ?? ''
      return /^\d+$/.test(text) ? Number(text) : Date.parse(text) / 1000
    }
    const window = { from: seconds('from'), to: seconds('to') }
    return Number.isFinite(window.from) && Number.isFinite(window.to) ? window : null
  }
  const days = query.get('days') === 'max' ? Infinity : Number(query.get('days') ?? NaN)
  return Number.isNaN(days)
    ? null
    : { from: Math.max(now - days * day, world.market.anchor - historySeconds), to: now }
}

/**
 * GET /coins/{id}/market_chart and its /range. The width of the window sets the step: 5 minutes up to a day,
 * hourly up to 90 days, else daily at 00:00 UTC. Points finer than daily are stamped some seconds late. A
 * window that reaches the present ends with the current price.
 */
export function coinChart(world: CoinGeckoWorld, coin: SandboxCoin, request: UpstreamRequest): UpstreamReply {
  const { market, statistics } = world
  const { query, now } = request
  const code = query.get('vs_currency')
  if (!code) return { status: 422, body: { error: 'Missing parameter vs_currency' } }
  if (statistics.perUsd(code, now) === null) return { status: 400, body: { error: 'invalid vs_currency' } }
  const window = windowOf(world, request)
  if (!window) return { status: 422, body: { error: 'Missing parameter days' } }
  const from = Math.max(window.from, market.anchor - historySeconds - day)
  const to = Math.min(window.to, now)
  const step = stepOf(window.to - window.from, query.get('interval'))
  const prices: [number, number][] = []
  const caps: [number, number][] = []
  const volumes: [number, number][] = []
  const add = (at: number, ms: number): void => {
    const price = market.priceUsd(coin.id, at)
    const rate = statistics.perUsd(code, at)
    if (price === null || rate === null) return
    prices.push([ms, price * rate])
    caps.push([ms, price * coin.circulatingSupply * rate])
    volumes.push([ms, market.volume24hUsd(coin, at) * rate])
  }
  for (let at = Math.ceil(from / step) * step; at <= to; at += step) {
    const ms = at * 1000 + (step === day ? 0 : hash32(market.seed, at) % 20_000)
    if (!market.isGap(coin, at) && ms / 1000 <= to) add(at, ms)
  }
  if (window.to >= now) add(now, Math.floor(now * 1000))
  return ok({ prices, market_caps: caps, total_volumes: volumes })
}
