import type { QuarantinedRow } from '../parse-rows.ts'

/** Venue data in one form. Prices are probabilities 0 to 1, money is USD; both are exact decimal texts. */

export type MarketStatus = 'open' | 'closed' | 'resolved' | 'cancelled'

export interface TagRow {
  slug: string
  label: string
}

export interface EventRow {
  venueEventId: string
  slug: string
  title: string
  url: string
  description: string | null
  imageUrl: string | null
  category: string | null
  tags: TagRow[]
  mutuallyExclusive: boolean
  resolutionSource: string | null
  startAt: Date | null
  endAt: Date | null
  /** null: the venue does not say */
  createdAt: Date | null
  updatedAt: Date | null
}

export interface OutcomeRow {
  venueOutcomeId: string
  name: string
  price: string
  /** what a share paid; null: not resolved */
  payout: string | null
}

export interface MarketRow {
  venueMarketId: string
  conditionId: string | null
  venueEventId: string | null
  slug: string
  question: string
  label: string | null
  url: string
  description: string | null
  imageUrl: string | null
  category: string | null
  tags: TagRow[]
  status: MarketStatus
  resolutionSource: string | null
  strikeType: string | null
  floorStrike: string | null
  capStrike: string | null
  tickSize: string | null
  /** of the first outcome */
  lastTradePrice: string | null
  bestBid: string | null
  bestAsk: string | null
  /** price times size; null: the venue does not state it, so it is summed from the trades */
  volume24hUsd: string | null
  volume7dUsd: string | null
  volumeTotalUsd: string | null
  /** what the traded contracts pay at most; null: the venue does not count contracts */
  notional24hUsd: string | null
  notionalTotalUsd: string | null
  liquidityUsd: string
  /** null: comes from another service of the venue */
  openInterestUsd: string | null
  /** absent: the venue does not say, so they are counted from fills */
  tradersCount?: number | null
  startAt: Date | null
  endAt: Date | null
  resolvedAt: Date | null
  createdAt: Date | null
  updatedAt: Date | null
  /** in the venue's order; `Yes` is not always first */
  outcomes: OutcomeRow[]
}

/** What a market has where its venue states nothing of it. */
export const UNSTATED = {
  conditionId: null,
  resolutionSource: null,
  strikeType: null,
  floorStrike: null,
  capStrike: null,
  tickSize: null,
  lastTradePrice: null,
  bestBid: null,
  bestAsk: null,
  volume24hUsd: null,
  volume7dUsd: null,
  volumeTotalUsd: null,
  notional24hUsd: null,
  notionalTotalUsd: null,
  liquidityUsd: '0',
  openInterestUsd: null,
} satisfies Partial<MarketRow>

/** One page of a venue's events with their markets; `next` is null on the last one. */
export interface VenuePage {
  events: EventRow[]
  markets: MarketRow[]
  quarantined: QuarantinedRow[]
  next: string | null
  /** It has all markets that trade: what it lacks has closed. */
  isWhole?: true
}

export interface TradeRow {
  /** identifies the fill at its venue; an equal key means the same fill */
  key: string
  at: Date
  /** position of the outcome in the market */
  outcome: number
  side: 'buy' | 'sell'
  price: string
  size: string
  trader: { address: string; name: string | null; avatarUrl: string | null } | null
  txHash: string | null
  /** two parties agreed on it beside the order book */
  isBlock: boolean
}

/** Fills from the newest to the oldest; `next` is null when the venue gives no older ones. */
export interface TradePage {
  trades: TradeRow[]
  quarantined: QuarantinedRow[]
  next: string | null
  /** Fills before an instant, and after another, that the venue does not give, and why. Absent: there are none. */
  gap?: { before: Date; after?: Date; reason: string }
}

export interface PricePoint {
  at: Date
  price: string
}

/** Levels with the best first. */
export interface OrderBook {
  bids: (readonly [price: string, size: string])[]
  asks: (readonly [price: string, size: string])[]
  tickSize: string | null
  at: Date
}

export interface HolderRow {
  outcome: number
  shares: string
  trader: NonNullable<TradeRow['trader']>
}

/** Identifies a market at its venue. */
export interface MarketRef {
  venueMarketId: string
  conditionId: string | null
  /** by position */
  outcomeIds: readonly string[]
  /** Kalshi's series, part of the path of its candles */
  series: string | null
}
