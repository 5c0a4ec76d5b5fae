import { z } from 'zod'
import { formatDecimal, decimal, multiply } from '../../../db/values/decimal.ts'
import { parseRows } from '../../parse-rows.ts'
import type { EventRow, MarketRow, MarketStatus, VenuePage } from '../venue-data.ts'
import {
  amountField,
  complement,
  halfway,
  looseProbability,
  nameField,
  optionalDecimal,
  slugOf,
  textField,
  timeField,
} from '../venue-fields.ts'

const SITE = 'https://kalshi.com/markets'

const eventRow = z.object({
  event_ticker: nameField,
  series_ticker: textField,
  title: nameField,
  sub_title: textField,
  category: textField,
  mutually_exclusive: z.boolean().nullish(),
  last_updated_ts: timeField,
  settlement_sources: z.array(z.object({ name: textField, url: textField })).nullish(),
})

const marketRow = z.object({
  ticker: nameField,
  event_ticker: nameField,
  title: textField,
  yes_sub_title: textField,
  status: nameField,
  result: z.string().nullish(),
  settlement_value_dollars: looseProbability,
  open_time: timeField,
  close_time: timeField,
  created_time: timeField,
  updated_time: timeField,
  settlement_ts: timeField,
  is_provisional: z.boolean().nullish(),
  rules_primary: textField,
  strike_type: textField,
  floor_strike: optionalDecimal,
  cap_strike: optionalDecimal,
  last_price_dollars: looseProbability,
  yes_bid_dollars: looseProbability,
  yes_ask_dollars: looseProbability,
  volume_fp: amountField,
  volume_24h_fp: amountField,
  open_interest_fp: amountField,
  liquidity_dollars: amountField,
  notional_value_dollars: optionalDecimal,
  price_ranges: z.array(z.object({ step: optionalDecimal })).nullish(),
})
type KalshiMarket = z.infer<typeof marketRow>

/** Where a market was found. */
interface Listed {
  event: EventRow | null
  archived?: boolean
}

/**
 * Whether the result stands: a live market needs a time of settlement, and only settled ones are archived. The `status`
 * filter uses other words than rows.
 */
const isFinal = (row: KalshiMarket, archived: boolean): boolean =>
  ['finalized', 'settled'].includes(row.status) &&
  row.is_provisional !== true &&
  (row.settlement_ts !== null || archived)

/** What a contract of `yes` pays; null: nobody wins, and contracts are paid back. */
function payoutOf({ result, settlement_value_dollars }: KalshiMarket): string | null {
  if (result === 'yes') return '1'
  if (result === 'no') return '0'
  return result === 'void' ? null : settlement_value_dollars
}

function toEvent(row: z.infer<typeof eventRow>): EventRow {
  const tag = row.category && slugOf(row.category)
  const series = row.series_ticker ?? row.event_ticker.split('-')[0]!
  const [source] = row.settlement_sources ?? []
  return {
    venueEventId: row.event_ticker,
    slug: row.event_ticker.toLowerCase(),
    title: row.title,
    url: `${SITE}/${series.toLowerCase()}`,
    description: row.sub_title,
    imageUrl: null,
    category: row.category,
    tags: tag ? [{ slug: tag, label: row.category! }] : [],
    mutuallyExclusive: row.mutually_exclusive ?? false,
    resolutionSource: source?.url ?? source?.name ?? null,
    startAt: null,
    endAt: null,
    createdAt: null,
    updatedAt: row.last_updated_ts,
  }
}

/** Kalshi counts contracts, and each pays its notional value at most: their number in USD is no volume. */
function toMarket(row: KalshiMarket, { event, archived = false }: Listed): MarketRow {
  const notional = decimal(row.notional_value_dollars ?? '1')
  const usd = (contracts: string): string => formatDecimal(multiply(decimal(contracts), notional))
  const final = isFinal(row, archived)
  const payout = final ? payoutOf(row) : null
  const status = statusOf(row, { final, payout })
  const price = payout ?? currentPrice(row)
  const url = `${event?.url ?? `${SITE}/${row.ticker.split('-')[0]!.toLowerCase()}`}/${row.ticker.toLowerCase()}`
  return {
    venueMarketId: row.ticker,
    conditionId: null,
    venueEventId: row.event_ticker,
    slug: row.ticker.toLowerCase(),
    question: row.title ?? event?.title ?? row.ticker,
    label: row.yes_sub_title,
    url,
    description: row.rules_primary,
    imageUrl: null,
    category: event?.category ?? null,
    tags: event?.tags ?? [],
    status,
    resolutionSource: event?.resolutionSource ?? null,
    strikeType: row.strike_type,
    floorStrike: row.floor_strike,
    capStrike: row.cap_strike,
    tickSize: row.price_ranges?.[0]?.step ?? null,
    lastTradePrice: hasTraded(row) ? row.last_price_dollars : null,
    bestBid: status === 'open' && row.yes_bid_dollars !== '0' ? row.yes_bid_dollars : null,
    bestAsk: status === 'open' && row.yes_ask_dollars !== '1' ? row.yes_ask_dollars : null,
    volume24hUsd: null,
    volume7dUsd: null,
    volumeTotalUsd: null,
    notional24hUsd: usd(row.volume_24h_fp),
    notionalTotalUsd: usd(row.volume_fp),
    liquidityUsd: row.liquidity_dollars,
    openInterestUsd: usd(row.open_interest_fp),
    startAt: row.open_time,
    endAt: row.close_time,
    resolvedAt: final ? (row.settlement_ts ?? row.close_time) : null,
    createdAt: row.created_time,
    updatedAt: row.updated_time,
    outcomes: [
      { venueOutcomeId: 'yes', name: 'Yes', price, payout },
      { venueOutcomeId: 'no', name: 'No', price: complement(price), payout: payout && complement(payout) },
    ],
  }
}

function statusOf(
  { status }: KalshiMarket,
  { final, payout }: { final: boolean; payout: string | null },
): MarketStatus {
  if (status === 'active') return 'open'
  if (!final) return 'closed'
  return payout === null ? 'cancelled' : 'resolved'
}

const hasTraded = (row: KalshiMarket): boolean =>
  row.last_price_dollars !== null && row.last_price_dollars !== '0'

function currentPrice(row: KalshiMarket): string {
  if (hasTraded(row)) return row.last_price_dollars!
  return halfway(row.yes_bid_dollars ?? '0', row.yes_ask_dollars ?? '1')
}

export function readKalshiEvents(rows: readonly unknown[]): Omit<VenuePage, 'next'> {
  const page: Omit<VenuePage, 'next'> = { events: [], markets: [], quarantined: [] }
  for (const raw of rows) {
    const parsed = parseRows(eventRow, [raw])
    page.quarantined.push(...parsed.quarantined)
    const event = parsed.rows[0] ? toEvent(parsed.rows[0]) : null
    if (event) page.events.push(event)
    const inside = (raw as { markets?: unknown } | null)?.markets
    const { markets, quarantined } = readKalshiMarkets(Array.isArray(inside) ? inside : [], { event })
    page.markets.push(...markets)
    page.quarantined.push(...quarantined)
  }
  return page
}

export function readKalshiMarkets(
  rows: readonly unknown[],
  listed: Listed,
): Pick<VenuePage, 'markets' | 'quarantined'> {
  const { rows: good, quarantined } = parseRows(marketRow, rows)
  return { markets: good.map((row) => toMarket(row, listed)), quarantined }
}
