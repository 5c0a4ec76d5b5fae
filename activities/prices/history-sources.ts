import type { HistoryState } from '../../db/prices/read-for-ingest.ts'
import type { Resolution } from '../../db/prices/write.ts'
import { COINGECKO } from '../coingecko.ts'
import { NotInPlan, SourceRejected, SourceUnavailable } from '../errors.ts'
import { marketSymbolOf } from './known-coins.ts'
import type { HistoryAnswer, PricePoint } from './market-data.ts'
import type { PriceSources } from './price-sources.ts'
import { COINPAPRIKA } from '../coinpaprika.ts'
import { DEFILLAMA, type LlamaKey } from './sources/defillama.ts'

interface Range {
  resolution: Resolution
  fromMs: number
  toMs: number
}

interface HistorySource {
  name: string
  read: (range: Range) => Promise<HistoryAnswer>
}

/**
 * The sources that may know the past of a coin, in the order in which they are asked: those without a limit
 * first, those whose plan ends a year ago last.
 */
function sourcesOf(sources: PriceSources, state: HistoryState, resolution: Resolution): HistorySource[] {
  const { coingecko, coinpaprika, defillama } = sources
  const { geckoId, paprikaId } = state
  const gecko: HistorySource[] =
    coingecko && geckoId !== null && coingecko.plan !== 'keyless'
      ? [{ name: COINGECKO, read: (range) => coingecko.history({ ...range, upstreamId: geckoId }) }]
      : []
  const key: LlamaKey | null = geckoId === null ? state.contract : { alias: geckoId }
  const llama: HistorySource[] =
    defillama && key
      ? [
          {
            name: DEFILLAMA,
            read: async (range) => ({ points: await defillama.history({ ...range, key }), floorMs: null }),
          },
        ]
      : []
  const symbol = marketSymbolOf(state.coinId)
  const exchanges = sources.exchanges.flatMap(({ name, candles }): HistorySource[] =>
    symbol === null ? [] : [{ name, read: (range) => candles({ ...range, symbol }) }],
  )
  const paprika: HistorySource[] =
    coinpaprika && paprikaId !== null && resolution === 'day'
      ? [{ name: COINPAPRIKA, read: (range) => coinpaprika.days({ ...range, upstreamId: paprikaId }) }]
      : []
  // Calls of a free plan are kept for what no other source has.
  return coingecko?.plan === 'full'
    ? [...gecko, ...llama, ...exchanges, ...paprika]
    : [...llama, ...exchanges, ...paprika, ...gecko]
}

/** Names who is asked for a coin under which plan: what these refused is asked again only if it changes. */
export function planOfHistory(
  sources: PriceSources,
  { state, resolution }: { state: HistoryState; resolution: Resolution },
): string {
  const plans: Record<string, string> = {
    [COINGECKO]: `:${sources.coingecko?.plan}`,
    [COINPAPRIKA]: `:${sources.coinpaprika?.plan}`,
  }
  return sourcesOf(sources, state, resolution)
    .map(({ name }) => name + (plans[name] ?? ''))
    .join(' ')
}

/** The past of a coin over a window. */
export interface Past {
  source: string
  points: PricePoint[]
  /** From here on it is known. */
  fromMs: number
  /** Why it is not known before, for as long as the plans stay; null: it is known, or may be later. */
  floor: string | null
}

/**
 * Reads a window from the first source that has all of it, else from the one that has most. Throws
 * SourceUnavailable if another time may help, and SourceRejected if all refuse the coin itself. A coin that no
 * source knows begins where it is first quoted.
 */
export async function readPast(
  sources: PriceSources,
  { state, range }: { state: HistoryState; range: Range },
): Promise<Past> {
  let best: Past | null = null
  const refusals: SourceRejected[] = []
  let unavailable: SourceUnavailable | null = null
  let answered: string | null = null
  for (const { name, read } of sourcesOf(sources, state, range.resolution)) {
    try {
      const { points, floorMs } = await read(range)
      answered ??= name
      if (points.length === 0) continue
      if (floorMs === null || floorMs <= range.fromMs)
        return { source: name, points, fromMs: range.fromMs, floor: null }
      if (best === null || floorMs < best.fromMs)
        best = { source: name, points, fromMs: floorMs, floor: `${name} has none before` }
    } catch (error) {
      if (error instanceof SourceRejected) refusals.push(error)
      else if (error instanceof SourceUnavailable) unavailable ??= error
      else throw error
    }
  }
  if (best) return unavailable ? { ...best, floor: null } : best
  if (unavailable) throw unavailable
  const ofPlan = refusals.find((refusal) => refusal instanceof NotInPlan)
  if (ofPlan) return { source: ofPlan.source, points: [], fromMs: range.toMs, floor: ofPlan.message }
  if (refusals[0]) throw refusals[0]
  if (answered !== null) return { source: answered, points: [], fromMs: range.fromMs, floor: null }
  return {
    source: state.source,
    points: [],
    fromMs: range.toMs,
    floor: 'no source that is on knows its past',
  }
}
