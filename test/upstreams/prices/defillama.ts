import type { Asked, FakeClock, Reply } from '../double.ts'
import { createMeter } from '../meter.ts'
import { type MarketCoin, usdAt } from './market.ts'
import { partsOf, type RuledDouble, startRuled } from './ruled.ts'

/** One client says that a call returns at most this many points. */
const MOST_POINTS = 500
const UNITS: Record<string, number> = { m: 60, h: 3_600, d: 86_400 }

export interface DefiLlamaDouble extends RuledDouble {
  state: {
    /** CoinGecko ids that it does not know. */
    unknown: Set<string>
    /** Coins have no sample before this instant. */
    startMs: number
    isDown: boolean
  }
}

/** Rows 9 and 10: DefiLlama's coins API. */
export async function startDefiLlama(options: {
  clock: FakeClock
  coins: readonly MarketCoin[]
}): Promise<DefiLlamaDouble> {
  const { clock, coins } = options
  const state = { unknown: new Set<string>(), startMs: 0, isDown: false }
  const second = createMeter(clock, [{ name: 'second', most: 5, span: 1_000 }])
  const server = await startRuled(
    [
      {
        row: 10,
        refuse({ address, path, query }) {
          if (state.isDown)
            return { status: 502, headers: { 'content-type': 'text/html' }, body: '<html>502</html>' }
          // DefiLlama/dimension-adapters#4029; the number is folklore.
          if (second.take(address)) return { status: 429, body: 'Too Many Requests' }
          return path.length + query.toString().length > 8_192 ? { status: 414, body: 'URI Too Long' } : null
        },
      },
      {
        row: 9,
        refuse(asked) {
          const [first, keys = ''] = partsOf(asked)
          const span = Number(asked.query.get('span') ?? 10)
          return first === 'chart' && span * keys.split(',').length > MOST_POINTS
            ? { status: 400, body: { message: 'Too many points requested' } }
            : null
        },
      },
    ],
    (asked) => answer(asked, { coins, state, nowS: clock.now() / 1_000 }),
  )
  return { ...server, state }
}

interface World {
  coins: readonly MarketCoin[]
  state: DefiLlamaDouble['state']
  nowS: number
}

function answer(asked: Asked, world: World): Reply {
  const [first, second, third] = partsOf(asked)
  const keys = (first === 'prices' ? third : second)?.split(',') ?? []
  if (first === 'prices' && second === 'current')
    return { body: { coins: eachKnown(keys, world, (coin) => sample(coin, world, world.nowS)) } }
  if (first === 'chart')
    return {
      body: { coins: eachKnown(keys, world, (coin) => ({ prices: points(coin, asked.query, world) })) },
    }
  return { status: 404, body: { message: 'Not Found' } }
}

/** Unknown coins are absent, `coingecko:` ones have no decimals, some have no confidence. The key comes back as sent. */
function eachKnown(
  keys: readonly string[],
  { coins, state }: World,
  of: (coin: MarketCoin) => Record<string, unknown> | null,
): Record<string, unknown> {
  return Object.fromEntries(
    keys.flatMap((key) => {
      const [chain, id = ''] = key.split(':')
      const coin = coins.find(({ geckoId, contract }) =>
        chain === 'coingecko' ? geckoId === id : chain === 'ethereum' && contract === id.toLowerCase(),
      )
      if (!coin || state.unknown.has(coin.geckoId)) return []
      const found = of(coin)
      if (!found) return []
      const decimals = chain === 'coingecko' ? {} : { decimals: 18 }
      const confidence = coin.geckoId.length % 5 === 0 ? {} : { confidence: 0.99 }
      return [[key, { ...decimals, symbol: coin.symbol, ...found, ...confidence }]]
    }),
  )
}

/** `timestamp` is that of the sample, some seconds from the asked instant, and before or after it. */
function sample(coin: MarketCoin, { state, nowS }: World, askedS: number) {
  const timestamp = Math.min(Math.floor(nowS), Math.round(askedS) + ((coin.geckoId.length * 37) % 240) - 120)
  if (timestamp * 1_000 < state.startMs || nowS - timestamp < 0) return null
  return { timestamp, price: usdAt(coin, askedS * 1_000) }
}

function points(coin: MarketCoin, query: URLSearchParams, world: World) {
  const [, count = '', unit = ''] = /^(\d+)([mhd])$/.exec(query.get('period') ?? '24h') ?? []
  const step = Number(count) * UNITS[unit]!
  const start = Number(query.get('start'))
  const wanted = Array.from({ length: Number(query.get('span') ?? 10) }, (_, n) => start + n * step)
  return wanted.flatMap((at) => (at > world.nowS ? [] : (sample(coin, world, at) ?? [])))
}
