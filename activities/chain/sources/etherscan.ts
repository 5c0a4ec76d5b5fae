import { z } from 'zod'
import type { HttpClient, Refusal } from '../../http-client.ts'
import { BlockTooFull } from './explorer.ts'
import type { Explorer, ExplorerBlock, ExplorerRequest, ExplorerStep } from './explorer.ts'

const ACTIONS = ['txlist', 'txlistinternal', 'tokentx', 'tokennfttx', 'token1155tx'] as const
type Action = (typeof ACTIONS)[number]
const INTERNALS = ['txlistinternal'] as const

/** Etherscan's limit for page × offset. */
const WINDOW_ROWS = 10_000
/** Etherscan gives up after 30 s and says so. */
const DEADLINE_MS = 45_000
const STEPS_TO_WIDEN = 8

const hash = z.string().regex(/^0x[0-9a-fA-F]{64}$/)
const digits = z.string().regex(/^\d{1,78}$/)
const row = z.object({
  blockNumber: digits,
  hash,
  from: z.string(),
  to: z.string().nullish(),
  contractAddress: z.string().nullish(),
  value: digits.optional(),
  isError: z.string().optional(),
  blockHash: z.string().nullish(),
  timeStamp: digits.nullish(),
})
type Row = z.infer<typeof row>
/** Rows of each action, and the last block up to which they are complete. */
type Streams = { action: Action; rows: Row[]; through: number }[]
const answer = z.object({
  status: z.string().optional(),
  message: z.string().nullish(),
  result: z.union([z.array(row), z.string(), z.null()]).optional(),
})

const EMPTY = /no (transactions|records|token transfers) found/i
const TOO_WIDE = /smaller result dataset|narrower block range/i
/** "Max rate limit reached, please use API Key" is no word about the key. */
const LATER = /rate limit|timeout|busy|temporarily|unexpected error/i
const OF_PLAN = /api key|not supported|unsupported chainid|api pro/i

/** Errors come with HTTP 200 and a text in `result` or `message`; so can an empty list. */
function refuse(body: unknown): Refusal | null {
  const reason = textOf(body)
  if (reason === null || EMPTY.test(reason) || TOO_WIDE.test(reason)) return null
  if (LATER.test(reason)) return { reason, later: true }
  // A key that is refused too often is answered "try again later": not with this one.
  const plan = OF_PLAN.test(reason)
  return { reason, later: !plan && /try again/i.test(reason), plan }
}

/** What an answer says in place of rows; null: it has rows. */
function textOf(body: unknown): string | null {
  const { message, result } = (body ?? {}) as { message?: unknown; result?: unknown }
  if (Array.isArray(result)) return null
  return [message, result].filter((one) => typeof one === 'string').join(' ') || 'no result'
}

interface DialectOptions {
  source: string
  http: HttpClient
  key: string | null
  /** Address of the API of a chain, with the parameters that choose it. */
  urlOf: (chainId: number) => string
  pageRows: number
}

interface ExplorerOptions {
  http: HttpClient
  url: string
  key: string | null
}

/** Etherscan v2 (docs.etherscan.io): one key and one base URL for all chains. */
export function createEtherscan({ http, url, key }: ExplorerOptions): Explorer {
  const urlOf = (chainId: number) => `${url}?chainid=${chainId}`
  return createDialect({ source: 'etherscan', http, key, urlOf, pageRows: 1_000 })
}

/** Routescan (routescan.io): no key needed. Larger pages time out. */
export function createRoutescan({ http, url, key }: ExplorerOptions): Explorer {
  const urlOf = (chainId: number) => `${url}/${chainId}/etherscan/api`
  return createDialect({ source: 'routescan', http, key, urlOf, pageRows: 500 })
}

/** Explorers that answer as Etherscan does. */
function createDialect({ source, http, key, urlOf, pageRows }: DialectOptions): Explorer {
  /** Blocks of a range by chain, where the whole one was too wide, and the steps read with it. */
  const widths = new Map<number, { width: number; steps: number }>()

  /** null: the range is too wide for the explorer. */
  async function page(
    request: ExplorerRequest,
    query: { action: Action; page: number },
  ): Promise<Row[] | null> {
    request.onProgress?.()
    const url = new URL(urlOf(request.chainId))
    const parameters: Record<string, string | number> = {
      module: 'account',
      action: query.action,
      address: request.address,
      startblock: request.fromBlock,
      endblock: request.toBlock,
      page: query.page,
      offset: pageRows,
      sort: 'asc',
      ...(key !== null && { apikey: key }),
    }
    for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, String(value))
    const asked = { source, url: url.href, schema: answer, refuse, deadlineMs: DEADLINE_MS }
    const body = await http.fetchJson(asked)
    if (Array.isArray(body.result)) return body.result
    return TOO_WIDE.test(textOf(body) ?? '') ? null : []
  }

  /** Rows from `fromBlock` on, and the last block up to which this stream is complete. null: too wide */
  async function stream(
    request: ExplorerRequest,
    action: Action,
  ): Promise<{ rows: Row[]; through: number } | null> {
    const rows: Row[] = []
    for (let number = 1; number * pageRows <= WINDOW_ROWS; number++) {
      const found = await page(request, { action, page: number })
      if (found === null) return null
      for (const one of found) rows.push(one)
      if (found.length < pageRows) return { rows, through: request.toBlock }
      // The last block may continue on the next page, so the next step reads it again.
      const through = Number(found.at(-1)!.blockNumber) - 1
      if (through >= request.fromBlock) return { rows, through }
    }
    throw new BlockTooFull(
      source,
      `${action}: block ${request.fromBlock} has more than the ${WINDOW_ROWS} rows that it pages for ${request.address}`,
    )
  }

  /** All streams of the range, each as far as those before it; null: the range is too wide. */
  async function readStreams(request: ExplorerRequest): Promise<Streams | null> {
    const streams: Streams = []
    for (const action of request.onlyInternals ? INTERNALS : ACTIONS) {
      const toBlock = Math.min(request.toBlock, ...streams.map((one) => one.through))
      const found = await stream({ ...request, toBlock }, action)
      if (found === null) return null
      streams.push({ action, ...found })
    }
    return streams
  }

  async function readWidest(request: ExplorerRequest): Promise<Streams> {
    const { chainId, fromBlock } = request
    const all = request.toBlock - fromBlock + 1
    const known = widths.get(chainId) ?? { width: all, steps: 0 }
    for (let width = Math.min(all, known.width); width >= 1; width = Math.floor(width / 2)) {
      const streams = await readStreams({ ...request, toBlock: fromBlock + width - 1 })
      if (streams === null) continue
      const steps = width === known.width ? known.steps + 1 : 0
      // Later blocks may hold less, but each try that fails takes half a minute.
      if (width < all)
        widths.set(chainId, steps < STEPS_TO_WIDEN ? { width, steps } : { width: width * 2, steps: 0 })
      return streams
    }
    throw new BlockTooFull(source, `block ${fromBlock} is too much for one answer about ${request.address}`)
  }

  async function step(request: ExplorerRequest): Promise<ExplorerStep> {
    const streams = await readWidest(request)
    const through = Math.min(...streams.map((one) => one.through))
    const complete = streams.flatMap(({ action, rows }) =>
      rows.filter((one) => Number(one.blockNumber) <= through).map((one) => ({ ...one, action })),
    )
    return {
      hashes: [...new Set(complete.map((one) => one.hash.toLowerCase()))],
      internals: complete
        .filter(({ action }) => action === 'txlistinternal')
        .filter((one) => one.isError !== '1' && BigInt(one.value ?? 0) > 0n)
        .map((one) => ({
          txHash: one.hash.toLowerCase(),
          from: one.from.toLowerCase(),
          to: (one.to || one.contractAddress || one.from).toLowerCase(),
          value: BigInt(one.value ?? 0),
        })),
      blocks: blocksOf(complete),
      through,
      next: null,
    }
  }

  return { source, step }
}

/** Rows of internal transfers name no block hash, so another row of the transaction comes first. */
function blocksOf(rows: readonly Row[]): Map<string, ExplorerBlock> {
  const blocks = new Map<string, ExplorerBlock>()
  for (const { hash, blockNumber, blockHash, timeStamp } of rows) {
    const key = hash.toLowerCase()
    if (blocks.get(key)?.hash) continue
    blocks.set(key, {
      number: Number(blockNumber),
      hash: blockHash?.toLowerCase() ?? null,
      atMs: timeStamp ? Number(timeStamp) * 1_000 : null,
    })
  }
  return blocks
}
