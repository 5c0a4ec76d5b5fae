import type { Upstream } from '../../../sandbox/upstream.ts'
import { createRandom } from '../double.ts'
import { createMeter } from '../meter.ts'
import type { Asked, FakeClock, Reply } from '../double.ts'
import { marketCapOf, type MarketCoin, usdAt } from './market.ts'
import { partsOf, type RuledDouble, startRuled } from './ruled.ts'
import { answerFrom } from '../served-upstream.ts'

const DAY_MS = 86_400_000
/** wangzhe3224/awesome-systematic-trading#146: the free plan knows this many assets. */
const MOST_COINS = 2_000

export interface CoinPaprikaDouble extends RuledDouble {
  apiUrl: string
  state: {
    /** Whether the plan has any history: the vendor's pages disagree. */
    hasHistory: boolean
    /** Refuse everything, as when the allowance is spent. */
    isSpent: boolean
  }
  spent: () => number
}

/** Rows 6 to 8: CoinPaprika's API v1 without a key. */
export async function startCoinPaprika(options: {
  clock: FakeClock
  coins: readonly MarketCoin[]
  monthCalls?: number
  /** Answers the list of exchanges. */
  exchanges?: Upstream
}): Promise<CoinPaprikaDouble> {
  const { clock, monthCalls = 20_000 } = options
  const ofExchanges = options.exchanges && answerFrom(options.exchanges, clock)
  const coins = options.coins.slice(0, MOST_COINS)
  const state = { hasHistory: true, isSpent: false }
  const month = createMeter(clock, [{ name: 'month', most: monthCalls, span: 'month' }])
  const second = createMeter(clock, [{ name: 'second', most: 10, span: 1_000 }])
  const random = createRandom(11)
  const server = await startRuled(
    [
      {
        // GLEECBTC/gleec-wallet#3392, 8 public texts: 402 or 429. The text is not confirmed.
        row: 6,
        refuse({ address }) {
          const isOver = second.take(address) ?? month.take('address') ?? (state.isSpent || null)
          if (isOver === null) return null
          return random() < 0.5
            ? { status: 402, body: '{"error":"payment required"}' }
            : { status: 429, body: '{"error":"too many requests"}' }
        },
      },
      {
        // docs.coinpaprika.com get-historical-ticks: daily one year, hourly one day; the CLI page: paid only.
        row: 7,
        refuse({ path, query }) {
          if (!path.endsWith('/historical')) return null
          const start = Date.parse(query.get('start') ?? '')
          const depth = query.get('interval') === '1d' ? 365 * DAY_MS : DAY_MS
          return state.hasHistory && start >= clock.now() - depth
            ? null
            : {
                status: 402,
                body: '{"error":"Getting historical data before the allowed date is not allowed in this plan"}',
              }
        },
      },
    ],
    (asked) => {
      const rest = asked.path.replace('/v1', '')
      return ofExchanges && rest === '/exchanges'
        ? ofExchanges({ ...asked, path: rest })
        : answer(asked, coins, clock.now())
    },
  )
  return { ...server, apiUrl: `${server.url}/v1`, state, spent: () => month.spent('address', 'month') }
}

function answer(asked: Asked, coins: readonly MarketCoin[], nowMs: number): Reply {
  const [, first, second, third] = partsOf(asked)
  if (first === 'tickers' && second === undefined)
    return { body: coins.map((coin, index) => ticker(coin, index, nowMs)) }
  if (first === 'global')
    return {
      body: {
        market_cap_usd: 3_000_000_000_000,
        volume_24h_usd: 100_000_000_000,
        bitcoin_dominance_percentage: 58.1,
        market_cap_change_24h: -1.2,
        volume_24h_change_24h: 3.4,
        last_updated: Math.floor(nowMs / 1_000),
      },
    }
  const coin = coins.find(({ paprikaId }) => paprikaId === second)
  if (first === 'tickers' && third === 'historical' && coin) return { body: history(asked, coin, nowMs) }
  return { status: 404, body: '{"error":"id not found"}' }
}

/** Row 8: no CoinGecko id anywhere; dead coins have the price 0 or null. */
function ticker(coin: MarketCoin, index: number, nowMs: number) {
  const price = index % 97 === 96 ? (index % 2 === 0 ? 0 : null) : usdAt(coin, nowMs)
  return {
    id: coin.paprikaId,
    name: coin.name,
    symbol: coin.symbol,
    rank: index + 1,
    total_supply: 10_000_000,
    max_supply: 0,
    beta_value: 1.1,
    first_data_at: '2020-01-01T00:00:00Z',
    last_updated: new Date(Math.floor(nowMs / 60_000) * 60_000).toISOString().replace('.000', ''),
    quotes: {
      USD: {
        price,
        volume_24h: 1e6,
        volume_24h_change_24h: 2.1,
        market_cap: marketCapOf(coin, index),
        percent_change_1h: 0.1,
        percent_change_24h: 1.5,
        percent_change_7d: -3,
        percent_change_30d: 4,
        ath_price: coin.usd * 1.5,
        ath_date: '2025-10-06T18:57:42Z',
      },
    },
  }
}

function history({ query }: Asked, coin: MarketCoin, nowMs: number) {
  const step = query.get('interval') === '1d' ? DAY_MS : 3_600_000
  const end = Math.min(nowMs, Date.parse(query.get('end') ?? new Date(nowMs).toISOString()))
  const limit = Math.min(5_000, Number(query.get('limit') ?? 1_000))
  const rows = []
  for (
    let at = Math.ceil(Date.parse(query.get('start')!) / step) * step;
    at <= end && rows.length < limit;
    at += step
  )
    rows.push({
      timestamp: new Date(at).toISOString().replace('.000', ''),
      price: usdAt(coin, at),
      volume_24h: 1e6,
      market_cap: 1e9,
    })
  return rows
}
