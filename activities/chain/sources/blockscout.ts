import { z } from 'zod'
import type { HttpClient } from '../../http-client.ts'
import type { InternalTransfer } from '../chain-data.ts'
import type { Explorer, ExplorerRequest, ExplorerStep } from './explorer.ts'

const STREAMS = ['transactions', 'token-transfers', 'internal-transactions'] as const
type Stream = (typeof STREAMS)[number]

const account = z.object({ hash: z.string() }).nullish()
const item = z.object({
  // `hash` in `transactions`, `transaction_hash` in the other streams (`tx_hash` before v7).
  hash: z.string().optional(),
  transaction_hash: z.string().optional(),
  tx_hash: z.string().optional(),
  // `block` before v7.
  block_number: z.number().nullish(),
  block: z.number().nullish(),
  from: account,
  to: account,
  created_contract: account,
  value: z.string().nullish(),
  success: z.boolean().nullish(),
})
type Item = z.infer<typeof item>
const answer = z.object({
  items: z.array(item),
  next_page_params: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])).nullable(),
})
type PageParams = z.infer<typeof answer>['next_page_params']

/** Parameters of the next page by stream; a missing stream is complete. */
type Position = Partial<Record<Stream, NonNullable<PageParams>>>

/**
 * Blockscout's REST API, newest first. One step reads a page of each stream; the range is complete when all
 * streams have passed its start. Every key of `next_page_params` is sent back unchanged.
 */
export function createBlockscout(options: { http: HttpClient; url: string; key: string | null }): Explorer {
  const source = 'blockscout'

  async function page(request: ExplorerRequest, stream: Stream, params: NonNullable<PageParams>) {
    request.onProgress?.()
    const path = `${request.chainId}/api/v2/addresses/${request.address}/${stream}`
    const url = new URL(`${options.url.replace(/\/$/, '')}/${path}`)
    for (const [name, value] of Object.entries(params)) url.searchParams.set(name, String(value))
    if (options.key !== null) url.searchParams.set('apikey', options.key)
    return await options.http.fetchJson({ source, url: url.href, schema: answer, waitMs })
  }

  async function step(request: ExplorerRequest): Promise<ExplorerStep> {
    const position: Position =
      request.next === null
        ? {
            ...(!request.onlyInternals && { transactions: {}, 'token-transfers': {} }),
            'internal-transactions': {},
          }
        : JSON.parse(request.next)
    const next: Position = {}
    const hashes = new Set<string>()
    const internals: InternalTransfer[] = []
    for (const stream of STREAMS) {
      const params = position[stream]
      if (params === undefined) continue
      const { items, next_page_params } = await page(request, stream, params)
      let passed = false
      for (const one of items) {
        const block = one.block_number ?? one.block
        // Pending transactions have no block yet.
        if (block === null || block === undefined || block > request.toBlock) continue
        if (block < request.fromBlock) {
          passed = true
          continue
        }
        const hash = (one.transaction_hash ?? one.tx_hash ?? one.hash)?.toLowerCase()
        if (hash === undefined) continue
        hashes.add(hash)
        if (stream === 'internal-transactions') internals.push(...internalRow(hash, one))
      }
      if (next_page_params !== null && !passed) next[stream] = next_page_params
    }
    const done = Object.keys(next).length === 0
    return {
      hashes: [...hashes],
      internals,
      through: done ? request.toBlock : request.fromBlock - 1,
      next: done ? null : JSON.stringify(next),
    }
  }

  return { source, step }
}

const LONGEST_WAIT_MS = 86_400_000

/** Milliseconds until the limit ends; -1 after a fault of its own. */
function waitMs(headers: Record<string, string>): number | null {
  const reset = Number(headers['x-ratelimit-reset'] ?? NaN)
  return reset > 0 ? Math.min(reset, LONGEST_WAIT_MS) : null
}

function internalRow(txHash: string, row: Item): InternalTransfer[] {
  const from = row.from?.hash.toLowerCase()
  const to = (row.to ?? row.created_contract)?.hash.toLowerCase()
  const value = BigInt(row.value ?? 0)
  return row.success === false || !from || !to || value === 0n ? [] : [{ txHash, from, to, value }]
}
