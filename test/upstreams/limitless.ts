import { type Asked, type DoubleServer, type FakeClock, type Reply, startDouble } from './double.ts'
import { createMeter } from './meter.ts'

/** docs.limitless.exchange/api-reference: calls begin 300 ms apart. */
export const APART_MS = 300
/** ccxt: prediction/limitless.js; each of these rows was seen by it. */
const MOST = { markets: 25, events: 100 }
const HOUR_MS = 3_600_000

export interface LimitlessTrade {
  txHash: string
  atMs: number
  outcome: 'yes' | 'no'
  side: 0 | 1
  price: number
  /** base units of USDC */
  matchedSize: string
  makerAmount: string
  takerAmount: string
}

export interface LimitlessMarket {
  id: number
  slug: string
  title: string
  /** a group has this many children of the same row */
  children?: LimitlessMarket[]
  isPool?: boolean
  collateral?: string
  status: string
  expired?: boolean
  winner: 0 | 1 | null
  prices: [number, number]
  createdAtMs: number
  expiresAtMs: number
  trades: LimitlessTrade[]
}

interface LimitlessDouble extends DoubleServer {
  state: {
    /** markets that are gone, whatever is asked */
    removed: Set<string>
    historyShape: 'data' | 'prices'
    isPaced: boolean
  }
  refused: string[]
}

const tokenOf = (market: LimitlessMarket, outcome: 'yes' | 'no') =>
  `${market.id}0000000000000000000000000000000000000000000000000000000000000000${outcome === 'yes' ? 1 : 2}`

const volumeOf = ({ trades }: LimitlessMarket) =>
  trades.reduce((sum, { matchedSize, price }) => sum + BigInt(Math.round(Number(matchedSize) * price)), 0n)

/** Unknown fields, and those that our adapter does not read, come as the venue sends them. */
function rowOf(market: LimitlessMarket): Record<string, unknown> {
  const volume = volumeOf(market)
  const described = {
    id: String(market.id),
    slug: market.slug,
    title: market.title,
    proxyTitle: null,
    description: `<p>This market resolves to <b>Yes</b> if ${market.slug} happens &amp; to No otherwise.</p>`,
    expirationDate: new Date(market.expiresAtMs).toDateString(),
    // Sent as text by some endpoints and as a number by others.
    expirationTimestamp: market.id % 2 === 0 ? market.expiresAtMs : String(market.expiresAtMs),
    createdAt: new Date(market.createdAtMs).toISOString(),
    updatedAt: new Date(market.createdAtMs + HOUR_MS).toISOString(),
    categories: ['Politics'],
    tags: ['Limitless', 'Elections'],
    status: market.status,
    creator: { name: 'Limitless', imageURI: 'https://limitless.exchange/logo.svg', link: 'https://x.com' },
    imageUrl: null,
    logo: `https://cdn.limitless.exchange/${market.id}.png`,
  }
  if (market.children)
    return { ...described, marketType: 'group', markets: market.children.map((one) => childOf(market, one)) }
  return {
    ...described,
    automationType: 'manual',
    conditionId: `0x${market.id.toString(16).padStart(64, '0')}`,
    negRiskRequestId: null,
    collateralToken: {
      address: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
      decimals: '6',
      symbol: market.collateral ?? 'USDC',
    },
    expired: market.expired ?? false,
    hidden: false,
    volume: String(volume),
    volumeFormatted: (Number(volume) / 1e6).toFixed(6),
    tokens: { yes: tokenOf(market, 'yes'), no: tokenOf(market, 'no') },
    prices: market.prices,
    tradeType: market.isPool ? 'amm' : 'clob',
    ...(market.isPool && { liquidity: '5000000', liquidityFormatted: '5.000000' }),
    venue: { exchange: '0x05c748E2f4DcDe0ec9Fa8DDc40DE6b867f923fa5', adapter: null },
    marketType: 'single',
    winningOutcomeIndex: market.winner,
    settings: { minSize: '100000000', maxSpread: '0.035' },
  }
}

const childOf = (group: LimitlessMarket, child: LimitlessMarket) => ({
  ...rowOf(child),
  negRiskRequestId: `0x${group.id.toString(16).padStart(64, 'a')}`,
})

const refusal = (status: number, message: string): Reply => ({
  status,
  body: { statusCode: status, message, error: status === 404 ? 'Not Found' : 'Bad Request' },
})

/** The public part of Limitless' API, as its documents, ccxt and its clients have it. */
export async function startLimitless(options: {
  clock: FakeClock
  markets: LimitlessMarket[]
}): Promise<LimitlessDouble> {
  const { clock, markets } = options
  const state: LimitlessDouble['state'] = {
    removed: new Set(),
    historyShape: 'data',
    isPaced: true,
  }
  const refused: string[] = []
  // Two may be under way at once, so that the later one arrives with the earlier one.
  const pace = createMeter(clock, [{ name: 'calls', most: 3, span: 2 * APART_MS }])

  const refuse = (reply: Reply): Reply => {
    refused.push(String((reply.body as { message: string }).message))
    return reply
  }
  /** Markets with the group that they belong to. */
  const single = (): { market: LimitlessMarket; group: LimitlessMarket | null }[] =>
    markets.flatMap((one) =>
      one.children
        ? one.children.map((market) => ({ market, group: one }))
        : [{ market: one, group: null as LimitlessMarket | null }],
    )
  const isActive = (one: LimitlessMarket): boolean =>
    one.children ? one.children.some(isActive) : one.status === 'FUNDED' && one.expired !== true

  function paged(asked: Asked, most: number): { from: number; limit: number; page: number } | null {
    const [page, limit] = [Number(asked.query.get('page') ?? 1), Number(asked.query.get('limit') ?? 10)]
    return Number.isInteger(page) && page > 0 && limit > 0 && limit <= most
      ? { from: (page - 1) * limit, limit, page }
      : null
  }

  function events(asked: Asked, market: LimitlessMarket): Reply {
    const at = paged(asked, MOST.events)
    if (!at) return refuse(refusal(400, 'limit must not be greater than 100'))
    const rows = market.trades.map((trade) => ({
      createdAt: new Date(trade.atMs).toISOString(),
      makerAmount: trade.makerAmount,
      matchedSize: trade.matchedSize,
      price: trade.price,
      profile: { account: '0x0572B4Aa431e730d1d19cc7CFea7D6C0Bc07096f' },
      side: trade.side,
      takerAmount: trade.takerAmount,
      title: '',
      tokenId: tokenOf(market, trade.outcome),
      txHash: trade.txHash,
    }))
    const { from, limit, page } = at
    return {
      body: {
        events: rows.slice(from, from + limit),
        limit,
        page,
        totalPages: Math.ceil(rows.length / limit),
        totalRows: rows.length,
      },
    }
  }

  function history(asked: Asked, market: LimitlessMarket): Reply {
    const [from, to] = ['from', 'to'].map((name) => Date.parse(asked.query.get(name) ?? ''))
    if (!(from! < to!) || !['1h', '6h', '1d', '1w', '1m', 'all'].includes(asked.query.get('interval') ?? ''))
      return refuse(refusal(400, 'from, to and interval'))
    const points = market.trades
      .filter(({ atMs, outcome }) => outcome === 'yes' && atMs >= from! && atMs <= to!)
      .map(({ atMs, price }) => ({ price, timestamp: atMs }))
    // Newest first.
    return { body: { [state.historyShape]: points } }
  }

  function route(asked: Asked): Reply {
    if (asked.path === '/markets/active') {
      const at = paged(asked, MOST.markets)
      if (!at) return refuse(refusal(400, 'limit must not be greater than 25'))
      const active = markets
        .filter((one) => isActive(one) && !state.removed.has(one.slug))
        .toSorted((a, b) => b.createdAtMs - a.createdAtMs)
      return {
        body: {
          data: active.slice(at.from, at.from + at.limit).map(rowOf),
          totalMarketsCount: active.length,
        },
      }
    }
    const [, root, slug, part] = asked.path.split('/')
    if (root !== 'markets') return refuse(refusal(404, `Cannot GET ${asked.path}`))
    const found = single().find(({ market: one }) => one.slug === slug)
    if (!found || state.removed.has(slug!)) return refusal(404, `Market ${slug} not found`)
    const { market, group } = found
    if (part === undefined) return { body: group ? childOf(group, market) : rowOf(market) }
    if (part === 'events') return events(asked, market)
    if (part === 'historical-price') return history(asked, market)
    if (part !== 'orderbook') return refuse(refusal(404, `Cannot GET ${asked.path}`))
    if (market.isPool) return refusal(400, 'Market is not a CLOB market')
    return {
      body: {
        // In no order that may be relied on.
        bids: [
          { price: '0.1', size: '1000000', side: 'BUY' },
          { price: '0.14', size: '12360330000', side: 'BUY' },
        ],
        asks: [
          { price: '0.996', size: '5555000000', side: 'SELL' },
          { price: '0.161', size: '222000000', side: 'SELL' },
        ],
        tokenId: tokenOf(market, 'yes'),
        adjustedMidpoint: '0.1505',
        midpoint: '0.1505',
        lastTradePrice: '0.161',
      },
    }
  }

  function answer(asked: Asked): Reply {
    if (state.isPaced && pace.take(asked.address))
      return refuse({ status: 429, body: { message: 'Too Many Requests' } })
    return route(asked)
  }

  return { ...(await startDouble(answer)), state, refused }
}
