import { createHmac } from 'node:crypto'
import { startDouble } from './double.ts'
import type { Asked, DoubleServer, FakeClock, Reply } from './double.ts'
import { createMeter } from './meter.ts'
import type { PolymarketFill, PolymarketMarket } from './polymarket-market.ts'

/** docs.polymarket.com/api-reference/rate-limits: requests of an address in 10 s. */
const ALL = { name: 'all', most: 1_000, span: 10_000 } as const
export const TRADES = { name: 'trades', most: 200, span: 10_000 } as const
/** The same page: what is over the rate waits, here as long as public clients saw. */
export const HOLD_MS = 20_000

const V1_PAGE = 1_000
const V2_PAGE = 1_000
/** docs: feeds/list-trades */
const MOST_CONDITIONS = 20
/** docs: filter_amount, whose 0 is read as this */
const LEAST_SIZE = 0.01
const V2_PARAMETERS = new Set(
  `condition condition_id conditionId event_id user side taker_only filter_type filter_amount limit start end
  cursor`.split(/\s+/),
)

export interface PolymarketDataState {
  /** the highest offset of v1 */
  offsetCap: number
  /** Whether v1 honours `end` for a market is not confirmed. */
  honoursEnd: boolean
  hasV2: boolean
  /** Cursors of another version are refused. */
  cursorKey: string
  /** condition ids that are refused whatever is asked */
  broken: Set<string>
}

export interface PolymarketDataDouble extends DoubleServer {
  state: PolymarketDataState
  /** rows of the rules that refused or held something, in order */
  refused: number[]
}

const error = (text: string, status = 400): Reply => ({ status, body: JSON.stringify({ error: text }) })

/** Rows 32, 33 and 36: the Data API of Polymarket in both versions. */
export async function startPolymarketData(options: {
  clock: FakeClock
  markets: readonly PolymarketMarket[]
}): Promise<PolymarketDataDouble> {
  const { clock, markets } = options
  const byCondition = new Map(markets.map((market) => [market.conditionId, market]))
  const state: PolymarketDataState = {
    offsetCap: 3_000,
    honoursEnd: true,
    hasV2: true,
    cursorKey: 'today',
    broken: new Set(),
  }
  const refused: number[] = []
  const all = createMeter(clock, [ALL])
  const trades = createMeter(clock, [TRADES])

  function refuse(row: number, reply: Reply): Reply {
    refused.push(row)
    return reply
  }

  function v1Trades({ query }: Asked): Reply {
    const offset = Number(query.get('offset') ?? 0)
    // 10 public texts (row 32). The page says 10,000.
    if (offset > state.offsetCap)
      return refuse(32, error(`max historical activity offset of ${state.offsetCap} exceeded`))
    const limit = Math.min(Number(query.get('limit') ?? 100), V1_PAGE)
    const end = state.honoursEnd ? Number(query.get('end') ?? Infinity) : Infinity
    const market = byCondition.get(query.get('market') ?? '')
    const found = (market?.fills ?? []).filter(
      ({ at, isTaker }) => at <= end && (isTaker || query.get('takerOnly') === 'false'),
    )
    return { body: found.slice(offset, offset + limit).map((fill) => v1Row(market!, fill)) }
  }

  const sign = (text: string) =>
    createHmac('sha256', state.cursorKey).update(text).digest('base64url').slice(0, 12)

  /** null: it is of another route or version */
  function placeOf(cursor: string): { from: number; limit: number } | null {
    const [payload = '', signature] = cursor.split('.')
    const text = Buffer.from(payload, 'base64url').toString()
    if (signature !== sign(text) || !text.startsWith('trades ')) return null
    const [, from, limit] = text.split(' ').map(Number)
    return { from: from!, limit: limit! }
  }

  /** docs.polymarket.com/api-reference/feeds/list-trades, /migrate/data-api-v1-to-v2 */
  function v2Trades({ query }: Asked): Reply {
    for (const name of query.keys())
      if (!V2_PARAMETERS.has(name)) return refuse(33, error(`unknown query parameter: ${name}`))
    const conditions = (query.get('condition') ?? '').split(',').filter((id) => id !== '')
    if (conditions.length > MOST_CONDITIONS)
      return refuse(33, error(`condition: at most ${MOST_CONDITIONS} values`))
    const malformed = conditions.find((id) => !/^0x[0-9a-f]{64}$/i.test(id))
    if (malformed) return refuse(33, error(`condition: malformed id ${malformed}`))
    const asked = Number(query.get('limit') ?? 100)
    if (asked > V2_PAGE) return refuse(33, error(`limit: must be at most ${V2_PAGE}`))
    const cursor = query.get('cursor')
    const place = cursor === null ? { from: 0, limit: asked } : placeOf(cursor)
    if (!place) return refuse(33, error('invalid cursor'))
    const rows = conditions.flatMap((id) => {
      const market = byCondition.get(id.toLowerCase())
      return (market?.fills ?? []).map((fill) => ({ market: market!, fill }))
    })
    const takers = query.get('taker_only') !== 'false'
    const found = rows.filter(({ fill }) => fill.size >= LEAST_SIZE && (fill.isTaker || !takers))
    const { from, limit } = place
    const text = `trades ${from + limit} ${limit}`
    const more = from + limit < found.length
    return {
      body: {
        data: found.slice(from, from + limit).map(({ market, fill }) => v2Row(market, fill)),
        pagination: {
          limit,
          offset: 0,
          has_more: more,
          next_cursor: more ? `${Buffer.from(text).toString('base64url')}.${sign(text)}` : null,
        },
      },
    }
  }

  async function answer(asked: Asked): Promise<Reply> {
    const { path, query, address } = asked
    const isTrades = path.endsWith('/trades')
    if (all.broken(address) || (isTrades && trades.broken(address))) {
      refused.push(36)
      await clock.wait(HOLD_MS)
    }
    all.count(address)
    if (isTrades) trades.count(address)
    const condition = query.get('market') ?? query.get('condition') ?? ''
    if (state.broken.has(condition)) return error('invalid market')
    if (path === '/trades') return v1Trades(asked)
    if (path === '/v2/trades' && state.hasV2) return v2Trades(asked)
    if (path === '/holders') return { body: holdersOf(byCondition.get(condition)) }
    if (path === '/oi')
      return {
        body: condition
          .split(',')
          .flatMap((id) => (byCondition.has(id) ? { market: id, value: 1234.567891 } : [])),
      }
    return error('not found', 404)
  }

  const server = await startDouble(answer)
  return { ...server, state, refused }
}

function v1Row(market: PolymarketMarket, { wallet, side, outcome, size, price, at, hash }: PolymarketFill) {
  return {
    proxyWallet: wallet,
    side,
    asset: market.tokens[outcome],
    conditionId: market.conditionId,
    size,
    price,
    timestamp: at,
    title: market.question,
    slug: `market-${market.id}`,
    icon: '',
    eventSlug: `event-${market.id}`,
    outcome: outcome === 0 ? 'Yes' : 'No',
    outcomeIndex: outcome,
    name: '',
    pseudonym: 'Quiet-Otter',
    bio: '',
    profileImage: '',
    profileImageOptimized: '',
    transactionHash: hash,
  }
}

/** Fields without a value are null; the token has another name than in v1. */
function v2Row(market: PolymarketMarket, { wallet, side, outcome, size, price, at, hash }: PolymarketFill) {
  return {
    proxy_wallet: wallet,
    side,
    token_id: market.tokens[outcome],
    condition_id: market.conditionId,
    size,
    price,
    timestamp: at,
    transaction_hash: hash,
    title: market.question,
    slug: `market-${market.id}`,
    icon: null,
    event_slug: null,
    outcome: outcome === 0 ? 'Yes' : 'No',
    outcome_index: null,
    name: null,
    pseudonym: 'Quiet-Otter',
    bio: null,
    profile_image: null,
    profile_image_optimized: null,
  }
}

function holdersOf(market: PolymarketMarket | undefined) {
  return (market?.tokens ?? []).map((token, outcome) => ({
    token,
    holders: [
      {
        proxyWallet: market!.fills[outcome]?.wallet ?? `0x${'ab'.repeat(20)}`,
        asset: token,
        amount: 550253.927993,
        outcomeIndex: outcome,
        name: '',
        pseudonym: 'Quiet-Otter',
        profileImage: '',
      },
    ],
  }))
}
