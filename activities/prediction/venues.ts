import type { KnownMarket } from '../../db/prediction/read-for-ingest.ts'
import type { PredictionVenue } from '../../db/prediction/tables.ts'
import { DAY_MS } from '../../db/values/periods.ts'
import type { PredictionSources } from './prediction-sources.ts'
import { KALSHI } from './sources/kalshi.ts'
import { LIMITLESS } from './sources/limitless.ts'
import { MANIFOLD } from './sources/manifold.ts'
import { POLYMARKET_DATA } from './sources/polymarket-data.ts'
import { POLYMARKET_GAMMA } from './sources/polymarket-gamma.ts'
import { PREDICTIT } from './sources/predictit.ts'
import type { HolderRow, OrderBook, PricePoint, TradePage, VenuePage } from './venue-data.ts'
import { complement } from './venue-fields.ts'

/** Names of a venue's lists: `current` lists change and are read on every run, `past` lists are read once. */
export interface VenueLists {
  current: readonly string[]
  past: readonly string[]
}

/** A market to ask for by its id. */
type MarketToCheck = Pick<KnownMarket, 'venueMarketId' | 'conditionId'>

interface HistoryWindow {
  market: KnownMarket
  /** position of the outcome */
  outcome: number
  minutes: 5 | 60
  fromMs: number
  toMs: number
}

/** What a venue gives, in one form. null: it does not give this */
export interface Venue {
  /** of its markets, and of their trades and details */
  sources: { markets: string; details: string }
  lists: VenueLists
  page: (request: { list: string; cursor: string | null }) => Promise<VenuePage>
  /** null: its list has all that trade */
  check: ((markets: readonly MarketToCheck[]) => Promise<VenuePage>) | null
  trades: ((request: { market: KnownMarket; cursor: string | null }) => Promise<TradePage>) | null
  /** What a fill is of a trade: a half where both sides are shown. */
  share: '0.5' | '1'
  /** of a market that trades */
  orderBooks: ((market: KnownMarket) => Promise<(OrderBook & { outcome: number })[]>) | null
  holders: ((market: KnownMarket) => Promise<HolderRow[]>) | null
  /** USD by condition, of many markets in one call */
  openInterest: ((conditionIds: readonly string[]) => Promise<Map<string, string>>) | null
  /** Prices of a window of at most `widestMs`; `isFine`: also in steps of five minutes. */
  history: {
    widestMs: number
    isFine: boolean
    read: (window: HistoryWindow) => Promise<PricePoint[]>
  } | null
}

export type Venues = Record<PredictionVenue, Venue>

export function createVenues(sources: PredictionSources): Venues {
  return {
    polymarket: {
      sources: { markets: POLYMARKET_GAMMA, details: POLYMARKET_DATA },
      lists: { current: ['open'], past: ['closed'] },
      page: ({ list, cursor }) => sources.gamma().events({ closed: list === 'closed', cursor }),
      check: (markets) =>
        sources.gamma().closedMarkets(markets.flatMap(({ conditionId }) => conditionId ?? [])),
      trades: (request) => sources.data().trades(request),
      share: '0.5',
      async orderBooks({ outcomeIds }) {
        const books = await Promise.all(
          outcomeIds.map(async (tokenId, outcome) => {
            const book = await sources.clob().orderBook(tokenId)
            return book ? [{ outcome, ...book }] : []
          }),
        )
        return books.flat()
      },
      holders: (market) => sources.data().holders(market),
      openInterest: (conditionIds) => sources.data().openInterest(conditionIds),
      history: {
        // It refuses wider windows.
        widestMs: 14 * DAY_MS,
        isFine: true,
        async read({ market, outcome, ...window }) {
          const tokenId = market.outcomeIds[outcome]!
          return (await sources.clob().history({ tokenId, ...window })).points
        },
      },
    },
    kalshi: {
      sources: { markets: KALSHI, details: KALSHI },
      lists: { current: ['open', 'closed'], past: ['settled', 'archive'] },
      page: ({ list, cursor }) =>
        list === 'archive'
          ? sources.kalshi().archivedMarkets({ cursor })
          : sources.kalshi().events({ status: list as 'open' | 'closed' | 'settled', cursor }),
      check: (markets) => sources.kalshi().markets(markets.map(({ venueMarketId }) => venueMarketId)),
      trades: (request) => sources.kalshi().trades(request),
      share: '1',
      orderBooks: async (market) => bothSides(await sources.kalshi().orderBook(market)),
      // It does not identify holders.
      holders: null,
      openInterest: null,
      history: {
        // At most 5,000 candles. Those of a minute take twenty times the bytes.
        widestMs: 200 * DAY_MS,
        isFine: false,
        read: (window) => readKalshi(sources, window),
      },
    },
    limitless: {
      sources: { markets: LIMITLESS, details: LIMITLESS },
      lists: { current: ['active'], past: [] },
      page: ({ cursor }) => sources.limitless().activeMarkets({ cursor }),
      check: (markets) => sources.limitless().markets(markets),
      trades: (request) => sources.limitless().trades(request),
      share: '1',
      async orderBooks(market) {
        const book = await sources.limitless().orderBook(market)
        return book ? bothSides(book) : []
      },
      holders: null,
      openInterest: null,
      history: {
        widestMs: 30 * DAY_MS,
        isFine: false,
        read: async (window) => (await sources.limitless().history(window)).points,
      },
    },
    predictit: {
      sources: { markets: PREDICTIT, details: PREDICTIT },
      lists: { current: ['all'], past: [] },
      page: () => sources.predictit().allMarkets(),
      check: null,
      trades: null,
      share: '1',
      orderBooks: null,
      holders: null,
      openInterest: null,
      history: null,
    },
    manifold: {
      sources: { markets: MANIFOLD, details: MANIFOLD },
      lists: { current: ['open'], past: [] },
      page: ({ cursor }) => sources.manifold().openMarkets({ cursor }),
      check: (markets) => sources.manifold().markets(markets),
      // Its bets are prices here, and no trades: what they move is no USD.
      trades: null,
      share: '1',
      // It trades against a pool.
      orderBooks: null,
      holders: null,
      openInterest: null,
      history: {
        widestMs: 366 * DAY_MS,
        isFine: false,
        read: (window) => sources.manifold().history(window),
      },
    },
  }
}

/** Markets that settled before the cutoff have their candles in the archive. */
async function readKalshi(
  sources: PredictionSources,
  { market, fromMs, toMs, minutes }: HistoryWindow,
): Promise<PricePoint[]> {
  const kalshi = sources.kalshi()
  const { resolvedAt } = market
  const settledAt = resolvedAt === null ? null : (await kalshi.cutoff()).settledAt
  const archived = resolvedAt !== null && settledAt !== null && resolvedAt < settledAt
  return (await kalshi.history({ market, fromMs, toMs, minutes, archived })).points
}

const bothSides = (orderBook: OrderBook) => [
  { outcome: 0, ...orderBook },
  { outcome: 1, ...complementOrderBook(orderBook) },
]

/** The order book of the other outcome: a bid for one outcome is an ask of the other. */
function complementOrderBook({ bids, asks, ...orderBook }: OrderBook): OrderBook {
  const flip = (levels: OrderBook['bids']) =>
    levels.map(([price, size]) => [complement(price), size] as const)
  return { ...orderBook, bids: flip(asks), asks: flip(bids) }
}
