import { z } from 'zod'
import { NETWORKS } from '../../../db/values/networks.ts'
import { NotInPlan } from '../../errors.ts'
import { type HttpClient, NETWORK_IN_URL, type Refusal } from '../../http-client.ts'
import { BlockTooFull } from './explorer.ts'
import type { Explorer, ExplorerBlock, ExplorerRequest, ExplorerStep } from './explorer.ts'

export const ALCHEMY_TRANSFERS = 'alchemy-transfers'

/** Names of networks by chain, as alchemyplatform/docs lists them for this API. */
const NAMES = new Map(NETWORKS.map(({ chainId, names }) => [chainId, names.alchemy]))
const [ETHEREUM, POLYGON] = [1, 137]
/** Other networks refuse the category `internal`. */
const WITH_INTERNALS = new Set([ETHEREUM, POLYGON])

const PAGE_ROWS = 1_000
/** Pages of one block: as many rows as other explorers give. */
const PAGES_OF_BLOCK = 10

const quantity = z.string().regex(/^0x[0-9a-f]+$/i)
const account = z.string().regex(/^0x[0-9a-f]{40}$/i)
const transfer = z.object({
  category: z.string(),
  blockNum: quantity,
  hash: z.string().regex(/^0x[0-9a-f]{64}$/i),
  from: account,
  // null: a contract was created
  to: account.nullish(),
  rawContract: z.object({ value: quantity.nullish() }).nullish(),
})
type Transfer = z.infer<typeof transfer>
const answer = z.object({
  result: z.object({ transfers: z.array(transfer), pageKey: z.string().nullish() }),
})
const failure = z.object({ error: z.object({ code: z.number(), message: z.string() }) })

/** Over the rate. Other errors stay. */
function refuse(body: unknown): Refusal | null {
  const { data } = failure.safeParse(body)
  return data ? { reason: data.error.message, later: data.error.code === 429 } : null
}

/**
 * Alchemy's Transfers API (alchemy.com/docs/reference/transfers-api-quickstart), oldest first. `url` has `{network}` for
 * the name of the network; one without serves Ethereum alone. Failed transactions are listed too. What contracts sent is
 * only known on Ethereum and Polygon.
 */
export function createAlchemyTransfers(options: {
  http: HttpClient
  url: string
  key: string | null
}): Explorer {
  const { http, url, key } = options
  const source = ALCHEMY_TRANSFERS

  function urlOf(chainId: number): string {
    const network = url.includes(NETWORK_IN_URL) || chainId === ETHEREUM ? NAMES.get(chainId) : null
    if (!network) throw new NotInPlan(source, `it does not have chain ${chainId}`)
    const base = url.replace(NETWORK_IN_URL, network)
    return key === null ? base : `${base}/${encodeURIComponent(key)}`
  }

  async function page(
    request: ExplorerRequest,
    direction: 'fromAddress' | 'toAddress',
    pageKey: string | null,
  ) {
    request.onProgress?.()
    const ofContracts = WITH_INTERNALS.has(request.chainId) ? ['internal'] : []
    const category = request.onlyInternals
      ? ofContracts
      : ['external', ...ofContracts, 'erc20', 'erc721', 'erc1155']
    const { result } = await http.fetchJson({
      source,
      url: urlOf(request.chainId),
      ...(key !== null && { secret: encodeURIComponent(key) }),
      body: {
        jsonrpc: '2.0',
        id: 1,
        method: 'alchemy_getAssetTransfers',
        params: [
          {
            fromBlock: hex(request.fromBlock),
            toBlock: hex(request.toBlock),
            [direction]: request.address,
            category,
            // Calls of contracts have no value.
            excludeZeroValue: false,
            order: 'asc',
            maxCount: hex(PAGE_ROWS),
            ...(pageKey !== null && { pageKey }),
          },
        ],
      },
      schema: answer,
      refuse,
    })
    return { transfers: result.transfers, pageKey: result.pageKey || null }
  }

  /** Rows from `fromBlock` on, and the last block up to which they are complete. */
  async function stream(request: ExplorerRequest, direction: 'fromAddress' | 'toAddress') {
    const rows: Transfer[] = []
    let pageKey: string | null = null
    for (let pages = 0; pages < PAGES_OF_BLOCK; pages++) {
      const found = await page(request, direction, pageKey)
      rows.push(...found.transfers)
      pageKey = found.pageKey
      if (pageKey === null) return { rows, through: request.toBlock }
      // The last block may go on at the next page. Pages are kept for ten minutes only, so the next step asks by block.
      const through = Number(rows.at(-1)?.blockNum ?? request.fromBlock) - 1
      if (through >= request.fromBlock) return { rows, through }
    }
    throw new BlockTooFull(
      source,
      `block ${request.fromBlock} has more than the ${PAGES_OF_BLOCK * PAGE_ROWS} rows that are read for ${request.address}`,
    )
  }

  async function step(request: ExplorerRequest): Promise<ExplorerStep> {
    const { chainId, toBlock } = request
    if (request.onlyInternals && !WITH_INTERNALS.has(chainId))
      throw new NotInPlan(source, `it does not tell what contracts sent on chain ${chainId}`)
    const sent = await stream(request, 'fromAddress')
    const received = await stream({ ...request, toBlock: Math.min(toBlock, sent.through) }, 'toAddress')
    const { through } = received
    const own = request.address.toLowerCase()
    // What it sent to itself is in both.
    const others = received.rows.filter(({ from }) => from.toLowerCase() !== own)
    const rows = [...sent.rows, ...others].filter(({ blockNum }) => Number(blockNum) <= through)
    return {
      hashes: [...new Set(rows.map(({ hash }) => hash.toLowerCase()))],
      internals: rows.flatMap(internalOf),
      blocks: new Map(rows.map(({ hash, blockNum }) => [hash.toLowerCase(), blockOf(blockNum)])),
      through,
      next: null,
    }
  }

  return { source, step, lacksInternals: (chainId) => !WITH_INTERNALS.has(chainId) }
}

const hex = (number: number) => `0x${number.toString(16)}`

const blockOf = (blockNum: string): ExplorerBlock => ({ number: Number(blockNum), hash: null, atMs: null })

function internalOf({ category, hash, from, to, rawContract }: Transfer) {
  const value = BigInt(rawContract?.value ?? 0)
  if (category !== 'internal' || value === 0n) return []
  return [{ txHash: hash.toLowerCase(), from: from.toLowerCase(), to: (to ?? from).toLowerCase(), value }]
}
