import type { Asked, FakeClock, Reply } from '../double.ts'
import { createMeter } from '../meter.ts'
import { type MarketCoin, usdAt } from './market.ts'
import { type RuledDouble, startRuled } from './ruled.ts'

interface Options {
  clock: FakeClock
  coins: readonly MarketCoin[]
}

/** Opens of candles in [fromMs, toMs], oldest first. The last may still be open. */
function opens(fromMs: number, toMs: number, stepMs: number): number[] {
  const first = Math.ceil(fromMs / stepMs) * stepMs
  return Array.from(
    { length: Math.max(0, Math.floor((toMs - first) / stepMs) + 1) },
    (_, n) => first + n * stepMs,
  )
}

/** What a candle closes at: the price at its end, or now if it is open. */
const closeOf = (coin: MarketCoin, openMs: number, step: { ms: number; nowMs: number }) =>
  String(usdAt(coin, Math.min(openMs + step.ms, step.nowMs)))

const marketOf = (coins: readonly MarketCoin[], name: string, quote: string) =>
  coins.find(({ symbol, isTraded }) => isTraded && symbol !== quote && `${symbol}${quote}` === name)

const BINANCE_STEPS: Record<string, number> = { '1h': 3_600_000, '1d': 86_400_000 }

export interface BinanceDouble extends RuledDouble {
  state: {
    /** Asked from a country that Binance does not serve. */
    isBarred: boolean
  }
}

/** Row 11: Binance's public candles. `others`: markets of coins that are none of these, each at a price of one. */
export async function startBinance({
  clock,
  coins,
  others = new Set(),
}: Options & { others?: ReadonlySet<string> }): Promise<BinanceDouble> {
  const state = { isBarred: false }
  // polyoxide-binance, measured; api-evangelist/binance for the ban.
  const weight = createMeter(clock, [{ name: 'minute', most: 6_000, span: 60_000 }])
  let bannedUntil = 0
  const server = await startRuled(
    [
      {
        row: 11,
        refuse({ address }) {
          if (state.isBarred)
            return {
              status: 451,
              body: {
                code: 0,
                msg: "Service unavailable from a restricted location according to 'b. Eligibility' in https://www.binance.com/en/terms.",
              },
            }
          const later = (status: number) => ({
            status,
            headers: { 'retry-after': '120' },
            body: '{"code":-1003,"msg":"Too much request weight used; current limit is 6000 request weight per 1 MINUTE."}',
          })
          if (clock.now() < bannedUntil) return later(418)
          if (!weight.take(address, 2)) return null
          bannedUntil = clock.now() + 120_000
          return later(429)
        },
      },
      {
        row: 11,
        refuse: ({ query }) =>
          marketOf(coins, query.get('symbol') ?? '', 'USDT') || others.has(query.get('symbol') ?? '')
            ? null
            : { status: 400, body: '{"code":-1121,"msg":"Invalid symbol."}' },
      },
    ],
    ({ path, query }): Reply => {
      if (path !== '/api/v3/klines') return { status: 404, body: '' }
      const coin = marketOf(coins, query.get('symbol')!, 'USDT')
      const ms = BINANCE_STEPS[query.get('interval') ?? '']!
      const limit = Math.min(1_000, Number(query.get('limit') ?? 500))
      const to = Math.min(clock.now(), Number(query.get('endTime') ?? clock.now()))
      const rows = opens(Number(query.get('startTime')), to, ms).slice(0, limit)
      const step = { ms, nowMs: clock.now() }
      return {
        body: rows.map((at) => {
          const close = coin ? closeOf(coin, at, step) : '1'
          return [at, close, close, close, close, '12.5', at + ms - 1, '1000', 42, '6', '500', '0']
        }),
      }
    },
  )
  return { ...server, state }
}

/** Kraken's own names of assets, which its answers use whatever was asked. */
const KRAKEN_NAMES: Record<string, string> = { XBT: 'BTC', XDG: 'DOGE' }
const KRAKEN_ROWS = 720

/** Row 12: docs.kraken.com/exchange/guides/general/historical-data */
export async function startKraken({ clock, coins }: Options): Promise<RuledDouble> {
  const errors = (text: string): Reply => ({ body: { error: [text] } })
  return startRuled([], ({ path, query }) => {
    if (path !== '/0/public/OHLC') return errors('EGeneral:Unknown method')
    const pair = query.get('pair') ?? ''
    const base = pair.replace(/USD$/, '')
    const coin = marketOf(coins, `${KRAKEN_NAMES[base] ?? base}USD`, 'USD')
    if (!coin) return errors('EQuery:Unknown asset pair')
    const ms = Number(query.get('interval') ?? 1) * 60_000
    const step = { ms, nowMs: clock.now() }
    // Always the newest 720, the last of them open. `since` only cuts.
    const rows = opens(0, clock.now(), ms)
      .slice(-KRAKEN_ROWS)
      .filter((at) => at > Number(query.get('since') ?? 0) * 1_000)
      .map((at) => {
        const close = closeOf(coin, at, step)
        return [at / 1_000, close, close, close, close, close, '3.1', 7]
      })
    const name = base.length === 3 ? `X${base}ZUSD` : pair
    return {
      body: { error: [], result: { [name]: rows, last: Math.floor(clock.now() / ms) * (ms / 1_000) } },
    }
  })
}

const COINBASE_ROWS = 300

/** Row 13: kernelwhisperer/privatefolio, its design notes */
export async function startCoinbase({ clock, coins }: Options): Promise<RuledDouble> {
  const productOf = ({ path }: Asked) => /^\/products\/([^/]+)\/candles$/.exec(path)?.[1] ?? ''
  const second = createMeter(clock, [{ name: 'second', most: 10, span: 1_000 }])
  const window = ({ query }: Asked) => ({
    from: Date.parse(query.get('start') ?? ''),
    to: Math.min(clock.now(), Date.parse(query.get('end') ?? '')),
    ms: Number(query.get('granularity')) * 1_000,
  })
  const coinOf = (asked: Asked) => marketOf(coins, productOf(asked).replace('-', ''), 'USD')
  return startRuled(
    [
      {
        row: 13,
        refuse: ({ address }) =>
          second.take(address) ? { status: 429, body: '{"message":"Public rate limit exceeded"}' } : null,
      },
      {
        row: 13,
        refuse: (asked) => (coinOf(asked) ? null : { status: 404, body: '{"message":"NotFound"}' }),
      },
      {
        row: 13,
        refuse(asked) {
          const { from, to, ms } = window(asked)
          return (to - from) / ms > COINBASE_ROWS
            ? {
                status: 400,
                body: '{"message":"granularity too small for the requested time range. Count of aggregations requested exceeds 300"}',
              }
            : null
        },
      },
      {
        row: 13,
        refuse: ({ query }) =>
          ['60', '300', '900', '3600', '21600', '86400'].includes(query.get('granularity') ?? '')
            ? null
            : { status: 400, body: '{"message":"Unsupported granularity"}' },
      },
    ],
    (asked) => {
      const { from, to, ms } = window(asked)
      const coin = coinOf(asked)!
      const step = { ms, nowMs: clock.now() }
      // Newest first; numbers, not texts.
      const rows = opens(from, to, ms).map((at) => {
        const close = Number(closeOf(coin, at, step))
        return [at / 1_000, close, close, close, close, 12.5]
      })
      return { body: rows.reverse() }
    },
  )
}
