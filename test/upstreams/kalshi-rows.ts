import type { KalshiMarket, KalshiTrade } from './kalshi-market.ts'

// Rows of Kalshi. No field in cents or whole contracts is left (pmxt-dev/pmxt#411, #1630, #1932).

/** Which fields say whose side the taker was on: both on some rows, only the older one, only the newer one. */
export type SideShape = 'today' | 'yesterday' | 'tomorrow'

export const iso = (seconds: number): string => new Date(seconds * 1_000).toISOString()

/** docs.kalshi.com; pmxt-dev/pmxt#1187: a third of the trades has no `taker_side`. */
export function tradeRow(market: KalshiMarket, trade: KalshiTrade, shape: SideShape) {
  const { id, at, outcome, yes, no, count, isBlock } = trade
  const hasOld = shape === 'yesterday' || (shape === 'today' && Number.parseInt(id.slice(0, 4), 16) % 3 > 0)
  return {
    trade_id: id,
    ticker: market.ticker,
    count_fp: count,
    yes_price_dollars: yes,
    no_price_dollars: no,
    ...(hasOld && { taker_side: outcome }),
    ...(shape !== 'yesterday' && {
      taker_outcome_side: outcome,
      taker_book_side: outcome === 'yes' ? 'bid' : 'ask',
    }),
    created_time: iso(at),
    is_block_trade: isBlock,
  }
}

export function marketRow(market: KalshiMarket): Record<string, unknown> {
  const { ticker, event, status, result, value, isProvisional, opensAt, closesAt, settledAt, trades } = market
  const volume = trades.reduce((sum, { count }) => sum + Number(count), 0).toFixed(2)
  const isOpen = status === 'active'
  return {
    ticker,
    event_ticker: event,
    market_type: result === 'scalar' ? 'scalar' : 'binary',
    title: `Will ${ticker} end with yes?`,
    yes_sub_title: 'A',
    no_sub_title: 'A',
    open_time: iso(opensAt),
    close_time: iso(closesAt),
    created_time: iso(opensAt - 60),
    updated_time: '0001-01-01T00:00:00Z',
    status,
    result,
    ...(isProvisional && { is_provisional: true }),
    ...(settledAt !== null && { settlement_ts: iso(settledAt) }),
    ...(value !== null && { settlement_value_dollars: value }),
    // docs.kalshi.com/getting_started/settlement_bounds: announced
    settlement_bounds_type: 'default',
    notional_value_dollars: '1.0000',
    // 0 and 1 are "no offer".
    yes_bid_dollars: isOpen ? '0.4650' : '0.0000',
    yes_ask_dollars: isOpen ? '0.4700' : '1.0000',
    no_bid_dollars: isOpen ? '0.5300' : '0.0000',
    no_ask_dollars: isOpen ? '0.5350' : '1.0000',
    last_price_dollars: trades[0]?.yes ?? '0.0000',
    volume_fp: volume,
    volume_24h_fp: volume,
    open_interest_fp: '110.50',
    liquidity_dollars: '0.0000',
    rules_primary: `If ${ticker} happens, the market resolves to Yes.`,
    rules_secondary: '',
    price_level_structure: 'deci_cent',
    price_ranges: [{ start: '0.0000', end: '1.0000', step: '0.0010' }],
  }
}

/** A leg of a combination: almost all of what `/markets` lists (a scraper's changelog of 2026-09-07). */
export function combinationRow(number: number): Record<string, unknown> {
  return {
    ticker: `KXMVESPORTS-S2026${number}-A`,
    event_ticker: `KXMVESPORTS-S2026${number}`,
    market_type: 'binary',
    title: 'yes A,yes B,yes C',
    status: 'finalized',
    result: 'no',
    settlement_ts: '2026-01-02T00:00:00Z',
    open_time: '2026-01-01T00:00:00Z',
    close_time: '2026-01-02T00:00:00Z',
    volume_fp: '0.00',
  }
}

/**
 * Candles of the periods in which something moved. One without a trade has no price of its own, but the one before
 * it. Archived ones have the same fields without their suffixes.
 */
export function candleRows(
  market: KalshiMarket,
  options: { from: number; to: number; stepS: number; isArchived: boolean },
): Record<string, unknown>[] {
  const { from, to, stepS, isArchived } = options
  const dollars = isArchived ? '' : '_dollars'
  const fixed = isArchived ? '' : '_fp'
  const all = (value: string) =>
    Object.fromEntries(['open', 'low', 'high', 'close'].map((name) => [name + dollars, value]))
  const rows: Record<string, unknown>[] = []
  let previous: string | null = null
  const oldestFirst = market.trades.toReversed()
  let next = 0
  // The last candle ends one period after the close.
  const last = Math.min(to, market.closesAt + stepS)
  for (let end = Math.ceil(Math.max(market.opensAt, 1) / stepS) * stepS; end <= last; end += stepS) {
    const before = previous
    let volume = 0
    while (next < oldestFirst.length && oldestFirst[next]!.at <= end) {
      previous = oldestFirst[next]!.yes
      volume += Number(oldestFirst[next]!.count)
      next++
    }
    const isQuiet = volume === 0
    // Every fourth quiet period had moving offers; in the others nothing moved.
    if (end < from || (isQuiet && (end / stepS) % 4 !== 0)) continue
    rows.push({
      end_period_ts: end,
      price: {
        ...(isQuiet ? {} : all(previous!)),
        ...(before !== null && { [`previous${dollars}`]: before }),
      },
      yes_bid: all(isQuiet ? '0.0000' : '0.4650'),
      yes_ask: all(isQuiet ? '1.0000' : '0.4700'),
      [`volume${fixed}`]: volume.toFixed(2),
      [`open_interest${fixed}`]: '110.50',
    })
  }
  return rows
}
