import { startDouble } from './double.ts'
import type { Asked, DoubleServer, FakeClock, Reply } from './double.ts'
import { createMeter } from './meter.ts'
import { HOLD_MS } from './polymarket-data.ts'
import type { PolymarketMarket } from './polymarket-market.ts'

/** docs.polymarket.com/api-reference/rate-limits: requests of an address in 10 s. */
export const LIMITS = { '/book': 1_500, '/prices-history': 1_000 } as const
/** Six measurements of 2026-09: 15 days to the second, whatever the fidelity. */
const WIDEST_S = 1_296_000

export interface PolymarketClobDouble extends DoubleServer {
  refused: number[]
}

const error = (status: number, text: string): Reply => ({ status, body: JSON.stringify({ error: text }) })

/** Rows 35 and 36: the order book service. Positions of version 2 are asked for like tokens. */
export async function startPolymarketClob(options: {
  clock: FakeClock
  markets: readonly PolymarketMarket[]
}): Promise<PolymarketClobDouble> {
  const { clock, markets } = options
  const byToken = new Map(markets.flatMap((market) => market.tokens.map((token) => [token, market] as const)))
  const refused: number[] = []
  const meters = Object.fromEntries(
    Object.entries(LIMITS).map(([path, most]) => [
      path,
      createMeter(clock, [{ name: path, most, span: 10_000 }]),
    ]),
  )

  function history({ query }: Asked): Reply {
    const market = byToken.get(query.get('market') ?? '')
    const [from, to] = [Number(query.get('startTs')), Number(query.get('endTs'))]
    const step = Number(query.get('fidelity') ?? 1) * 60
    if (query.has('interval')) {
      // Polymarket/py-clob-client#216: a market that is over has nothing below twelve hours.
      if (market?.state !== 'open' && step < 43_200) {
        refused.push(35)
        return { body: '{"history":[]}' }
      }
    } else if (to - from > WIDEST_S) {
      refused.push(35)
      return error(400, "invalid filters: 'startTs' and 'endTs' interval is too long")
    }
    const first = Math.ceil(Math.max(from, market?.startsAt ?? Infinity) / step) * step
    const last = Math.min(to, clock.now() / 1_000)
    const points = []
    for (let at = first; at <= last; at += step) points.push({ t: at - 3, p: 0.44 + ((at / step) % 5) / 100 })
    return { body: { history: points } }
  }

  async function answer(asked: Asked): Promise<Reply> {
    const meter = meters[asked.path]
    if (!meter) return error(404, 'not found')
    if (meter.broken(asked.address)) {
      refused.push(36)
      await clock.wait(HOLD_MS)
    }
    meter.count(asked.address)
    if (asked.path === '/prices-history') return history(asked)
    const token = asked.query.get('token_id') ?? ''
    const market = byToken.get(token)
    if (market?.state !== 'open') return error(404, 'No orderbook exists for the requested token id')
    return { body: bookOf(market, { token, at: clock.now() }) }
  }

  const server = await startDouble(answer)
  return { ...server, refused }
}

/** Both sides from the worst to the best. */
function bookOf(market: PolymarketMarket, { token, at }: { token: string; at: number }) {
  return {
    market: market.conditionId,
    asset_id: token,
    timestamp: String(at),
    hash: 'bfb61f58dab4055d956eb5e758dbc9101c9a4e6c',
    bids: [
      { price: '0.01', size: '3147.19' },
      { price: '0.44', size: '100' },
    ],
    asks: [
      { price: '0.99', size: '73.68' },
      { price: '0.46', size: '7' },
    ],
    min_order_size: '5',
    tick_size: '0.01',
    neg_risk: false,
    last_trade_price: '0.45',
  }
}
