import { type HistoryState, readHistoryStates } from '../../db/prices/read-for-ingest.ts'
import { type Resolution, storePrices } from '../../db/prices/write.ts'
import { quarantineRows } from '../../db/sources/write.ts'
import { transact } from '../../db/transact.ts'
import type { ActivityDeps } from '../deps.ts'
import { SourceRejected } from '../errors.ts'
import { bucketPrices } from './bucket-prices.ts'
import type { HistoryClaims } from './history-claims.ts'
import { mapConcurrently } from '../many-items.ts'
import type { PricePoint } from './market-data.ts'
import { type Chunk, chunksOf, LOOKBACK_BUCKETS, STEP_MS } from './plan-history.ts'
import { type PriceSources, required } from './price-sources.ts'
import { DEFILLAMA } from './sources/defillama.ts'

export interface HistoryRequest {
  resolution: Resolution
  coinIds: readonly string[]
  /** the window to fill, both ends inclusive */
  fromMs: number
  toMs: number
}

export interface HistoryResult {
  /** new or changed points */
  points: number
  /** coins whose source refused the request; each is quarantined and the others are filled */
  quarantined: number
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
  const result: HistoryResult = { points: 0, quarantined: 0 }
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
  const { claims, onProgress } = context
  const { resolution } = request
  for (;;) {
    const open = request.coinIds.filter((id) => !tried.has(id))
    const states = await readHistoryStates(deps.db, { resolution, coinIds: open })
    const missing = states.filter((state) => !tried.has(state.coinId) && chunksOf(state, request).length > 0)
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
      result.points += filled.points
      result.quarantined += filled.quarantined
      for (const { coinId } of group) tried.add(coinId)
    } finally {
      claim.release()
    }
  }
}

/** Fills the histories of a group of coins, one chunk of each coin at a time. */
async function fillGroup(
  deps: ActivityDeps,
  { sources, onProgress }: FillContext,
  { request, group }: { request: HistoryRequest; group: readonly HistoryState[] },
): Promise<HistoryResult> {
  const { resolution } = request
  const result: HistoryResult = { points: 0, quarantined: 0 }
  // Read again: another caller may have filled part of it before the claim.
  const states = await readHistoryStates(deps.db, { resolution, coinIds: group.map(({ coinId }) => coinId) })
  let queues = states.map((state) => chunksOf(state, request))
  while (queues.some((queue) => queue.length > 0)) {
    const chunks = queues.flatMap((queue) => queue.slice(0, 1))
    const stored = await storeGroup(deps, sources, { resolution, chunks })
    result.points += stored.points
    result.quarantined += stored.quarantined
    onProgress()
    queues = queues.map((queue) => queue.slice(1))
  }
  return result
}

async function storeGroup(
  deps: ActivityDeps,
  sources: PriceSources,
  { resolution, chunks }: { resolution: Resolution; chunks: Chunk[] },
): Promise<HistoryResult> {
  const stepMs = STEP_MS[resolution]
  const quarantined: { source: string; reason: string; payload: unknown }[] = []
  const fetched = await mapConcurrently(chunks, 4, async (chunk) => {
    const { state, toMs } = chunk
    const lookBackMs = chunk.fromMs - stepMs * LOOKBACK_BUCKETS
    const isNewer = state.to !== null && chunk.fromMs >= state.to.getTime()
    // The window is [from, to]: the edge at its start is stored too.
    const fromMs = (isNewer ? lookBackMs : chunk.fromMs) - 1
    try {
      const points = await fetchPoints(sources, { state, fromMs: lookBackMs - 1, toMs: toMs + stepMs })
      return { chunk, points: bucketPrices(points, { fromMs, toMs, stepMs }) }
    } catch (error) {
      if (!(error instanceof SourceRejected)) throw error
      const payload = { coinId: state.coinId, resolution, fromMs, toMs }
      quarantined.push({ source: state.source, reason: error.message, payload })
      return { chunk, points: [] }
    }
  })
  const good = fetched.filter(
    ({ chunk }) => !quarantined.some((r) => (r.payload as { coinId: string }).coinId === chunk.state.coinId),
  )
  const fetchedAt = deps.now()
  const points = await transact(deps.pool, async (transaction) => {
    for (const { source, ...row } of quarantined)
      await quarantineRows(transaction.db, { source, area: 'prices', quarantined: [row], fetchedAt })
    const rows = good.flatMap(({ chunk, points: edges }) =>
      edges.map(({ atMs, usd }) => ({
        coinId: chunk.state.coinId,
        at: new Date(atMs),
        usd,
        source: chunk.state.source,
      })),
    )
    return storePrices(transaction, {
      resolution,
      points: rows,
      histories: good.map(({ chunk }) => ({
        coinId: chunk.state.coinId,
        from: new Date(chunk.fromMs),
        to: new Date(chunk.toMs),
      })),
      fetchedAt,
    })
  })
  return { points, quarantined: quarantined.length }
}

async function fetchPoints(
  sources: PriceSources,
  { state, fromMs, toMs }: { state: HistoryState; fromMs: number; toMs: number },
): Promise<PricePoint[]> {
  if (state.source !== DEFILLAMA)
    return required(sources, 'coingecko').history({ upstreamId: state.upstreamId, fromMs, toMs })
  if (state.contract === null) throw new SourceRejected(DEFILLAMA, `${state.coinId} has no contract`)
  return required(sources, 'defillama').history({ token: state.contract, fromMs, toMs })
}
