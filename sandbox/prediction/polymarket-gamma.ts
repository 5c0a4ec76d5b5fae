import { phaseOf, type PredictionWorld, type SandboxMarket, volumeOf } from './prediction-world.ts'
import type { Topic } from './question.ts'
import { conditionOf, marketSlug, slugOf, tokenOf } from './polymarket-ids.ts'
import { isoMs, isoSeconds, numberOf, ok, type Upstream, type UpstreamReply } from '../upstream.ts'

const day = 86_400
/** "2025-11-01 06:28:08+00": not ISO 8601. */
const oddTime = (at: number): string => isoSeconds(at).replace('T', ' ').replace('Z', '+00')

/** Gamma: events and markets paged by cursor; lists inside strings, dates in several formats. */
export function createPolymarketGamma({ markets: { polymarket: markets } }: PredictionWorld): Upstream {
  const topics = [...new Set(markets.map(({ topic }) => topic))]
  const eventIds = new Map(topics.map((topic, i) => [topic, String(20_000 + i)]))
  const inTopic = Map.groupBy(markets, ({ topic }) => topic)

  function eventOf(topic: Topic) {
    return {
      id: eventIds.get(topic)!,
      ticker: slugOf(topic.title),
      slug: slugOf(topic.title),
      title: topic.title,
      description: `Markets on: ${topic.title}`,
      resolutionSource: topic.resolutionSource,
      startDate: isoMs(topic.startsAt),
      creationDate: isoMs(topic.startsAt),
      endDate: isoSeconds(Math.max(...inTopic.get(topic)!.map(({ endsAt }) => endsAt))),
      image: `https://polymarket.example/events/${topic.key.toLowerCase()}.png`,
      active: true,
      archived: false,
      negRisk: topic.exclusive,
      tags: [
        { id: '1', label: topic.category, slug: slugOf(topic.category) },
        { id: '2', label: 'All', slug: 'all' },
        ...(topic.category === 'Crypto' ? [{ id: '21', label: 'Crypto Prices', slug: 'crypto-prices' }] : []),
      ],
      createdAt: isoMs(topic.startsAt - 3600),
      updatedAt: isoMs(topic.startsAt),
    }
  }

  function marketRow(market: SandboxMarket, now: number) {
    const phase = phaseOf(market, now)
    const closed = phase === 'ended' || phase === 'settled'
    const price = market.price(Math.min(now, market.endsAt))
    const settled = market.result === null ? ['0.5', '0.5'] : market.result ? ['1', '0'] : ['0', '1']
    const prices = phase === 'settled' ? settled : [String(price), String(Number((1 - price).toFixed(4)))]
    const total = volumeOf(market, { now })
    const dayVolume = volumeOf(market, { now, since: now - day }).usd
    return {
      id: String(500_000 + market.number),
      question: market.question,
      conditionId: conditionOf(market),
      slug: marketSlug(market),
      resolutionSource: '',
      endDate: isoSeconds(market.endsAt),
      startDate: isoMs(market.startsAt),
      image: `https://polymarket.example/markets/${market.number}.png`,
      description: market.rules,
      outcomes: JSON.stringify(market.outcomes),
      outcomePrices: JSON.stringify(prices),
      clobTokenIds: JSON.stringify([tokenOf(market, 0), tokenOf(market, 1)]),
      volume: String(total.usd),
      volumeNum: total.usd,
      volume24hr: dayVolume,
      volume1wk: volumeOf(market, { now, since: now - 7 * day }).usd,
      liquidity: closed ? '0' : String(1_200 + (market.number % 17) * 310.5),
      liquidityNum: closed ? 0 : 1_200 + (market.number % 17) * 310.5,
      // Stays true when a market has ended.
      active: true,
      closed,
      ...(closed && { closedTime: oddTime(phase === 'settled' ? market.settledAt : market.endsAt) }),
      ...(closed && { umaResolutionStatus: phase === 'settled' ? 'resolved' : 'proposed' }),
      ...(phase === 'settled' && { umaEndDate: isoSeconds(market.settledAt) }),
      groupItemTitle: market.label,
      createdAt: isoMs(market.startsAt - 1800),
      updatedAt: isoMs(Math.floor(Math.min(now, market.settledAt) / 300) * 300),
      enableOrderBook: true,
      orderPriceMinTickSize: market.tick,
      orderMinSize: 5,
      acceptingOrders: !closed,
      negRisk: market.topic.exclusive,
      ...(total.usd > 0 && { lastTradePrice: price }),
      ...(phase === 'open' && {
        bestBid: Number((price - market.tick).toFixed(4)),
        bestAsk: Number((price + market.tick).toFixed(4)),
        spread: market.tick * 2,
      }),
    }
  }

  /** Cursors are opaque: the encoded row number. An event is `closed` when all its markets are. */
  function page<T>(
    rows: readonly T[],
    query: URLSearchParams,
    name: string,
    render: (row: T) => unknown,
  ): UpstreamReply {
    if (query.has('offset'))
      return {
        status: 422,
        body: { type: 'validation error', error: 'offset is not supported, use after_cursor' },
      }
    const start = Number(Buffer.from(query.get('after_cursor') ?? '', 'base64url').toString() || 0)
    const limit = numberOf(query, 'limit', { or: 20, max: 100 })
    const next = start + limit < rows.length && {
      next_cursor: Buffer.from(String(start + limit)).toString('base64url'),
    }
    return ok({ [name]: rows.slice(start, start + limit).map(render), ...next })
  }

  return ({ path, query, now }) => {
    // A missing `closed` means true, although the documentation says otherwise.
    const closed = query.get('closed') !== 'false'
    const isClosed = (market: SandboxMarket): boolean => now >= market.endsAt
    const visible = markets.filter((market) => phaseOf(market, now) !== 'ahead')
    if (path.join('/') === 'events/keyset') {
      const rows = topics.filter((topic) => {
        const inside = inTopic.get(topic)!.filter((market) => visible.includes(market))
        return inside.length > 0 && inside.every(isClosed) === closed
      })
      return page(rows, query, 'events', (topic) => ({
        ...eventOf(topic),
        closed,
        markets: inTopic
          .get(topic)!
          .filter((market) => visible.includes(market))
          .map((market) => marketRow(market, now)),
      }))
    }
    if (path.join('/') === 'markets/keyset') {
      const wanted = new Set(query.getAll('condition_ids'))
      const rows = visible.filter(
        (market) => isClosed(market) === closed && (wanted.size === 0 || wanted.has(conditionOf(market))),
      )
      return page(rows, query, 'markets', (market) => ({
        ...marketRow(market, now),
        events: [eventOf(market.topic)],
      }))
    }
    return { status: 404, body: { type: 'not found error', error: 'not found' } }
  }
}
