import { createRandom, startDouble } from './double.ts'
import type { Asked, DoubleServer, FakeClock, Reply } from './double.ts'
import { createMeter } from './meter.ts'
import { HOLD_MS } from './polymarket-data.ts'
import type { PolymarketMarket } from './polymarket-market.ts'

/** docs.polymarket.com/api-reference/rate-limits: requests of an address in 10 s. */
export const LIMITS = { '/events': 500, '/markets': 300 } as const
const BOTH_LISTINGS = 900
/** docs: rows of a page, whatever is asked for. */
const EVENT_PAGE = 500
const MARKET_PAGE = 100
/** Polymarket/agents#227: the lists with an offset end there. */
const LAST_OFFSET = 2_000
const MOST_CONDITIONS = 100

export interface PolymarketGammaDouble extends DoubleServer {
  refused: number[]
}

const refusal = (text: string, status = 400): Reply => ({
  status,
  body: JSON.stringify({ type: 'validation error', error: text }),
})

/** Rows 34 and 36: Gamma, with lists by cursor and the older ones by offset. One event for each market. */
export async function startPolymarketGamma(options: {
  clock: FakeClock
  markets: readonly PolymarketMarket[]
  seed?: number
}): Promise<PolymarketGammaDouble> {
  const { clock, markets, seed = 1 } = options
  const refused: number[] = []
  const meter = createMeter(clock, [{ name: 'markets', most: LIMITS['/markets'], span: 10_000 }])
  const events = createMeter(clock, [{ name: 'events', most: LIMITS['/events'], span: 10_000 }])
  const both = createMeter(clock, [{ name: 'both', most: BOTH_LISTINGS, span: 10_000 }])

  function refuse(row: number, reply: Reply): Reply {
    refused.push(row)
    return reply
  }

  /** `cursor` is no parameter, and is ignored (Polymarket/agents#227). */
  function keyset<T>(asked: Asked, list: { name: string; rows: readonly T[]; most: number }): Reply {
    const { query } = asked
    if (query.has('offset')) return refuse(34, refusal('offset is not supported'))
    const after = query.get('after_cursor')
    const from = after === null ? 0 : Number(Buffer.from(after, 'base64url').toString())
    if (!Number.isInteger(from)) return refuse(34, refusal('after_cursor is invalid'))
    const limit = Math.min(Number(query.get('limit') ?? 20), list.most)
    const last = from + limit >= list.rows.length
    const next = last ? {} : { next_cursor: Buffer.from(String(from + limit)).toString('base64url') }
    return { body: { [list.name]: list.rows.slice(from, from + limit), ...next } }
  }

  function byOffset(asked: Asked, rows: readonly unknown[]): Reply {
    const offset = Number(asked.query.get('offset') ?? 0)
    if (offset > LAST_OFFSET) return refuse(34, refusal(`offset must be at most ${LAST_OFFSET}`))
    return { body: rows.slice(offset, offset + Math.min(Number(asked.query.get('limit') ?? 20), 100)) }
  }

  async function answer(asked: Asked): Promise<Reply> {
    const { path, query, address } = asked
    const own = path.startsWith('/markets') ? meter : events
    if (own.broken(address) || both.broken(address)) {
      refused.push(36)
      await clock.wait(HOLD_MS)
    }
    own.count(address)
    both.count(address)
    const random = createRandom(seed)
    const wanted = query.getAll('condition_ids')
    if (wanted.length > MOST_CONDITIONS) return refuse(34, refusal('condition_ids: at most 100'))
    const closed = query.get('closed') !== 'false'
    const found = markets.filter(
      (market) =>
        (market.state !== 'open') === closed && (wanted.length === 0 || wanted.includes(market.conditionId)),
    )
    const marketRows = () => found.map((market) => marketRow(market, random))
    const eventRows = () => found.map((market) => eventRow(market, random))
    if (path === '/events/keyset')
      return keyset(asked, { name: 'events', rows: eventRows(), most: EVENT_PAGE })
    if (path === '/markets/keyset')
      return keyset(asked, { name: 'markets', rows: marketRows(), most: MARKET_PAGE })
    if (path === '/events') return byOffset(asked, eventRows())
    if (path === '/markets') return byOffset(asked, marketRows())
    return refusal('not found', 404)
  }

  const server = await startDouble(answer)
  return { ...server, refused }
}

const iso = (seconds: number) => new Date(seconds * 1_000).toISOString()

/** Leaves out about a third of the optional fields. */
function thinned(fields: Record<string, unknown>, random: () => number): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(() => random() > 0.33))
}

function marketRow(market: PolymarketMarket, random: () => number): Record<string, unknown> {
  const { id, question, conditionId, version, tokens, startsAt, state, fills } = market
  const prices = { open: ['0.45', '0.55'], resolved: ['1', '0'], even: ['0.5', '0.5'] }[state]
  const volume = String(fills.reduce((sum, { size, price }) => sum + size * price, 0) / 2)
  const newest = fills[0]?.at ?? startsAt
  return {
    id,
    question,
    conditionId,
    slug: `market-${id}`,
    outcomes: '["Yes", "No"]',
    outcomePrices: JSON.stringify(prices),
    volume,
    volumeNum: Number(volume),
    active: true,
    closed: state !== 'open',
    version,
    // docs: migrate/polymarket-v2/api-integrations
    ...(version === 'v1'
      ? { clobTokenIds: JSON.stringify(tokens) }
      : { clobTokenIds: '[]', positionIds: tokens }),
    ...(state !== 'open' && {
      closedTime: iso(newest).replace('T', ' ').replace('.000Z', '+00'),
      umaResolutionStatus: 'resolved',
    }),
    ...thinned(
      {
        resolutionSource: '',
        endDate: iso(newest + 864_000),
        startDate: iso(startsAt),
        createdAt: iso(startsAt),
        updatedAt: iso(newest),
        image: `https://pictures.example/${id}.png`,
        description: `Resolves by question ${id}.`,
        groupItemTitle: '',
        orderPriceMinTickSize: 0.01,
        volume24hr: 12.5,
        volume1wk: 120.25,
        liquidityNum: 4321.5,
        lastTradePrice: 0.45,
        bestBid: 0.44,
        bestAsk: 0.46,
        negRisk: false,
      },
      random,
    ),
  }
}

function eventRow(market: PolymarketMarket, random: () => number): Record<string, unknown> {
  return {
    id: String(20_000 + Number(market.id)),
    slug: `event-${market.id}`,
    title: market.question,
    markets: [marketRow(market, random)],
    ...thinned(
      {
        description: '',
        startDate: iso(market.startsAt),
        endDate: iso(market.startsAt + 8_640_000),
        createdAt: iso(market.startsAt),
        creationDate: iso(market.startsAt),
        negRisk: false,
        tags: [{ id: '2', label: 'All', slug: 'all' }],
      },
      random,
    ),
  }
}
