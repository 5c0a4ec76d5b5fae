import { z } from 'zod'
import { decimalField, isoField, secondsField } from '../../fields.ts'
import type { HttpClient } from '../../http-client.ts'
import { parseRows, type QuarantinedRow } from '../../parse-rows.ts'
import { sortLevels } from '../sort-levels.ts'
import type { OrderBook, MarketRef, PricePoint, TradePage, VenuePage } from '../venue-data.ts'
import { complement, halfway, looseProbability, probabilityField, timeField } from '../venue-fields.ts'
import { readKalshiEvents, readKalshiMarkets } from './kalshi-market.ts'

export const KALSHI = 'kalshi'
export const EVENTS_PAGE = 200
const TRADES_PAGE = 1_000

const list = z
  .array(z.unknown())
  .nullish()
  .transform((rows) => rows ?? [])
const cursor = z.string().nullish()
const size = decimalField

const takerSide = z.enum(['yes', 'no']).nullish()

const tradeRow = z.object({
  trade_id: z.string().min(1),
  created_time: isoField,
  count_fp: size,
  yes_price_dollars: probabilityField,
  no_price_dollars: probabilityField.nullish(),
  taker_outcome_side: takerSide,
  taker_side: takerSide,
  is_block_trade: z.boolean().nullish(),
})
/** Dollars as text; a number would be one of the cents that Kalshi sent until March 2026. */
const dollars = z
  .unknown()
  .optional()
  .transform((value): string | null =>
    typeof value === 'string' && value.includes('.') ? (looseProbability.parse(value) ?? null) : null,
  )
/** Archived candles name their fields without the suffix. A period without a trade has only the price before it. */
const candleSide = z
  .object({ close_dollars: dollars, close: dollars, previous_dollars: dollars, previous: dollars })
  .nullish()
  .transform((side) => ({
    close: side?.close_dollars ?? side?.close ?? null,
    previous: side?.previous_dollars ?? side?.previous ?? null,
  }))
const candleRow = z.object({
  end_period_ts: secondsField,
  price: candleSide,
  yes_bid: candleSide,
  yes_ask: candleSide,
})
const levels = z
  .array(z.tuple([probabilityField, size]))
  .nullish()
  .transform((rows) => rows ?? [])
const cutoffAnswer = z.object({ trades_created_ts: timeField, market_settled_ts: timeField })
/** For how long the cutoff is remembered. */
export const CUTOFF_SECONDS = 600

interface Cutoff {
  tradesAt: Date | null
  settledAt: Date | null
}

/** Prefix of cursors into the archive, where a walk continues after the live trades. */
const ARCHIVE = 'archive:'

/** Kalshi's trade API v2. Settled markets and old trades move to `/historical` after about three months. */
export function createKalshi({ http, url, now }: { http: HttpClient; url: string; now: () => Date }) {
  const get = <T>(path: string, schema: z.ZodType<T>): Promise<T> =>
    http.fetchJson({ source: KALSHI, url: url + path, schema })

  const tradePage = z.object({ trades: list, cursor })
  const seriesOf = ({ series, venueMarketId }: MarketRef) => series ?? venueMarketId.split('-')[0]!

  /** One page of fills, newest first; the archive follows the live ones. Kalshi does not identify traders. */
  async function trades({
    market,
    cursor: at,
  }: {
    market: MarketRef
    cursor: string | null
  }): Promise<TradePage> {
    const archived = at?.startsWith(ARCHIVE) ?? false
    const query = new URLSearchParams({ ticker: market.venueMarketId, limit: String(TRADES_PAGE) })
    const place = archived ? at!.slice(ARCHIVE.length) : at
    if (place) query.set('cursor', place)
    const answer = await get(`${archived ? '/historical' : '/markets'}/trades?${query.toString()}`, tradePage)
    const { rows, quarantined } = parseRows(tradeRow, answer.trades)
    const next = answer.cursor ? (archived ? ARCHIVE : '') + answer.cursor : archived ? null : ARCHIVE
    return { trades: rows.map(toTrade), quarantined, next }
  }

  /** The order book of the first outcome: bids on `no` are asks on `yes`. The response has no time. */
  async function orderBook(market: MarketRef): Promise<OrderBook> {
    const path = `/markets/${encodeURIComponent(market.venueMarketId)}/orderbook`
    const answer = await get(
      path,
      z.object({ orderbook_fp: z.object({ yes_dollars: levels, no_dollars: levels }) }),
    )
    const { yes_dollars: yes, no_dollars: no } = answer.orderbook_fp
    const sorted = sortLevels({
      bids: yes.map(([price, count]) => ({ price, size: count })),
      asks: no.map(([price, count]) => ({ price: complement(price), size: count })),
    })
    return { ...sorted, tickSize: null, at: now() }
  }

  /**
   * Prices of `yes` at the end of each period: the last trade, else the middle of bid and ask, else the last trade
   * before.
   */
  async function history(options: {
    market: MarketRef
    fromMs: number
    toMs: number
    minutes: number
    archived: boolean
  }): Promise<{ points: PricePoint[]; quarantined: QuarantinedRow[] }> {
    const { market, fromMs, toMs, minutes, archived } = options
    const ticker = encodeURIComponent(market.venueMarketId)
    const path = archived ? `/historical/markets/${ticker}` : `/series/${seriesOf(market)}/markets/${ticker}`
    const window = `start_ts=${Math.floor(fromMs / 1000)}&end_ts=${Math.floor(toMs / 1000)}&period_interval=${minutes}`
    const answer = await get(`${path}/candlesticks?${window}`, z.object({ candlesticks: list }))
    const { rows, quarantined } = parseRows(candleRow, answer.candlesticks)
    const points = rows.flatMap((row) => {
      const { close, previous } = row.price
      const price = close ?? middle(row.yes_bid.close, row.yes_ask.close) ?? previous
      return price === null ? [] : [{ at: row.end_period_ts, price }]
    })
    return { points, quarantined }
  }

  let known: { until: number; cutoff: Promise<Cutoff> } | undefined

  /** Trades before `tradesAt` and markets settled before `settledAt` are in the archive. It moves once in a while. */
  async function cutoff(): Promise<Cutoff> {
    if (!known || now().getTime() >= known.until) {
      const read = get('/historical/cutoff', cutoffAnswer).then((answer) => ({
        tradesAt: answer.trades_created_ts,
        settledAt: answer.market_settled_ts,
      }))
      known = { until: now().getTime() + CUTOFF_SECONDS * 1_000, cutoff: read }
      // What failed is not remembered.
      read.catch(() => (known = undefined))
    }
    return known.cutoff
  }

  return {
    trades,
    orderBook,
    history,

    /** One page of events of a status with their markets. */
    async events(options: {
      status: 'open' | 'closed' | 'settled'
      cursor: string | null
    }): Promise<VenuePage> {
      const query = new URLSearchParams({
        with_nested_markets: 'true',
        status: options.status,
        limit: String(EVENTS_PAGE),
      })
      if (options.cursor) query.set('cursor', options.cursor)
      const page = await get(`/events?${query.toString()}`, z.object({ events: list, cursor }))
      return { ...readKalshiEvents(page.events), next: page.cursor || null }
    },

    /** One page of the markets that settled long ago, without the legs of combinations, which are most of them. */
    async archivedMarkets(options: { cursor: string | null }): Promise<VenuePage> {
      const query = new URLSearchParams({ limit: '1000', mve_filter: 'exclude' })
      if (options.cursor) query.set('cursor', options.cursor)
      const page = await get(`/historical/markets?${query.toString()}`, z.object({ markets: list, cursor }))
      const read = readKalshiMarkets(page.markets, { event: null, archived: true })
      return { ...read, events: [], next: page.cursor || null }
    },

    /** Markets by their tickers, a hundred at most, whether they still trade or not. */
    async markets(tickers: readonly string[]): Promise<VenuePage> {
      const query = new URLSearchParams({ tickers: tickers.join(','), limit: '1000' })
      const schema = z.object({ markets: list })
      const live = await get(`/markets?${query.toString()}`, schema)
      const found = new Set(live.markets.map((row) => (row as { ticker?: unknown } | null)?.ticker))
      const archived = tickers.every((ticker) => found.has(ticker))
        ? []
        : (await get(`/historical/markets?${query.toString()}`, schema)).markets
      const now = readKalshiMarkets(live.markets, { event: null })
      const before = readKalshiMarkets(
        archived.filter((row) => !found.has((row as { ticker?: unknown }).ticker)),
        { event: null, archived: true },
      )
      const markets = [...now.markets, ...before.markets]
      return { events: [], markets, quarantined: [...now.quarantined, ...before.quarantined], next: null }
    },

    cutoff,
  }
}

function toTrade(row: z.infer<typeof tradeRow>): TradePage['trades'][number] {
  // Kalshi replaces `taker_side` by `taker_outcome_side`. Without either the trade stands as one of yes.
  const outcome = (row.taker_outcome_side ?? row.taker_side) === 'no' ? 1 : 0
  const price =
    outcome === 0 ? row.yes_price_dollars : (row.no_price_dollars ?? complement(row.yes_price_dollars))
  return {
    key: `kalshi ${row.trade_id}`,
    at: row.created_time,
    outcome,
    side: 'buy',
    price,
    size: row.count_fp,
    trader: null,
    txHash: null,
    isBlock: row.is_block_trade ?? false,
  }
}

/** A bid of 0 and an ask of 1 say that there is no offer. */
function middle(bid: string | null, ask: string | null): string | null {
  return bid === null || ask === null || bid === '0' || ask === '1' ? null : halfway(bid, ask)
}
