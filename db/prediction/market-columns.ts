import type { CopyValue } from '../copy-rows.ts'
import type { PredictionStatus, PredictionVenue } from './tables.ts'

export interface StoredTag {
  slug: string
  label: string
}

export interface StoredEvent {
  venueEventId: string
  slug: string
  title: string
  url: string
  description: string | null
  imageUrl: string | null
  category: string | null
  tags: readonly StoredTag[]
  mutuallyExclusive: boolean
  resolutionSource: string | null
  startAt: Date | null
  endAt: Date | null
  createdAt: Date | null
  updatedAt: Date | null
}

export interface StoredMarket extends Omit<StoredEvent, 'venueEventId' | 'title' | 'mutuallyExclusive'> {
  venueMarketId: string
  conditionId: string | null
  venueEventId: string | null
  question: string
  label: string | null
  status: PredictionStatus
  strikeType: string | null
  floorStrike: string | null
  capStrike: string | null
  tickSize: string | null
  lastTradePrice: string | null
  bestBid: string | null
  bestAsk: string | null
  volume24hUsd: string | null
  volume7dUsd: string | null
  volumeTotalUsd: string | null
  notional24hUsd: string | null
  notionalTotalUsd: string | null
  liquidityUsd: string
  openInterestUsd: string | null
  resolvedAt: Date | null
  /** absent: the venue does not say */
  tradersCount?: number | null
  outcomes: readonly { venueOutcomeId: string; name: string; price: string; payout: string | null }[]
}

export type Column<T> = readonly [name: string, value: (row: T) => CopyValue]

export const EVENT_COLUMNS: readonly Column<StoredEvent>[] = [
  ['title', (row) => row.title],
  ['url', (row) => row.url],
  ['description', (row) => row.description],
  ['image_url', (row) => row.imageUrl],
  ['category', (row) => row.category],
  ['tags', (row) => row.tags.map(({ slug }) => slug)],
  ['mutually_exclusive', (row) => row.mutuallyExclusive],
  ['resolution_source', (row) => row.resolutionSource],
  ['start_at', (row) => row.startAt],
  ['end_at', (row) => row.endAt],
]

export const MARKET_COLUMNS: readonly Column<StoredMarket>[] = [
  ['condition_id', (row) => row.conditionId],
  ['question', (row) => row.question],
  ['label', (row) => row.label],
  ['url', (row) => row.url],
  ['description', (row) => row.description],
  ['image_url', (row) => row.imageUrl],
  ['status', (row) => row.status],
  ['resolution_source', (row) => row.resolutionSource],
  ['strike_type', (row) => row.strikeType],
  ['floor_strike', (row) => row.floorStrike],
  ['cap_strike', (row) => row.capStrike],
  ['tick_size', (row) => row.tickSize],
  ['last_trade_price', (row) => row.lastTradePrice],
  ['best_bid', (row) => row.bestBid],
  ['best_ask', (row) => row.bestAsk],
  ['liquidity_usd', (row) => row.liquidityUsd],
  ['start_at', (row) => row.startAt],
  ['end_at', (row) => row.endAt],
  ['resolved_at', (row) => row.resolvedAt],
]

/**
 * What each venue states of its trading. Other volumes are summed from trades; PredictIt has neither, and what Manifold
 * states is no USD.
 */
export const STATED_COLUMNS: Record<PredictionVenue, readonly Column<StoredMarket>[]> = {
  polymarket: [
    ['volume_24h_usd', (row) => row.volume24hUsd],
    ['volume_total_usd', (row) => row.volumeTotalUsd],
  ],
  kalshi: [
    ['notional_24h_usd', (row) => row.notional24hUsd],
    ['notional_total_usd', (row) => row.notionalTotalUsd],
  ],
  limitless: [['volume_total_usd', (row) => row.volumeTotalUsd]],
  predictit: [],
  manifold: [['traders_count', (row) => row.tradersCount ?? null]],
}

/** Columns that only some responses of a venue fill. A response without them keeps the stored values. */
export const SOMETIMES: readonly Column<StoredMarket>[] = [
  ['category', (row) => row.category],
  ['tags', (row) => row.tags.map(({ slug }) => slug)],
  ['volume_7d_usd', (row) => row.volume7dUsd],
  ['open_interest_usd', (row) => row.openInterestUsd],
]
