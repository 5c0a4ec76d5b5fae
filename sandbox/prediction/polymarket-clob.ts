import { orderBookOf } from './order-book.ts'
import type { PredictionWorld } from './prediction-world.ts'
import { hashOf } from './traders.ts'
import { conditionOf, tokenOf } from './polymarket-ids.ts'
import { numberOf, ok, type Upstream } from '../upstream.ts'

const longest = 15 * 86_400

/** The order book service: order books with the worst level first, and price histories of narrow windows. */
export function createPolymarketClob({ markets: { polymarket: markets } }: PredictionWorld): Upstream {
  const byToken = new Map(
    markets.flatMap((market) => [0, 1].map((outcome) => [tokenOf(market, outcome), { market, outcome }])),
  )

  return ({ path, query, now }) => {
    const token = query.get('token_id') ?? query.get('market') ?? ''
    const found = byToken.get(token)
    if (path[0] === 'book') {
      if (!found || now >= found.market.endsAt)
        return { status: 404, body: { error: 'No orderbook exists for the requested token id' } }
      const { market, outcome } = found
      const { bids, asks } = orderBookOf(market, now)
      const text = (levels: { price: number; size: number }[], flip: boolean) =>
        levels
          .map(({ price, size }) => ({
            price: String(flip ? Number((1 - price).toFixed(4)) : price),
            size: String(size),
          }))
          .toReversed()
      return ok({
        market: conditionOf(market),
        asset_id: token,
        timestamp: String(Math.floor(now * 1000)),
        hash: hashOf(`${token} ${Math.floor(now / 300)}`).slice(2, 42),
        bids: outcome === 0 ? text(bids, false) : text(asks, true),
        asks: outcome === 0 ? text(asks, false) : text(bids, true),
        min_order_size: '5',
        tick_size: String(market.tick),
        neg_risk: market.topic.exclusive,
        last_trade_price: String(market.price(now)),
      })
    }
    if (path[0] === 'prices-history') {
      if (!found) return ok({ history: [] })
      const { market, outcome } = found
      const from = numberOf(query, 'startTs', { or: market.startsAt, max: now })
      const to = numberOf(query, 'endTs', { or: now, max: Infinity })
      const step = numberOf(query, 'fidelity', { or: 1, max: 1440 }) * 60
      if (to - from > longest)
        return { status: 400, body: { error: "invalid filters: 'startTs' and 'endTs' interval is too long" } }
      const history = []
      // Points are some seconds off the full minute.
      for (
        let t = Math.ceil(Math.max(from, market.startsAt) / step) * step;
        t <= Math.min(to, now, market.endsAt);
        t += step
      ) {
        const first = market.price(t)
        history.push({
          t: t + 4 <= now ? t - 3 : t,
          p: outcome === 0 ? first : Number((1 - first).toFixed(4)),
        })
      }
      return ok({ history })
    }
    return { status: 404, body: { error: 'not found' } }
  }
}
