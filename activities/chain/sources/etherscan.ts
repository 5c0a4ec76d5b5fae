import { z } from 'zod'
import { SourceRejected } from '../../errors.ts'
import type { HttpClient, Refusal } from '../../http-client.ts'
import type { Explorer, ExplorerBlock, ExplorerRequest, ExplorerStep } from './explorer.ts'

const ACTIONS = ['txlist', 'txlistinternal', 'tokentx', 'tokennfttx', 'token1155tx'] as const
type Action = (typeof ACTIONS)[number]

const PAGE_ROWS = 1_000
/** Etherscan's limit for page × offset. */
const WINDOW_ROWS = 10_000

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
const answer = z.object({
  status: z.string().optional(),
  message: z.string().nullish(),
  result: z.union([z.array(row), z.string(), z.null()]),
})

/** Errors come with HTTP 200 and a text in `result`; so can an empty list. */
function refuse(body: unknown): Refusal | null {
  const { message, result } = (body ?? {}) as { message?: unknown; result?: unknown }
  if (Array.isArray(result)) return null
  const texts = [message, result].filter((one) => typeof one === 'string')
  const reason = texts.join(' ') || 'no result'
  if (/no (transactions|records|token transfers) found/i.test(reason)) return null
  return { reason, later: /rate limit|timeout|busy|try again|unexpected error/i.test(reason) }
}

/** Etherscan v2 (docs.etherscan.io): one key and one base URL for all chains. */
export function createEtherscan(options: { http: HttpClient; url: string; key: string | null }): Explorer {
  const source = 'etherscan'

  async function page(request: ExplorerRequest, query: { action: Action; page: number }): Promise<Row[]> {
    const url = new URL(options.url)
    const parameters: Record<string, string | number> = {
      chainid: request.chainId,
      module: 'account',
      action: query.action,
      address: request.address,
      startblock: request.fromBlock,
      endblock: request.toBlock,
      page: query.page,
      offset: PAGE_ROWS,
      sort: 'asc',
      ...(options.key !== null && { apikey: options.key }),
    }
    for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, String(value))
    const { result } = await options.http.fetchJson({ source, url: url.href, schema: answer, refuse })
    return Array.isArray(result) ? result : []
  }

  /** Rows from `fromBlock` on, and the last block up to which this stream is complete. */
  async function stream(request: ExplorerRequest, action: Action): Promise<{ rows: Row[]; through: number }> {
    const rows: Row[] = []
    for (let number = 1; number * PAGE_ROWS <= WINDOW_ROWS; number++) {
      const found = await page(request, { action, page: number })
      for (const one of found) rows.push(one)
      if (found.length < PAGE_ROWS) return { rows, through: request.toBlock }
      // The last block may continue on the next page, so the next step reads it again.
      const through = Number(found.at(-1)!.blockNumber) - 1
      if (through >= request.fromBlock) return { rows, through }
    }
    throw new SourceRejected(
      source,
      `${action}: block ${request.fromBlock} has more than the ${WINDOW_ROWS} rows that Etherscan pages for ${request.address}`,
    )
  }

  async function step(request: ExplorerRequest): Promise<ExplorerStep> {
    const streams = await Promise.all(ACTIONS.map((action) => stream(request, action)))
    const through = Math.min(...streams.map((one) => one.through))
    const complete = streams.map(({ rows }) => rows.filter((one) => Number(one.blockNumber) <= through))
    const internalRows = complete[ACTIONS.indexOf('txlistinternal')]!
    return {
      hashes: [...new Set(complete.flat().map((one) => one.hash.toLowerCase()))],
      internals: internalRows
        .filter((one) => one.isError !== '1' && BigInt(one.value ?? 0) > 0n)
        .map((one) => ({
          txHash: one.hash.toLowerCase(),
          from: one.from.toLowerCase(),
          to: (one.to || one.contractAddress || one.from).toLowerCase(),
          value: BigInt(one.value ?? 0),
        })),
      blocks: blocksOf(complete.flat()),
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
