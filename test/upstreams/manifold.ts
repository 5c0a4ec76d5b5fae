import { type Asked, type DoubleServer, type FakeClock, type Reply, startDouble } from './double.ts'
import { createMeter } from './meter.ts'

/** docs.manifold.markets/api: of one address, in a minute */
export const MOST_PER_MINUTE = 500
const MOST = { markets: 1_000, offset: 1_000, bets: 1_000 }

export interface ManifoldBet {
  atMs: number
  probBefore: number
  probAfter: number
}

export interface ManifoldMarket {
  id: string
  question: string
  slug: string
  probability: number
  bettors: number
  createdAtMs: number
  closesAtMs: number | null
  /** of what was bet, in mana */
  volume: number
  outcomeType?: 'BINARY' | 'MULTIPLE_CHOICE' | 'STONK'
  token?: 'MANA' | 'CASH'
  resolution?: { of: 'YES' | 'NO' | 'MKT' | 'CANCEL'; atMs: number; probability?: number }
  bets: ManifoldBet[]
}

interface ManifoldDouble extends DoubleServer {
  state: {
    /** markets that are gone, whatever is asked */
    deleted: Set<string>
  }
  refused: string[]
}

/** A LiteMarket, with fields that our adapter does not read as the venue sends them. */
function rowOf(market: ManifoldMarket): Record<string, unknown> {
  const { id, question, slug, probability, createdAtMs, closesAtMs, volume, resolution } = market
  const closes = resolution && closesAtMs ? Math.min(resolution.atMs, closesAtMs) : closesAtMs
  return {
    id,
    creatorId: 'igi2zGXsfxYPgB0DJTXVJVmwCOr2',
    creatorUsername: 'Austin',
    creatorName: 'Austin',
    createdTime: createdAtMs,
    creatorAvatarUrl: 'https://lh3.googleusercontent.com/a-/AOh14GiZyl1lBehuBMGyJYJhZd',
    ...(closes !== null && { closeTime: closes }),
    question,
    slug,
    url: `https://manifold.markets/Austin/${slug}`,
    pool: { YES: 146.73022894879944, NO: 146.73022894879944 / 3 },
    probability,
    p: 0.08281474972181882,
    totalLiquidity: 102.65696071594805,
    outcomeType: market.outcomeType ?? 'BINARY',
    mechanism: market.outcomeType === 'MULTIPLE_CHOICE' ? 'cpmm-multi-1' : 'cpmm-1',
    volume,
    volume24Hours: volume / 4,
    isResolved: resolution !== undefined,
    ...(resolution && {
      resolution: resolution.of,
      resolutionTime: resolution.atMs,
      // The price before it, whatever it resolved to.
      resolutionProbability: resolution.probability ?? probability,
      resolverId: 'igi2zGXsfxYPgB0DJTXVJVmwCOr2',
    }),
    uniqueBettorCount: market.bettors,
    lastUpdatedTime: market.bets.at(-1)?.atMs ?? createdAtMs,
    ...(market.bets.length > 0 && { lastBetTime: market.bets.at(-1)!.atMs }),
    token: market.token ?? 'MANA',
  }
}

const betOf = (market: ManifoldMarket, { atMs, probBefore, probAfter }: ManifoldBet, i: number) => ({
  id: `bet-${i}`,
  userId: 'igi2zGXsfxYPgB0DJTXVJVmwCOr2',
  contractId: market.id,
  createdTime: atMs,
  amount: 10,
  shares: 17.350459904608414,
  outcome: probAfter >= probBefore ? 'YES' : 'NO',
  probBefore,
  probAfter,
  isRedemption: false,
  isFilled: true,
  isCancelled: false,
  fees: { platformFee: 0, liquidityFee: 0, creatorFee: 0.4251333951457593 },
})

/** What each endpoint takes (common/src/api/schema.ts of manifoldmarkets/manifold); it refuses any other parameter. */
const PARAMETERS: Record<string, readonly string[]> = {
  '/v0/search-markets':
    'term filter sort contractType offset limit beforeTime topicSlug creatorId token liquidity includeLiteAnswers'.split(
      ' ',
    ),
  '/v0/markets': 'limit sort order before userId groupId'.split(' '),
  '/v0/bets':
    'id userId username contractId contractSlug answerId limit before after beforeTime afterTime order kinds'.split(
      ' ',
    ),
}

/** The public part of Manifold's API, as its documents and its sources have it. */
export async function startManifold(options: {
  clock: FakeClock
  markets: ManifoldMarket[]
}): Promise<ManifoldDouble> {
  const { clock, markets } = options
  const state = { deleted: new Set<string>() }
  const refused: string[] = []
  const meter = createMeter(clock, [{ name: 'calls', most: MOST_PER_MINUTE, span: 60_000 }])

  const refuse = (status: number, message: string): Reply => {
    refused.push(message)
    return { status, body: { message } }
  }
  const invalid = () => refuse(400, 'Error validating request.')
  const public_ = () => markets.filter(({ id }) => !state.deleted.has(id))

  function search({ query }: Asked): Reply {
    const [limit, offset] = [Number(query.get('limit') ?? 100), Number(query.get('offset') ?? 0)]
    const [filter, sort] = [query.get('filter') ?? 'all', query.get('sort') ?? 'score']
    const type = query.get('contractType') ?? 'ALL'
    const token = query.get('token') ?? 'MANA'
    if (!(limit > 0 && limit <= MOST.markets) || !(offset >= 0)) return invalid()
    if (!['all', 'open'].includes(filter) || sort !== 'most-popular') return invalid()
    if (!['ALL', 'BINARY', 'MULTIPLE_CHOICE', 'STONK'].includes(type)) return invalid()
    if (!['MANA', 'CASH', 'ALL'].includes(token)) return invalid()
    if (offset > MOST.offset) return refuse(400, 'offset must be <= 1000.')
    const isOpen = ({ closesAtMs, resolution }: ManifoldMarket) =>
      !resolution && (closesAtMs === null || closesAtMs > clock.now())
    const found = public_()
      .filter((one) => type === 'ALL' || (one.outcomeType ?? 'BINARY') === type)
      .filter((one) => token === 'ALL' || (one.token ?? 'MANA') === token)
      .filter((one) => filter === 'all' || isOpen(one))
      .toSorted((a, b) => b.bettors - a.bettors)
    return { body: found.slice(offset, offset + limit).map(rowOf) }
  }

  function list({ query }: Asked): Reply {
    const limit = Number(query.get('limit') ?? 500)
    if (!(limit >= 0 && limit <= MOST.markets)) return invalid()
    const before = markets.find(({ id }) => id === query.get('before'))?.createdAtMs ?? Infinity
    const found = public_().filter(({ createdAtMs }) => createdAtMs < before)
    return {
      body: found
        .toSorted((a, b) => b.createdAtMs - a.createdAtMs)
        .slice(0, limit)
        .map(rowOf),
    }
  }

  function bets({ query }: Asked): Reply {
    const limit = Number(query.get('limit') ?? MOST.bets)
    if (!(limit >= 0 && limit <= MOST.bets)) return invalid()
    const [after, before] = [
      Number(query.get('afterTime') ?? -Infinity),
      Number(query.get('beforeTime') ?? Infinity),
    ]
    const market = markets.find(({ id }) => id === query.get('contractId'))
    const all = (market?.bets ?? []).map((bet, i) => betOf(market!, bet, i))
    const cursor = all.findIndex(({ id }) => id === query.get('before'))
    const found = all
      .slice(0, cursor === -1 ? undefined : cursor)
      .filter(({ createdTime }) => createdTime > after && createdTime < before)
    return { body: (query.get('order') === 'asc' ? found : found.toReversed()).slice(0, limit) }
  }

  function answer(asked: Asked): Reply {
    if (meter.take(asked.address)) return refuse(429, 'Too many requests')
    const known = PARAMETERS[asked.path]
    if (known && [...asked.query.keys()].some((name) => !known.includes(name))) return invalid()
    if (asked.path === '/v0/search-markets') return search(asked)
    if (asked.path === '/v0/markets') return list(asked)
    if (asked.path === '/v0/bets') return bets(asked)
    const market = public_().find(({ id }) => asked.path === `/v0/market/${id}`)
    if (!market) return { status: 404, body: { message: 'Contract not found' } }
    const isLite = asked.query.get('lite') === 'true'
    return {
      body: { ...rowOf(market), ...(!isLite && { textDescription: '', description: '', groupSlugs: [] }) },
    }
  }

  return { ...(await startDouble(answer)), state, refused }
}
