import { DAY_MS, HOUR_MS } from '../values/periods.ts'
import { POINTS_PER_CHART } from '../values/price-charts.ts'
import type { HistoryState } from './read-for-ingest.ts'
import type { Resolution } from './write.ts'

export const STEP_MS = { hour: HOUR_MS, day: DAY_MS } as const
/** Widest window of one call: CoinGecko returns hourly points for windows up to 90 days. */
const WIDEST_MS = { hour: 89 * DAY_MS, day: 800 * DAY_MS } as const
/** Buckets to read again, because a source may revise the newest ones. */
export const LOOKBACK_BUCKETS = 2

/** What of a coin's history is stored. */
export type Stored = Pick<HistoryState, 'source' | 'from' | 'to' | 'floorPlan'>

/**
 * The part of a coin's history that one call fetches. Its end is stored as the cursor in the same
 * transaction.
 */
export interface Chunk<State extends Stored = HistoryState> {
  state: State
  fromMs: number
  toMs: number
}

interface HistoryWindow {
  resolution: Resolution
  fromMs: number
  toMs: number
  /** The plans that are in force: what they refused before is not asked again. */
  plan?: string
}

/**
 * The missing parts of a window in the order to store them: each one adjoins the range that is already
 * stored.
 */
export function chunksOf<State extends Stored>(
  state: State,
  { resolution, fromMs, toMs, plan }: HistoryWindow,
): Chunk<State>[] {
  const step = STEP_MS[resolution]
  const widest = WIDEST_MS[resolution]
  const isFloor = state.from !== null && state.floorPlan !== null && state.floorPlan === plan
  const start = Math.floor((isFloor ? Math.max(fromMs, state.from!.getTime()) : fromMs) / step) * step
  const end = Math.floor(toMs / step) * step
  const chunks: Chunk<State>[] = []
  const storedFrom = state.from?.getTime() ?? start
  const storedTo = state.to?.getTime() ?? start
  for (let from = storedTo; from < end; from += widest)
    chunks.push({ state, fromMs: from, toMs: Math.min(from + widest, end) })
  for (let to = storedFrom; to > start; to -= widest)
    chunks.push({ state, fromMs: Math.max(to - widest, start), toMs: to })
  return chunks
}

/** The source that an operator's plan of calls counts. */
export const firstAsked = ({ source }: Pick<Stored, 'source'>): string =>
  source === 'coingecko' ? 'coingecko' : 'defillama'

/** The number of requests for a chunk, without retries, at the source that is asked first. */
export function requestsOf({ state, fromMs, toMs }: Chunk<Stored>, resolution: Resolution): number {
  if (firstAsked(state) === 'coingecko') return 1
  const points = (toMs - fromMs) / STEP_MS[resolution] + LOOKBACK_BUCKETS + 1
  return Math.ceil(points / POINTS_PER_CHART)
}
