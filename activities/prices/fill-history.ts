import { type HistoryState, readHistoryStates } from '../../db/prices/read-for-ingest.ts'
import { type Resolution, storePrices } from '../../db/prices/write.ts'
import { quarantineRows } from '../../db/sources/write.ts'
import { transact } from '../../db/transact.ts'
import type { ActivityDeps } from '../deps.ts'
import { isSourceError, SourceUnavailable } from '../errors.ts'
import type { QuarantinedRow } from '../parse-rows.ts'
import { bucketPrices } from './bucket-prices.ts'
import type { HistoryClaims } from './history-claims.ts'
import { planOfHistory, readPast } from './history-sources.ts'
import { mapConcurrently } from '../many-items.ts'
import { type Chunk, chunksOf, LOOKBACK_BUCKETS, STEP_MS } from '../../db/prices/plan-history.ts'
import type { PriceSources } from './price-sources.ts'

export interface HistoryRequest {
  resolution: Resolution
  coinIds: readonly string[]
  /** the window to fill, both ends inclusive */
  fromMs: number
  toMs: number
}

interface HistoryResult {
  /** new or changed points */
  points: number
  /** coins that every source refused; each is quarantined and the others are filled */
  quarantined: number
  /** why coins wait for another time */
  unavailable: SourceUnavailable[]
}

const noResult = (): HistoryResult => ({ points: 0, quarantined: 0, unavailable: [] })

function add(total: HistoryResult, { points, quarantined, unavailable }: HistoryResult): void {
  total.points += points
  total.quarantined += quarantined
  total.unavailable.push(...unavailable)
}

/** Coins whose points are fetched concurrently and stored in one transaction. */
const GROUP = 8

interface FillContext {
  sources: PriceSources
  claims: HistoryClaims
  onProgress: () => void
}

/** Two, so that one fetches while the other stores. */
const FILLERS = 2

/**
 * Fills the histories of coins over a window. The history of a coin is one contiguous range that grows by
 * chunks at both ends. Rows and cursor commit together, so a killed run resumes where it stopped. Callers
 * that need the same coins share the work: each claims groups and waits for the groups of the others.
 */
export async function fillHistory(
  deps: ActivityDeps,
  context: FillContext,
  request: HistoryRequest,
): Promise<HistoryResult> {
  const result = noResult()
  const tried = new Set<string>()
  const fillers = Array.from({ length: FILLERS }, () =>
    fillClaimed(deps, context, { request, tried, result }),
  )
  // Wait until all have ended before one failure is thrown.
  await Promise.allSettled(fillers)
  await Promise.all(fillers)
  return result
}

/** Claims and fills group after group until all coins of the request have been tried. */
async function fillClaimed(
  deps: ActivityDeps,
  context: FillContext,
  { request, tried, result }: { request: HistoryRequest; tried: Set<string>; result: HistoryResult },
): Promise<void> {
  const { claims, onProgress, sources } = context
  const { resolution } = request
  for (;;) {
    const open = request.coinIds.filter((id) => !tried.has(id))
    const states = await readHistoryStates(deps.db, { resolution, coinIds: open })
    const missing = states.filter(
      (state) => !tried.has(state.coinId) && missingChunks(sources, { state, request }).length > 0,
    )
    if (missing.length === 0) return
    const keys = missing.map(({ coinId }) => `${coinId} ${resolution}`)
    const claim = claims.claim(keys, GROUP)
    if (claim.keys.length === 0) {
      onProgress()
      await claims.released(keys)
      continue
    }
    try {
      const group = missing.filter((_, index) => claim.keys.includes(keys[index]!))
      const filled = await fillGroup(deps, context, { request, group })
      add(result, filled)
      for (const { coinId } of group) tried.add(coinId)
    } finally {
      claim.release()
    }
  }
}

/** What is missing of a coin and may be had under the plans of the sources. */
function missingChunks(
  sources: PriceSources,
  { state, request }: { state: HistoryState; request: HistoryRequest },
): Chunk[] {
  const { resolution } = request
  return chunksOf(state, { ...request, plan: planOfHistory(sources, { state, resolution }) })
}

/** Fills the histories of a group of coins, one chunk of each coin at a time. */
async function fillGroup(
  deps: ActivityDeps,
  { sources, onProgress }: FillContext,
  { request, group }: { request: HistoryRequest; group: readonly HistoryState[] },
): Promise<HistoryResult> {
  const { resolution } = request
  const result = noResult()
  // Read again: another caller may have filled part of it before the claim.
  const states = await readHistoryStates(deps.db, { resolution, coinIds: group.map(({ coinId }) => coinId) })
  let queues = states.map((state) => missingChunks(sources, { state, request }))
  while (queues.some((queue) => queue.length > 0)) {
    const chunks = queues.flatMap((queue) => queue.slice(0, 1))
    const stored = await storeGroup(deps, sources, { request, chunks })
    add(result, stored)
    onProgress()
    // A coin whose chunk failed has no history that the next chunk could continue.
    queues = queues.map(([chunk, ...rest]) => (chunk && !stored.failed.has(chunk.state.coinId) ? rest : []))
  }
  return result
}

async function storeGroup(
  deps: ActivityDeps,
  sources: PriceSources,
  { request, chunks }: { request: HistoryRequest; chunks: Chunk[] },
): Promise<HistoryResult & { failed: Set<string> }> {
  const { resolution } = request
  const failed = new Set<string>()
  const unavailable: SourceUnavailable[] = []
  const refused: { source: string; quarantined: QuarantinedRow[] }[] = []
  const read = await mapConcurrently(chunks, 4, async (chunk) => {
    const { state, fromMs, toMs } = chunk
    try {
      return await readChunk(sources, { chunk, resolution })
    } catch (error) {
      if (!isSourceError(error)) throw error
      failed.add(state.coinId)
      const payload = { coinId: state.coinId, resolution, fromMs, toMs }
      if (error instanceof SourceUnavailable) unavailable.push(error)
      else refused.push({ source: state.source, quarantined: [{ reason: error.message, payload }] })
      return null
    }
  })
  const good = read.filter((one) => one !== null)
  const fetchedAt = deps.now()
  const points = await transact(deps.pool, async (transaction) => {
    for (const { source, quarantined } of refused)
      await quarantineRows(transaction.db, { source, area: 'prices', quarantined, fetchedAt })
    return storePrices(transaction, {
      resolution,
      points: good.flatMap(({ chunk, past, edges }) =>
        edges.map(({ atMs, usd }) => ({
          coinId: chunk.state.coinId,
          at: new Date(atMs),
          usd,
          source: past.source,
        })),
      ),
      histories: good.map(({ chunk, past, fromMs }) => ({
        coinId: chunk.state.coinId,
        from: new Date(fromMs),
        to: new Date(chunk.toMs),
        floor:
          past.floor === null || fromMs === chunk.fromMs
            ? null
            : { reason: past.floor, plan: planOfHistory(sources, { state: chunk.state, resolution }) },
      })),
      fetchedAt,
    })
  })
  return { points, quarantined: refused.length, unavailable, failed }
}

/** Reads a chunk. `fromMs`: the edge from which on it is known. */
async function readChunk(
  sources: PriceSources,
  { chunk, resolution }: { chunk: Chunk; resolution: Resolution },
) {
  const stepMs = STEP_MS[resolution]
  const { state, toMs } = chunk
  const lookBackMs = chunk.fromMs - stepMs * LOOKBACK_BUCKETS
  const isNewer = state.to !== null && chunk.fromMs >= state.to.getTime()
  const range = { resolution, fromMs: lookBackMs - 1, toMs: toMs + stepMs }
  const past = await readPast(sources, { state, range })
  const knownMs = Math.min(toMs, Math.ceil(past.fromMs / stepMs) * stepMs)
  // A hole behind what is stored stays one: histories begin where they began.
  const fromMs = isNewer ? chunk.fromMs : Math.max(chunk.fromMs, knownMs)
  // The window is [from, to]: the edge at its start is stored too.
  const edges = bucketPrices(past.points, { fromMs: (isNewer ? lookBackMs : chunk.fromMs) - 1, toMs, stepMs })
  return { chunk, past, fromMs, edges }
}
