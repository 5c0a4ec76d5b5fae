import { startDouble } from './double.ts'
import type { Asked, DoubleServer, FakeClock, Reply } from './double.ts'
import { createMeter } from './meter.ts'
import type { KalshiMarket } from './kalshi-market.ts'
import { candleRows, combinationRow, iso, marketRow, tradeRow } from './kalshi-rows.ts'
import type { SideShape } from './kalshi-rows.ts'

/** docs.kalshi.com/getting_started/rate_limits: 200 tokens a second, 10 a read. The keyless rate is not confirmed. */
export const RATES = { signed: 20, keyless: 5 } as const
/** 10 public texts */
const MOST_CANDLES = 5_000
const PAGES = { events: 200, markets: 1_000, trades: 1_000 } as const
const STATUSES = new Set(['open', 'unopened', 'paused', 'closed', 'settled'])
const COMBINATIONS = 3_000

const KNOWN: Record<string, readonly string[]> = {
  '/events': ['status', 'with_nested_markets', 'limit', 'cursor', 'series_ticker', 'min_close_ts'],
  '/markets': ['tickers', 'event_ticker', 'series_ticker', 'status', 'limit', 'cursor', 'mve_filter'],
  '/historical/markets': ['tickers', 'event_ticker', 'series_ticker', 'limit', 'cursor', 'mve_filter'],
  '/markets/trades': ['ticker', 'limit', 'cursor', 'min_ts', 'max_ts', 'is_block_trade'],
  '/historical/trades': ['ticker', 'limit', 'cursor', 'min_ts', 'max_ts', 'is_block_trade'],
  '/historical/cutoff': [],
}

export interface KalshiState {
  /** seconds; what is older is in the archive. It jumps. */
  cutoff: number
  sides: SideShape
  rate: keyof typeof RATES
  /** tickers that are refused whatever is asked */
  broken: Set<string>
}

export interface KalshiDouble extends DoubleServer {
  apiUrl: string
  state: KalshiState
  refused: number[]
}

const refusal = (status: number, code: string, details?: string): Reply => ({
  status,
  body: JSON.stringify({
    error: { code, message: code.replace('_', ' '), ...(details !== undefined && { details }) },
  }),
})
const NOT_FOUND = refusal(404, 'not_found')

/** Rows 37 to 40: the trade API without a key. */
export async function startKalshi(options: {
  clock: FakeClock
  markets: readonly KalshiMarket[]
}): Promise<KalshiDouble> {
  const { clock, markets } = options
  const state: KalshiState = {
    cutoff: Math.floor(clock.now() / 1_000) - 90 * 86_400,
    sides: 'today',
    rate: 'keyless',
    broken: new Set(),
  }
  const refused: number[] = []
  const meters = {
    signed: createMeter(clock, [{ name: 'second', most: RATES.signed, span: 1_000 }]),
    keyless: createMeter(clock, [{ name: 'second', most: RATES.keyless, span: 1_000 }]),
  }
  const isArchived = ({ settledAt }: KalshiMarket) => settledAt !== null && settledAt < state.cutoff

  function refuse(row: number, reply: Reply): Reply {
    refused.push(row)
    return reply
  }

  /** An empty cursor is the end. */
  function page(asked: Asked, name: keyof typeof PAGES, rows: readonly unknown[]): Reply {
    const from = Number(Buffer.from(asked.query.get('cursor') ?? '', 'base64url').toString() || 0)
    const limit = Math.min(Number(asked.query.get('limit') ?? 100), PAGES[name])
    const end = from + limit
    const cursor = end < rows.length ? Buffer.from(String(end)).toString('base64url') : ''
    return { body: { [name]: rows.slice(from, end), cursor } }
  }

  function events(asked: Asked): Reply {
    const status = asked.query.get('status')
    if (status !== null && !STATUSES.has(status)) return refuse(38, refusal(400, 'bad_request', 'status'))
    const wanted = markets.filter((market) => status === null || filterOf(market) === status)
    const nested = asked.query.get('with_nested_markets') === 'true'
    const rows = wanted.map((market) => ({
      event_ticker: market.event,
      series_ticker: market.series,
      title: `Double ${market.ticker}`,
      sub_title: '',
      category: 'Politics',
      mutually_exclusive: false,
      last_updated_ts: '0001-01-01T00:00:00Z',
      // Absent, not empty, once all are archived.
      ...(nested && !isArchived(market) && { markets: [marketRow(market)] }),
    }))
    return page(asked, 'events', rows)
  }

  function list(asked: Asked, archived: boolean): Reply {
    const { query } = asked
    const filters = ['tickers', 'event_ticker', 'series_ticker'].filter((name) => query.has(name))
    if (archived && filters.length > 1) return refuse(40, refusal(400, 'bad_request', 'one filter only'))
    const tickers = query.get('tickers')?.split(',')
    const found = markets.filter(
      (market) => isArchived(market) === archived && (!tickers || tickers.includes(market.ticker)),
    )
    const legs =
      query.get('mve_filter') === 'exclude' || filters.length > 0
        ? []
        : Array.from({ length: COMBINATIONS }, (_, number) => combinationRow(number))
    return page(asked, 'markets', [...legs, ...found.map(marketRow)])
  }

  function trades(asked: Asked, archived: boolean): Reply {
    const market = markets.find(({ ticker }) => ticker === asked.query.get('ticker'))
    const found = (market?.trades ?? []).filter(({ at }) => at < state.cutoff === archived)
    return page(
      asked,
      'trades',
      found.map((trade) => tradeRow(market!, trade, state.sides)),
    )
  }

  function candles({ query }: Asked, market: KalshiMarket | undefined, archived: boolean): Reply {
    if (!market || isArchived(market) !== archived) return refuse(38, NOT_FOUND)
    const minutes = Number(query.get('period_interval'))
    if (![1, 60, 1_440].includes(minutes)) return refuse(38, refusal(400, 'bad_request', 'period_interval'))
    const [from, to, stepS] = [Number(query.get('start_ts')), Number(query.get('end_ts')), minutes * 60]
    const periods = Math.floor((to - from) / stepS)
    if (periods > MOST_CANDLES) {
      const details = `requested time range with candlesticks: ${periods}, max candlesticks: ${MOST_CANDLES}`
      return refuse(38, refusal(400, 'bad_request', details))
    }
    const candlesticks = candleRows(market, {
      from,
      to: Math.min(to, clock.now() / 1_000),
      stepS,
      isArchived: archived,
    })
    return { body: { ticker: market.ticker, candlesticks } }
  }

  function route(asked: Asked): Reply {
    const path = asked.path.replace('/trade-api/v2', '')
    // Not confirmed: unknown parameters are refused.
    for (const name of asked.query.keys())
      if (KNOWN[path] && !KNOWN[path].includes(name)) return refusal(400, 'bad_request', name)
    const ticker = asked.query.get('ticker') ?? path.split('/').at(-2) ?? ''
    if (state.broken.has(ticker)) return refusal(400, 'bad_request', 'market is not available')
    const market = markets.find((one) => one.ticker === ticker)
    if (path === '/events') return events(asked)
    if (path === '/markets') return list(asked, false)
    if (path === '/historical/markets') return list(asked, true)
    if (path === '/markets/trades') return trades(asked, false)
    if (path === '/historical/trades') return trades(asked, true)
    if (path === '/historical/cutoff')
      return {
        body: {
          market_settled_ts: iso(state.cutoff),
          trades_created_ts: iso(state.cutoff),
          orders_updated_ts: iso(state.cutoff),
          market_positions_last_updated_ts: iso(state.cutoff),
        },
      }
    if (/^\/historical\/markets\/[^/]+\/candlesticks$/.test(path)) return candles(asked, market, true)
    if (/^\/series\/[^/]+\/markets\/[^/]+\/candlesticks$/.test(path)) return candles(asked, market, false)
    if (/^\/markets\/[^/]+\/orderbook$/.test(path))
      return market && !isArchived(market)
        ? {
            // Bids only, ascending: the best is the last.
            body: {
              orderbook_fp: {
                yes_dollars: [
                  ['0.1500', '100.00'],
                  ['0.4650', '101.25'],
                ],
                no_dollars: [['0.5300', '12.50']],
              },
            },
          }
        : refuse(38, NOT_FOUND)
    return NOT_FOUND
  }

  function answer(asked: Asked): Reply {
    // docs: no Retry-After and no headers of a rate
    if (meters[state.rate].take(asked.address))
      return refuse(39, { status: 429, body: '{"error":"too many requests"}' })
    return route(asked)
  }

  const server = await startDouble(answer)
  return { ...server, apiUrl: `${server.url}/trade-api/v2`, state, refused }
}

/** Values of the `status` filter differ from those of the field. */
function filterOf({ status }: KalshiMarket): string {
  if (status === 'active') return 'open'
  return status === 'finalized' ? 'settled' : 'closed'
}
