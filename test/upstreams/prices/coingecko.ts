import type { Upstream } from '../../../sandbox/upstream.ts'
import { createRandom } from '../double.ts'
import { createMeter } from '../meter.ts'
import type { Asked, FakeClock, Reply } from '../double.ts'
import { marketCapOf, type MarketCoin, usdAt } from './market.ts'
import { partsOf, type Rule, type RuledDouble, startRuled } from './ruled.ts'
import { answerFrom } from '../served-upstream.ts'

export const DEMO_KEY = 'CG-a-demo-key'
const DAY_MS = 86_400_000

export interface CoinGeckoDouble extends RuledDouble {
  apiUrl: string
  state: {
    /** The allowance of the month is spent. */
    isSpent: boolean
  }
  /** calls that count against the month */
  spent: () => number
}

interface Options {
  clock: FakeClock
  coins: readonly MarketCoin[]
  /** demo: a key is needed. keyless: the limit is that of the address. */
  plan: 'demo' | 'keyless'
  /** calls of a minute; docs.coingecko.com: Demo 30 on older pages, 100 on newer ones; keyless none published */
  minuteCalls?: number
  monthCalls?: number
  /** Answers what is about exchanges and NFTs. */
  others?: Upstream
}

/** Rows 1 to 5: CoinGecko's API v3 on its public host. */
export async function startCoinGecko(options: Options): Promise<CoinGeckoDouble> {
  const { clock, coins, plan } = options
  const month = createMeter(clock, [{ name: 'month', most: options.monthCalls ?? 10_000, span: 'month' }])
  const state = { isSpent: false }
  const rules = rulesOf(options, { month, state })
  const others = options.others && answerFrom(options.others, clock)
  const server = await startRuled(rules, (asked) => {
    const rest = asked.path.replace('/api/v3', '')
    return others && /^\/(exchanges|nfts)\b/.test(rest)
      ? others({ ...asked, path: rest })
      : answer(asked, { coins, nowMs: clock.now() })
  })
  return { ...server, state, apiUrl: `${server.url}/api/v3`, spent: () => month.spent(plan, 'month') }
}

/** The shape of waxtax#8, Electron-Cash#2825, ghostfolio#3231. */
const errorOf = (
  status: number,
  { code, message, nowMs }: { code: number; message: string; nowMs: number },
) => ({
  status,
  body: {
    error: {
      status: { timestamp: new Date(nowMs).toISOString(), error_code: code, error_message: message },
    },
  },
})

function rulesOf(
  options: Options,
  { month, state }: { month: ReturnType<typeof createMeter>; state: CoinGeckoDouble['state'] },
): Rule[] {
  const { clock, plan, minuteCalls = plan === 'demo' ? 30 : 5 } = options
  const minute = createMeter(clock, [{ name: 'minute', most: minuteCalls, span: 60_000 }])
  const random = createRandom(7)
  const error = (status: number, code: number, message: string): Reply =>
    errorOf(status, { code, message, nowMs: clock.now() })
  return [
    {
      // Every call counts, failed ones too (api-evangelist/coingecko).
      row: 2,
      refuse() {
        const isSpent = state.isSpent || (plan === 'demo' && month.broken(plan) !== null)
        const isOver = isSpent || minute.broken(plan) !== null
        minute.count(plan)
        month.count(plan)
        if (!isOver) return null
        // Over-limit answers may be HTML.
        return random() < 0.5
          ? {
              status: 429,
              headers: { 'content-type': 'text/html' },
              body: '<html><body>Too Many Requests</body></html>',
            }
          : {
              status: 429,
              body: '{"status":{"error_code":429,"error_message":"You\'ve exceeded the Rate Limit. Please visit https://www.coingecko.com/en/api/pricing to subscribe to our API plans for higher rate limits."}}',
            }
      },
    },
    {
      // docs.coingecko.com/docs/errors-and-rate-limits
      row: 4,
      refuse({ headers }) {
        if (headers['x-cg-pro-api-key'] !== undefined)
          return error(
            400,
            10010,
            'If you are using Pro API key, please change your root URL from api.coingecko.com to pro-api.coingecko.com',
          )
        if (plan === 'keyless') return null
        const key = headers['x-cg-demo-api-key']
        if (key === undefined) return error(401, 10002, 'API Key Missing')
        return key === DEMO_KEY ? null : error(400, 10011, 'API Key Invalid')
      },
    },
    {
      // waxtax#8, Electron-Cash#2825, ghostfolio#3231
      row: 1,
      refuse(asked) {
        const fromMs = historyStart(asked, clock.now())
        return fromMs === null || fromMs >= clock.now() - 365 * DAY_MS
          ? null
          : error(
              401,
              10012,
              'Your request exceeds the allowed time range. Public API users are limited to querying historical data within the past 365 days. Upgrade to a paid plan to enjoy full historical data access: https://www.coingecko.com/en/api/pricing. ',
            )
      },
    },
    {
      // MetaMask/core#3573
      row: 3,
      refuse({ query }) {
        const asked = query.get('contract_addresses')?.split(',').length ?? 0
        if (asked <= (plan === 'keyless' ? 1 : 10)) return null
        return {
          status: 400,
          body: {
            timestamp: new Date(clock.now()).toISOString(),
            error_code: 10012,
            status: {
              error_message:
                'Number of contract addresses in the request exceeds the allowed limit (10 addresses). ..',
            },
          },
        }
      },
    },
    {
      // Past totals of the market are of paid plans.
      row: 4,
      refuse: ({ path }) =>
        path.endsWith('/global/market_cap_chart')
          ? error(401, 10005, 'This request is limited to PRO API subscribers.')
          : null,
    },
  ]
}

/** The first instant that a chart asks for; null: it is no chart. */
function historyStart({ path, query }: Asked, nowMs: number): number | null {
  if (path.endsWith('/market_chart/range')) return Number(query.get('from')) * 1_000
  if (!path.endsWith('/market_chart')) return null
  const days = query.get('days') ?? ''
  return days === 'max' ? 0 : nowMs - Number(days) * DAY_MS
}

function answer(asked: Asked, world: { coins: readonly MarketCoin[]; nowMs: number }): Reply {
  const { coins, nowMs } = world
  const [, , first, second, third, fourth] = partsOf(asked)
  const of = (id: string | undefined) => coins.find(({ geckoId }) => geckoId === id)
  if (first === 'coins' && second === 'markets') return { body: markets(asked, world) }
  if (first === 'coins' && second === 'list')
    return {
      body: coins.map(({ geckoId: id, symbol, name, contract }) => ({
        id,
        symbol: symbol.toLowerCase(),
        name,
        platforms: contract === null ? {} : { ethereum: contract },
      })),
    }
  if (first === 'global')
    return {
      body: {
        data: {
          total_market_cap: { usd: 3e12 },
          total_volume: { usd: 1e11 },
          market_cap_percentage: { btc: 58.1 },
          market_cap_change_percentage_24h_usd: -1.2,
          updated_at: Math.floor(nowMs / 1_000),
        },
      },
    }
  const coin = of(second)
  if (first !== 'coins' || !coin) return { status: 404, body: '{"error":"coin not found"}' }
  if (third === 'market_chart' && fourth === 'range') return { body: chart(asked, { coin, nowMs }) }
  if (third !== undefined)
    return { status: 404, body: '{"error":"Incorrect path. Please check https://www.coingecko.com/api/"}' }
  return {
    body: {
      id: coin.geckoId,
      categories: ['Layer 1 (L1)'],
      links: { homepage: ['https://example.org', ''], blockchain_site: ['https://explorer.example.org'] },
      detail_platforms:
        coin.contract === null
          ? { '': { decimal_place: null, contract_address: '' } }
          : { ethereum: { decimal_place: 18, contract_address: coin.contract } },
    },
  }
}

function markets({ query }: Asked, { coins, nowMs }: { coins: readonly MarketCoin[]; nowMs: number }) {
  // A larger page than the plan allows is cut, not refused.
  const size = Math.min(250, Number(query.get('per_page') ?? 100))
  const start = (Number(query.get('page') ?? 1) - 1) * size
  return coins.slice(start, start + size).map((coin, index) => ({
    id: coin.geckoId,
    symbol: coin.symbol.toLowerCase(),
    name: coin.name,
    current_price: usdAt(coin, nowMs),
    last_updated: new Date(nowMs - 20_000).toISOString(),
    ...someOf({
      image: `https://coin-images.coingecko.com/${coin.geckoId}.png`,
      market_cap: marketCapOf(coin, start + index),
      market_cap_rank: start + index + 1,
      fully_diluted_valuation: null,
      total_volume: 1e6,
      circulating_supply: 1e7,
      total_supply: null,
      ath: coin.usd * 1.5,
      ath_date: '2025-10-06T18:57:42.558Z',
      atl: coin.usd / 100,
      atl_date: '2020-03-13T02:29:43.794Z',
      price_change_percentage_24h_in_currency: 1.5,
    }),
  }))
}

const chance = createRandom(23)

/** Leaves out or empties one field in ten: none of them is promised. */
const someOf = (fields: Record<string, unknown>) =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([name, value]) => {
      const drawn = chance()
      return drawn < 0.05 ? [] : [[name, drawn < 0.1 ? null : value]]
    }),
  )

/** Hourly up to 90 days, daily beyond. Row 5: the last point is now, not on the grid. */
function chart({ query }: Asked, { coin, nowMs }: { coin: MarketCoin; nowMs: number }) {
  const [from, to] = [Number(query.get('from')) * 1_000, Math.min(nowMs, Number(query.get('to')) * 1_000)]
  const step = to - from <= 90 * DAY_MS ? 3_600_000 : DAY_MS
  const prices: [number, number][] = []
  for (let at = Math.ceil(from / step) * step; at <= to; at += step) prices.push([at + 41, usdAt(coin, at)])
  if (to === nowMs) prices.push([nowMs, usdAt(coin, nowMs)])
  return { prices, market_caps: prices, total_volumes: prices }
}
