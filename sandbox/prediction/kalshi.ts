import { orderBookOf } from './order-book.ts'
import { phaseOf, type PredictionWorld, type SandboxMarket, volumeOf } from './prediction-world.ts'
import { isoMs, isoSeconds, numberOf, ok, type Upstream, type UpstreamReply } from '../upstream.ts'

const day = 86_400
/** Seconds after which trades and settled markets move to the archive. */
const live = 90 * day
const nobody = '0001-01-01T00:00:00Z'
const dollars = (price: number): string => price.toFixed(4)
const count = (contracts: number): string => contracts.toFixed(2)

/** Values of the `status` filter. The rows of markets use `active`, `closed` or `finalized`. */
const filters = { open: 'open', closed: 'ended', settled: 'settled' } as const

const series = ({ topic }: SandboxMarket): string => `KX${topic.key.replace(/-.*/, '')}`
const eventTicker = (market: SandboxMarket): string =>
  `${series(market)}-${isoSeconds(market.endsAt).slice(2, 10).replaceAll('-', '')}`
const tickerOf = (market: SandboxMarket): string =>
  `${eventTicker(market)}-${
    market.strike
      ? `T${market.strike.floor}`
      : market.label
          .replace(/[^A-Za-z0-9]/g, '')
          .slice(0, 6)
          .toUpperCase()
  }`

/**
 * Kalshi's trade API v2: cursors, dollar strings, fractional contracts, and an archive beside the live data.
 */
export function createKalshi({ markets: { kalshi: all } }: PredictionWorld): Upstream {
  const byEvent = Map.groupBy(all, eventTicker)

  function marketRow(market: SandboxMarket, now: number) {
    const phase = phaseOf(market, now)
    const [price, total] = [market.price(Math.min(now, market.endsAt)), volumeOf(market, { now })]
    const open = phase === 'open'
    const [bid, ask] = [price - market.tick, price + market.tick].map((at) => Number(at.toFixed(4)))
    return {
      ticker: tickerOf(market),
      event_ticker: eventTicker(market),
      market_type: 'binary',
      title: market.question,
      subtitle: '',
      yes_sub_title: market.label,
      no_sub_title: market.label,
      open_time: isoSeconds(market.startsAt),
      close_time: isoSeconds(market.endsAt),
      created_time: market.number % 5 === 0 ? nobody : isoMs(market.startsAt - 600),
      updated_time:
        market.number % 5 === 0 ? nobody : isoMs(Math.floor(Math.min(now, market.settledAt) / 300) * 300),
      expiration_time: isoSeconds(market.settledAt),
      ...(phase === 'settled' && { settlement_ts: isoSeconds(market.settledAt) }),
      status: open ? 'active' : phase === 'ended' ? 'closed' : 'finalized',
      result: phase === 'settled' ? (market.result ? 'yes' : 'no') : '',
      response_price_units: 'usd_cent',
      notional_value_dollars: '1.0000',
      tick_size: 1,
      yes_bid_dollars: dollars(open ? bid! : 0),
      yes_ask_dollars: dollars(open ? ask! : 1),
      no_bid_dollars: dollars(open ? 1 - ask! : 0),
      no_ask_dollars: dollars(open ? 1 - bid! : 1),
      last_price_dollars: total.shares > 0 ? dollars(price) : '0.0000',
      volume_fp: count(total.shares),
      volume_24h_fp: count(volumeOf(market, { now, since: now - day }).shares),
      open_interest_fp: count(total.shares * 0.6),
      liquidity_dollars: '0.0000',
      rules_primary: market.rules,
      rules_secondary: '',
      ...(market.strike && { strike_type: market.strike.type, floor_strike: market.strike.floor }),
      price_level_structure: market.tick === 0.001 ? 'deci_cent' : 'linear_cent',
      price_ranges: [{ start: '0.0000', end: '1.0000', step: dollars(market.tick) }],
    }
  }

  function eventRow(markets: SandboxMarket[], now: number, nested: boolean) {
    const [first] = markets
    const { topic } = first!
    return {
      event_ticker: eventTicker(first!),
      series_ticker: series(first!),
      title: topic.title,
      sub_title: '',
      category: topic.category,
      mutually_exclusive: topic.exclusive,
      collateral_return_type: '',
      strike_period: '',
      last_updated_ts: nobody,
      ...(nested && { markets: markets.map((market) => marketRow(market, now)) }),
    }
  }

  function tradeRow(market: SandboxMarket, fill: ReturnType<SandboxMarket['fills']>[number]) {
    const yes = fill.outcome === 0 ? fill.price : 1 - fill.price
    const hash = fill.txHash
    return {
      trade_id: `${hash.slice(2, 10)}-${hash.slice(10, 14)}-${hash.slice(14, 18)}-${hash.slice(18, 22)}-${hash.slice(22, 34)}`,
      ticker: tickerOf(market),
      count_fp: count(fill.size),
      created_time: isoMs(fill.at + 0.123),
      yes_price_dollars: dollars(yes),
      no_price_dollars: dollars(1 - yes),
      taker_side: fill.outcome === 0 ? 'yes' : 'no',
    }
  }

  /** A cursor is the encoded row number; it is empty at the end. */
  function page<T>(
    rows: readonly T[],
    query: URLSearchParams,
    options: { name: string; max: number; render: (row: T) => unknown },
  ): UpstreamReply {
    const start = Number(Buffer.from(query.get('cursor') ?? '', 'base64url').toString() || 0)
    const limit = numberOf(query, 'limit', { or: 100, max: options.max })
    const cursor = start + limit < rows.length ? Buffer.from(String(start + limit)).toString('base64url') : ''
    return ok({ [options.name]: rows.slice(start, start + limit).map(options.render), cursor })
  }

  function candles(market: SandboxMarket, query: URLSearchParams, now: number): UpstreamReply {
    const step = numberOf(query, 'period_interval', { or: 60, max: 1440 }) * 60
    const from = Math.max(numberOf(query, 'start_ts', { or: 0, max: now }), market.startsAt)
    const to = Math.min(numberOf(query, 'end_ts', { or: now, max: Infinity }), now, market.endsAt)
    if ((to - from) / step > 5_000)
      return {
        status: 400,
        body: { error: { code: 'bad_request', message: 'too many candlesticks requested' } },
      }
    const candlesticks = []
    for (let end = Math.ceil(from / step) * step; end <= to; end += step) {
      const middle = market.price(end)
      const [price, bid, ask] = [0, -market.tick, market.tick].map((by) => dollars(middle + by))
      const flat = (value: string) => ({
        open_dollars: value,
        low_dollars: value,
        high_dollars: value,
        close_dollars: value,
      })
      // A period without a trade has no price of its own.
      const quiet = end % (7 * step) === 0
      candlesticks.push({
        end_period_ts: end,
        price: quiet ? {} : flat(price!),
        yes_bid: flat(bid!),
        yes_ask: flat(ask!),
        volume_fp: '0.00',
        open_interest_fp: '0.00',
      })
    }
    return ok({ ticker: tickerOf(market), candlesticks })
  }

  return ({ path, query, now }) => {
    const cutoff = Math.floor((now - live) / day) * day
    const archived = (market: SandboxMarket): boolean => now >= market.settledAt && market.settledAt < cutoff
    const visible = all.filter((market) => phaseOf(market, now) !== 'ahead')
    const notFound = { status: 404, body: { error: { code: 'not_found', message: 'not found' } } }
    const [head, second, third] = path
    if (path.join('/') === 'historical/cutoff') {
      const at = isoSeconds(cutoff)
      return ok({ market_settled_ts: at, trades_created_ts: at, orders_updated_ts: at })
    }
    if (head === 'events') {
      const wanted = filters[query.get('status') as keyof typeof filters]
      const events = [...byEvent.values()].filter((markets) => {
        const inside = markets.filter((market) => visible.includes(market) && !archived(market))
        return inside.length > 0 && (!wanted || inside.some((market) => phaseOf(market, now) === wanted))
      })
      const nested = query.get('with_nested_markets') === 'true'
      return page(events, query, {
        name: 'events',
        max: 200,
        render: (markets) => eventRow(markets, now, nested),
      })
    }
    const old = head === 'historical'
    const rest = old ? path.slice(1) : path
    if (rest.at(-1) === 'trades') {
      const market = all.find((one) => tickerOf(one) === query.get('ticker'))
      const fills = (market?.fills() ?? []).filter(
        ({ at, taker }) => taker && at <= now && at < cutoff === old,
      )
      return page(fills.toReversed(), query, {
        name: 'trades',
        max: 1_000,
        render: (fill) => tradeRow(market!, fill),
      })
    }
    if (rest.at(-1) === 'candlesticks') {
      const market = visible.find((one) => tickerOf(one) === rest.at(-2))
      return market && archived(market) === old ? candles(market, query, now) : notFound
    }
    if (head === 'markets' && third === 'orderbook') {
      const market = visible.find((one) => tickerOf(one) === second)
      if (!market) return notFound
      const { bids, asks } =
        phaseOf(market, now) === 'open' ? orderBookOf(market, now) : { bids: [], asks: [] }
      const rows = (levels: { price: number; size: number }[]) =>
        levels.map(({ price, size }) => [dollars(price), count(size)]).toReversed()
      return ok({
        orderbook_fp: {
          yes_dollars: rows(bids),
          no_dollars: rows(asks.map(({ price, size }) => ({ price: 1 - price, size }))),
        },
      })
    }
    if (rest[0] === 'markets' && rest.length === 1) {
      const tickers = query.get('tickers')?.split(',')
      const rows = visible.filter(
        (market) => archived(market) === old && (!tickers || tickers.includes(tickerOf(market))),
      )
      return page(rows, query, { name: 'markets', max: 1_000, render: (market) => marketRow(market, now) })
    }
    return notFound
  }
}
