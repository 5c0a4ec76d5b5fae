import { NETWORKS } from '../../db/values/networks.ts'
import { startDouble } from './double.ts'
import type { Asked, DoubleServer, FakeClock, Reply } from './double.ts'
import { accountRows } from './explorer-rows.ts'
import type { AccountList, AccountRow } from './explorer-rows.ts'
import { alchemy } from './nodes/alchemy.ts'
import { createBooks } from './nodes/books.ts'
import type { Books } from './nodes/books.ts'
import type { MemoryChain } from './nodes/chain.ts'
import { RpcError } from './nodes/rpc-error.ts'
import type { Refusal } from './nodes/rpc-error.ts'
import { hex } from './nodes/rpc-shapes.ts'

export const ALCHEMY_KEY = 'a-free-key-of-alchemy'

const LISTS: Record<string, AccountList> = {
  external: 'transactions',
  internal: 'internal',
  erc20: 'erc20',
  erc721: 'erc721',
  erc1155: 'erc1155',
}
/** alchemyplatform/docs, transfers.yaml: `internal` is known on Ethereum and Polygon only. */
const WITH_INTERNALS = new Set([1, 137])
/** transfers-api-quickstart: rows of a page at most, and how long the key of the next one lives. */
const PAGE_ROWS = 1_000
const PAGE_KEY_MS = 600_000

interface Params {
  fromBlock?: string
  toBlock?: string
  fromAddress?: string
  toAddress?: string
  category?: string[]
  excludeZeroValue?: boolean
  order?: string
  maxCount?: string
  pageKey?: string
}

export interface TransfersDouble extends DoubleServer {
  /** with the part that stands for the network */
  apiUrl: string
  /** rows of the rules that refused something, in order */
  refused: number[]
}

/** Row 15: Alchemy's Transfers API on the free plan. Its units are those of the account's nodes. */
export async function startAlchemyTransfers(options: {
  clock: FakeClock
  chains: readonly MemoryChain[]
  /** those of the account */
  books?: Books
}): Promise<TransfersDouble> {
  const { clock, books = createBooks(alchemy, clock) } = options
  const chains = new Map(options.chains.map((chain) => [nameOf(chain), chain]))
  const refused: number[] = []
  const pages = new Map<string, { untilMs: number; rows: Transfer[] }>()

  function answer({ path, body }: Asked): Reply {
    const [, network = '', version, key] = path.split('/')
    const request = JSON.parse(body) as { id: number; method: string; params: [Params] }
    const refusal = refusalOf(request, key) ?? null
    const chain = chains.get(network)
    // Hosts of networks that it does not have do not exist.
    if (!chain || version !== 'v2') return { status: 404, body: 'Not Found' }
    if (refusal) {
      refused.push(15)
      return errorReply(request.id, refusal)
    }
    try {
      return { body: { jsonrpc: '2.0', id: request.id, result: pageOf(chain, request.params[0]) } }
    } catch (error) {
      if (!(error instanceof RpcError)) throw error
      refused.push(15)
      return errorReply(request.id, error.refusal)
    }
  }

  function refusalOf(request: { method: string; params: unknown[] }, key: string | undefined) {
    if (key !== ALCHEMY_KEY) return alchemy.withoutKey
    return books.request(key, [request]) ?? books.call(key, request.method)
  }

  function pageOf(chain: MemoryChain, params: Params) {
    const size = Number(params.maxCount ?? hex(PAGE_ROWS))
    if (size > PAGE_ROWS) throw invalid('maxCount must be less than or equal to 0x3e8')
    const rows = rowsLeft(chain, params)
    const pageKey = rows.length > size ? `page-${pages.size + 1}` : undefined
    if (pageKey) pages.set(pageKey, { untilMs: clock.now() + PAGE_KEY_MS, rows: rows.slice(size) })
    return { transfers: rows.slice(0, size).map(shapeOf), ...(pageKey && { pageKey }) }
  }

  function rowsLeft(chain: MemoryChain, params: Params): Transfer[] {
    if (params.pageKey === undefined) return transfersOf(chain, params)
    const kept = pages.get(params.pageKey)
    if (!kept || kept.untilMs < clock.now()) throw invalid('pageKey is invalid or has expired')
    return kept.rows
  }

  const server = await startDouble(answer)
  return { ...server, apiUrl: `${server.url}/{network}/v2`, refused }
}

type Transfer = AccountRow & { category: string }

function transfersOf(chain: MemoryChain, params: Params): Transfer[] {
  const { category, excludeZeroValue = true, fromAddress, toAddress } = params
  if (!category || category.length === 0) throw invalid('category is required')
  if (category.includes('internal') && !WITH_INTERNALS.has(chain.chainId))
    throw invalid(`'internal' is not supported on ${nameOf(chain)}`)
  const address = (fromAddress ?? toAddress ?? '').toLowerCase()
  const [from, to] = [Number(params.fromBlock ?? 0), Number(params.toBlock ?? chain.head())]
  const rows = category.flatMap((name) =>
    accountRows(chain, address, LISTS[name]!).map((row): Transfer => ({ ...row, category: name })),
  )
  return rows
    .filter((row) => (fromAddress === undefined ? row.to : row.from) === address)
    .filter(({ block }) => block.number >= from && block.number <= to)
    .filter((row) => row.value > 0n || !(excludeZeroValue || row.category === 'internal'))
    .toSorted((a, b) => (a.block.number - b.block.number) * (params.order === 'desc' ? -1 : 1))
}

function shapeOf({ block, transaction, index, from, to, value, token, category }: Transfer) {
  const isNft = category === 'erc721' || category === 'erc1155'
  return {
    blockNum: hex(block.number),
    uniqueId: `${transaction.hash}:${category}${index > 0 ? `:${index}` : ''}`,
    hash: transaction.hash,
    from,
    to: transaction.to === null && category === 'external' ? null : to,
    value: isNft ? null : Number(value) / 1e18,
    erc721TokenId: isNft ? hex(value) : null,
    erc1155Metadata: null,
    tokenId: isNft ? hex(value) : null,
    asset: token === null ? 'ETH' : null,
    category,
    rawContract: {
      value: isNft ? null : hex(value),
      address: token,
      decimal: token === null ? '0x12' : null,
    },
  }
}

const nameOf = (chain: MemoryChain): string =>
  NETWORKS.find(({ chainId }) => chainId === chain.chainId)?.names.alchemy ?? 'no network'

/** The words are not documented. */
const invalid = (message: string) => new RpcError({ status: 400, code: -32602, message })

const errorReply = (id: number, { status = 200, code, message }: Refusal): Reply => ({
  status,
  body: { jsonrpc: '2.0', id, error: { code, message } },
})
