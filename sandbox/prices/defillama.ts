import type { SandboxCoin } from '../market/coins.ts'
import type { Market } from '../market/market.ts'
import { ok, type Upstream, type UpstreamReply } from '../upstream.ts'

type Found = { coin: SandboxCoin; decimals: number | undefined; confidence: number }

const units: Record<string, number> = { m: 60, h: 3600, d: 86_400, w: 604_800 }
const badRequest = (message: string): UpstreamReply => ({ status: 400, body: { message } })

function secondsOf(period: string): number | null {
  const match = /^(\d+)([mhdw])$/i.exec(period)
  return match ? Number(match[1]) * units[match[2]!.toLowerCase()]! : null
}

/** Simulates DefiLlama's coins API. Unknown coins are absent; a point may be earlier than requested. */
export function createDefiLlama(market: Market): Upstream {
  function find(key: string): Found | null {
    const [chain = '', rest = ''] = key.split(':')
    if (chain === 'coingecko') {
      const coin = market.coin(rest)
      return coin?.paprikaId ? { coin, decimals: undefined, confidence: 0.99 } : null
    }
    if (/^0x0{40}$/.test(rest) && (chain === 'ethereum' || chain === 'base')) {
      return { coin: market.coin('ethereum')!, decimals: 18, confidence: 0.99 }
    }
    const coin = market.coinOfContract(chain, rest)
    if (!coin) return null
    const confidence = coin.id === 'llama:taxed' ? 0.82 : coin.paprikaId === null ? 0.95 : 0.99
    return { coin, decimals: coin.platforms[chain]!.decimals, confidence }
  }

  /** Points lie on multiples of five minutes. */
  function pointOf({ coin }: Found, at: number): { timestamp: number; price: number } | null {
    const timestamp = Math.floor(at / 300) * 300
    const price = market.priceUsd(coin.id, timestamp)
    return price === null ? null : { timestamp, price }
  }

  function prices(keys: string, at: number): UpstreamReply {
    const coins: Record<string, unknown> = {}
    for (const key of keys.split(',')) {
      const found = find(key)
      const point = found && pointOf(found, at)
      if (!found || !point) continue
      const { decimals, confidence } = found
      coins[key] = {
        ...(decimals === undefined ? {} : { decimals }),
        symbol: found.coin.symbol.toUpperCase(),
        ...point,
        confidence,
      }
    }
    return ok({ coins })
  }

  function chart(keys: string, query: URLSearchParams, now: number): UpstreamReply {
    const step = secondsOf(query.get('period') ?? '24h')
    const span = Number(query.get('span') ?? 10)
    if (step === null || !Number.isInteger(span) || span < 1) return badRequest('invalid period or span')
    const end = Number(query.get('end') ?? now)
    const start = query.has('start') ? Number(query.get('start')) : end - (span - 1) * step
    const coins: Record<string, unknown> = {}
    for (const key of keys.split(',')) {
      const found = find(key)
      if (!found) continue
      const times = Array.from({ length: span }, (_, i) => start + i * step).filter((t) => t <= now)
      const points = times.filter((t) => !market.isGap(found.coin, t)).map((t) => pointOf(found, t))
      const { decimals, confidence } = found
      const symbol = found.coin.symbol.toUpperCase()
      coins[key] = {
        symbol,
        confidence,
        ...(decimals === undefined ? {} : { decimals }),
        prices: points.filter((p) => p !== null),
      }
    }
    return ok({ coins })
  }

  function batchHistorical(text: string | null): UpstreamReply {
    let asked: Record<string, number[]>
    try {
      asked = JSON.parse(text ?? '') as Record<string, number[]>
    } catch {
      return badRequest('coins is not a JSON object')
    }
    const coins: Record<string, unknown> = {}
    for (const [key, times] of Object.entries(asked)) {
      const found = find(key)
      const points = found ? times.map((t) => pointOf(found, t)).filter((p) => p !== null) : []
      if (!found || points.length === 0) continue
      const rows = points.map((p) => ({ ...p, confidence: found.confidence }))
      coins[key] = { symbol: found.coin.symbol.toUpperCase(), prices: rows }
    }
    return ok({ coins })
  }

  return ({ path, query, now }) => {
    const [first, second, third, fourth] = path
    if (first === 'prices' && second === 'current' && third) return prices(third, now)
    if (first === 'prices' && second === 'historical' && fourth)
      return prices(fourth, Math.min(Number(third), now))
    if (first === 'chart' && second) return chart(second, query, now)
    if (first === 'batchHistorical') return batchHistorical(query.get('coins'))
    return { status: 404, body: { message: 'Not Found' } }
  }
}
