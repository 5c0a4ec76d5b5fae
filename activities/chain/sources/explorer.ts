import { NETWORKS } from '../../../db/values/networks.ts'
import { NotInPlan, SourceRejected, SourceUnavailable } from '../../errors.ts'
import type { InternalTransfer } from '../chain-data.ts'

/**
 * One step through the history of an account. The explorer only finds the transactions. Their content is read
 * from the node by hash, so log indexes, fees and block hashes are the chain's own even if the explorer omits
 * them.
 */
export interface ExplorerStep {
  hashes: string[]
  internals: InternalTransfer[]
  /** Blocks by transaction, as far as the explorer names them. */
  blocks?: ReadonlyMap<string, ExplorerBlock>
  /** All blocks of the request up to this one are complete; `fromBlock - 1`: none is. */
  through: number
  /** Page where the next step of the same request resumes; null: it resumes after `through`. */
  next: string | null
}

export interface ExplorerBlock {
  number: number
  /** null: the row names only the number */
  hash: string | null
  atMs: number | null
}

export interface ExplorerRequest {
  chainId: number
  address: string
  fromBlock: number
  toBlock: number
  next: string | null
  /** Only what contracts sent, which needs one request in most cases. */
  onlyInternals?: boolean
  /** called before each page, for heartbeats */
  onProgress?: () => void
}

/** The first block of the request holds more rows than the explorer gives. */
export class BlockTooFull extends SourceRejected {}

export interface Explorer {
  source: string
  /** Whether it does not know what contracts sent on a chain. Absent: it knows. */
  lacksInternals?: (chainId: number) => boolean
  step: (request: ExplorerRequest) => Promise<ExplorerStep>
}

/** Names of the explorers that are asked for a chain, in order. Etherscan comes late where its free plan lacks the chain. */
const orders = new Map<number | null, readonly string[]>(
  NETWORKS.map(({ chainId, history }) => [chainId, history]),
)

/** How long an explorer is not asked for a chain that its plan lacks: a key can be renewed meanwhile. */
const REFUSED_MS = 3_600_000

export interface Explorers {
  /** Whether one of them may answer. */
  canAnswer: (chainId: number) => boolean
  /**
   * Asks the explorers of a chain in order until one answers. Throws SourceUnavailable if one of them may
   * answer later.
   */
  read: (request: ExplorerRequest) => Promise<ExplorerAnswer>
}

/** `refused`: why none of them answers this. `blocks`: how many blocks that concerns. */
export type ExplorerAnswer = { source: string; step: ExplorerStep } | { refused: string; blocks: number }

export function createExplorers(explorers: readonly Explorer[], nowMs: () => number): Explorers {
  /** why and until when an explorer is not asked, by chain and name */
  const refusals = new Map<string, { untilMs: number; reason: string }>()

  const listed = (chainId: number) =>
    (orders.get(chainId) ?? []).flatMap((name) => explorers.find(({ source }) => source === name) ?? [])
  const refusalOf = (chainId: number, { source }: Explorer) => {
    const refusal = refusals.get(`${chainId} ${source}`)
    return refusal && refusal.untilMs > nowMs() ? refusal : null
  }

  async function read(request: ExplorerRequest): Promise<ExplorerAnswer> {
    const { chainId } = request
    const resume =
      request.next === null ? null : (JSON.parse(request.next) as { source: string; next: string })
    // The one that began to page backwards goes on, because no other knows its position.
    const order = listed(chainId).sort(
      (a, b) => Number(b.source === resume?.source) - Number(a.source === resume?.source),
    )
    const reasons: string[] = []
    let [unavailable, isTooFull]: [SourceUnavailable | null, boolean] = [null, false]
    for (const explorer of order) {
      const { source } = explorer
      // What it lacks would stay unknown: the one that knows it answers later.
      if (unavailable !== null && explorer.lacksInternals?.(chainId)) continue
      const known = refusalOf(chainId, explorer)
      if (known) {
        reasons.push(known.reason)
        continue
      }
      try {
        const page = source === resume?.source ? resume.next : null
        const step = await stepFrom(explorer, { ...request, next: page })
        return { source, step: { ...step, next: step.next && JSON.stringify({ source, next: step.next }) } }
      } catch (error) {
        if (error instanceof SourceUnavailable) {
          unavailable ??= error
          continue
        }
        if (!(error instanceof SourceRejected)) throw error
        reasons.push(error.message)
        isTooFull ||= error instanceof BlockTooFull
        if (error instanceof NotInPlan)
          refusals.set(`${chainId} ${source}`, { untilMs: nowMs() + REFUSED_MS, reason: error.message })
      }
    }
    if (unavailable !== null) throw unavailable
    const all = request.toBlock - request.fromBlock + 1
    return {
      refused: reasons.join('; ') || 'no explorer of this network is configured',
      blocks: isTooFull ? 1 : all,
    }
  }

  return {
    canAnswer: (chainId) => listed(chainId).some((explorer) => !refusalOf(chainId, explorer)),
    read,
  }
}

/** Begins anew if the explorer no longer knows the page: its parameters may have changed since. */
async function stepFrom(explorer: Explorer, request: ExplorerRequest): Promise<ExplorerStep> {
  try {
    return await explorer.step(request)
  } catch (error) {
    const isPage = request.next !== null && error instanceof SourceRejected && !(error instanceof NotInPlan)
    if (!isPage) throw error
    return await explorer.step({ ...request, next: null })
  }
}
