import { startDouble } from './double.ts'
import type { Asked, DoubleServer, FakeClock, Reply } from './double.ts'
import { createMeter } from './meter.ts'
import { accountRows } from './explorer-rows.ts'
import type { AccountList, AccountRow } from './explorer-rows.ts'
import type { MemoryChain } from './nodes/chain.ts'

export interface BlockscoutState {
  /** v11 still names `items_count` in `next_page_params`; both versions are in use. */
  version: 'v11' | 'v12'
  /** Status of a spent day; which of both it is, is not known. */
  spentStatus: 429 | 402
}

export interface BlockscoutDouble extends DoubleServer {
  state: BlockscoutState
  /** rows of the rules that refused something, in order */
  refused: number[]
}

export const BLOCKSCOUT_KEY = 'proapi_free'

/** docs.blockscout.com/rate-limits: 20 credits a call of 100,000 a day, 5 calls a second. */
const CALL_CREDITS = 20
const DAY_CREDITS = 100_000

/** Rows 28 and 29: the PRO API with a free key, all chains but BNB. */
export async function startBlockscoutPro(options: {
  clock: FakeClock
  chains: readonly MemoryChain[]
  dayCredits?: number
}): Promise<BlockscoutDouble> {
  const { clock, dayCredits = DAY_CREDITS } = options
  const chains = new Map(options.chains.map((chain) => [String(chain.chainId), chain]))
  // No instance of BNB among 708 (public client, September 2026).
  chains.delete('56')
  const state: BlockscoutState = { version: 'v12', spentStatus: 429 }
  const refused: number[] = []
  // A 429 resets after about 0.3 s (public client, September 2026).
  const second = createMeter(clock, [{ name: 'second', most: 5, span: 1_000 }])
  const day = createMeter(clock, [{ name: 'day', most: dayCredits, span: 'day' }])
  const headers = (resetMs: number) => ({
    'x-credits-remaining': String(dayCredits - day.spent('key', 'day')),
    'x-ratelimit-limit': '5',
    'x-ratelimit-remaining': String(Math.max(0, 5 - second.spent('key', 1_000))),
    'x-ratelimit-reset': String(resetMs),
  })
  const refuse = (row: number, status: number, message: string, resetMs = -1): Reply => {
    refused.push(row)
    return { status, headers: headers(resetMs), body: { message } }
  }

  const server = await startDouble((asked) => {
    const key = asked.query.get('apikey')
    if (key === null) return refuse(28, 402, 'API key required')
    if (key !== BLOCKSCOUT_KEY) return refuse(28, 401, 'Invalid API key')
    if (day.broken('key', CALL_CREDITS))
      return refuse(28, state.spentStatus, 'Credits exhausted', day.resetsIn('key', 'day'))
    if (second.take('key')) return refuse(28, 429, 'Too many requests', 300)
    day.count('key', CALL_CREDITS)
    const chainId = /^\/(\d+)\//.exec(asked.path)?.[1]
    const chain = chains.get(chainId ?? '')
    const inner = { ...asked, path: asked.path.slice(1 + (chainId?.length ?? 0)) }
    const reply = chain ? answerRest(chain, inner, state) : notFound
    if (reply.status === 422) refused.push(29)
    return { ...reply, headers: headers(1_000) }
  })
  return { ...server, state, refused }
}

/** Row 30: the instance of one chain, without a key. */
export async function startBlockscoutInstance(options: {
  clock: FakeClock
  chain: MemoryChain
}): Promise<BlockscoutDouble> {
  const { clock, chain } = options
  const state: BlockscoutState = { version: 'v12', spentStatus: 429 }
  const refused: number[] = []
  // Advertised by the instances of Arbitrum and Base; blocks last 5 to 15 minutes (public notes, August and
  // September 2026).
  const meter = createMeter(clock, [{ name: 'forty minutes', most: 10, span: 40 * 60_000 }])
  let blockedUntil = 0
  const server = await startDouble((asked) => {
    if (clock.now() < blockedUntil || meter.take(asked.address)) {
      blockedUntil = Math.max(blockedUntil, clock.now() + 10 * 60_000)
      refused.push(30)
      return { status: 429, body: 'Too many requests. Increase limits now at https://dev.blockscout.com' }
    }
    const reply = answerRest(chain, asked, state)
    if (reply.status === 422) refused.push(29)
    return reply
  })
  return { ...server, state, refused }
}

const notFound: Reply = { status: 404, body: { message: 'Not found' } }

const STREAMS: Record<string, { lists: readonly AccountList[]; parameters: readonly string[] }> = {
  transactions: { lists: ['transactions'], parameters: ['filter', 'sort', 'order', 'block_number', 'index'] },
  'token-transfers': {
    lists: ['erc20', 'erc721', 'erc1155'],
    parameters: ['filter', 'type', 'token', 'block_number', 'index'],
  },
  'internal-transactions': {
    lists: ['internal'],
    parameters: ['filter', 'block_number', 'transaction_index', 'index'],
  },
}

const PATH = /^\/api\/v2\/addresses\/(0x[0-9a-fA-F]{40})\/([a-z-]+)$/
const LARGEST_PAGE = 100
const DEFAULT_PAGE = 50

/** docs.blockscout.com/blockscout-v12-0-0-api-updates-and-breaking-changes; 422 since the notes of v9.2.0. */
function answerRest(chain: MemoryChain, { path, query }: Asked, { version }: BlockscoutState): Reply {
  const [, address, name = ''] = PATH.exec(path) ?? []
  const stream = STREAMS[name]
  if (address === undefined || !stream) return notFound
  for (const parameter of query.keys())
    if (![...stream.parameters, 'items_count', 'apikey'].includes(parameter))
      return invalid(parameter, `Unexpected field: ${parameter}`)
  const asked = Number(query.get('items_count') ?? DEFAULT_PAGE)
  if (!(asked >= 1)) return invalid('items_count', `${asked} is smaller than inclusive minimum 1`)
  const size = Math.min(asked, LARGEST_PAGE)
  // `sort` is not echoed: a page without it has the default order again.
  const rows = stream.lists
    .flatMap((list) => accountRows(chain, address.toLowerCase(), list))
    .sort(query.get('sort') === 'value' ? (a, b) => Number(b.value - a.value) : newestFirst)
  const after = query.has('block_number') ? placeIn(query) : null
  const start = after === null ? 0 : rows.findIndex((row) => comparePlaces(placeOf(row), after) > 0)
  const page = start < 0 ? [] : rows.slice(start, start + size)
  const isLast = start < 0 || start + size >= rows.length
  const last = page.at(-1)
  const next = isLast || !last ? null : nextOf(name, last, version === 'v11' ? { items_count: size } : {})
  return { body: { items: page.map((row) => shapeOf(name, row)), next_page_params: next } }
}

const invalid = (parameter: string, detail: string): Reply => ({
  status: 422,
  body: { errors: [{ title: 'Invalid value', source: { pointer: `/${parameter}` }, detail }] },
})

/** Block, transaction and row, each downwards. */
type Place = readonly [number, number, number]
const placeOf = ({ block, transaction, index }: AccountRow): Place => [block.number, transaction.index, index]
const comparePlaces = (a: Place, b: Place) => b[0] - a[0] || b[1] - a[1] || b[2] - a[2]
const newestFirst = (a: AccountRow, b: AccountRow) => comparePlaces(placeOf(a), placeOf(b))

function placeIn(query: URLSearchParams): Place {
  const number = (name: string) => Number(query.get(name) ?? 0)
  // The index of a transfer is that of its log in the block; both lists order alike.
  if (query.has('transaction_index'))
    return [number('block_number'), number('transaction_index'), number('index')]
  const index = number('index')
  return [number('block_number'), Math.floor(index / INDEX_STEP), index % INDEX_STEP]
}

const INDEX_STEP = 10_000

function nextOf(name: string, row: AccountRow, more: object) {
  const [block_number, transaction_index, index] = placeOf(row)
  return name === 'internal-transactions'
    ? { block_number, index, transaction_index, ...more }
    : { block_number, index: transaction_index * INDEX_STEP + index, ...more }
}

function shapeOf(name: string, row: AccountRow) {
  const { block, transaction, from, to, value, token } = row
  const common = {
    block_number: block.number,
    timestamp: new Date(block.timestamp * 1_000).toISOString(),
    from: { hash: from },
    to: { hash: to },
  }
  if (name === 'transactions')
    return {
      ...common,
      hash: transaction.hash,
      value: String(value),
      result: transaction.succeeds ? 'success' : 'error',
    }
  if (name === 'token-transfers')
    return {
      ...common,
      transaction_hash: transaction.hash,
      log_index: row.index,
      token: { address_hash: token },
      total: { value: String(value), decimals: '18' },
    }
  return {
    ...common,
    transaction_hash: transaction.hash,
    index: row.index,
    success: true,
    value: String(value),
  }
}
