import type { HistoryState } from '../../db/prices/read-for-ingest.ts'
import type { Resolution } from '../../db/prices/write.ts'
import { DAY_MS, HOUR_MS } from '../../db/values/periods.ts'
import { COINGECKO } from '../coingecko.ts'
import { DEFILLAMA, WIDEST_CHART_MS } from './sources/defillama.ts'

export const STEP_MS = { hour: HOUR_MS, day: DAY_MS } as const
/** Widest window of one call: CoinGecko returns hourly points for windows up to 90 days. */
const WIDEST_MS = { hour: 89 * DAY_MS, day: 800 * DAY_MS } as const
/** Buckets to read again, because a source may revise the newest ones. */
export const LOOKBACK_BUCKETS = 2

/**
 * The part of a coin's history that one call fetches. Its end is stored as the cursor in the same
 * transaction.
 */
export interface Chunk {
  state: HistoryState
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
export function chunksOf(state: HistoryState, { resolution, fromMs, toMs, plan }: HistoryWindow): Chunk[] {
  const step = STEP_MS[resolution]
  const widest = WIDEST_MS[resolution]
  const isFloor = state.from !== null && state.floorPlan !== null && state.floorPlan === plan
  const start = Math.floor((isFloor ? Math.max(fromMs, state.from!.getTime()) : fromMs) / step) * step
  const end = Math.floor(toMs / step) * step
  const chunks: Chunk[] = []
  const storedFrom = state.from?.getTime() ?? start
  const storedTo = state.to?.getTime() ?? start
  for (let from = storedTo; from < end; from += widest)
    chunks.push({ state, fromMs: from, toMs: Math.min(from + widest, end) })
  for (let to = storedFrom; to > start; to -= widest)
    chunks.push({ state, fromMs: Math.max(to - widest, start), toMs: to })
  return chunks
}

/** The source that an operator's plan of calls counts. */
export const firstAsked = ({ source }: HistoryState): string => (source === COINGECKO ? COINGECKO : DEFILLAMA)

/** The number of requests for a chunk, without retries, at the source that is asked first. */
export function requestsOf({ state, fromMs, toMs }: Chunk, resolution: Resolution): number {
  if (firstAsked(state) === COINGECKO) return 1
  const points = (toMs - fromMs) / STEP_MS[resolution] + LOOKBACK_BUCKETS + 1
  return Math.ceil((points * STEP_MS.hour) / WIDEST_CHART_MS)
}
