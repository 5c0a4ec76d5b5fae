import { TOUCHED } from './chain.ts'
import type { Costs, PonderRun } from './costs.ts'
import type { Loops } from './loops.ts'
import type { Quiet } from './passing.ts'
import type { Pair } from '../shared/pairs.ts'
import { type Ratio, short } from '../shared/report.ts'

export interface Measured {
  costs: Costs
  /** ten times the declared networks, and those */
  breadth: Pair[]
  touched: { few: number[]; many: number[] }
  /** by number of addresses; an error: Ponder is unavailable or does not finish */
  ponder: ReadonlyMap<number, PonderRun | Error>
  catchUp: { perSecond: number[]; calls: number; cpuMs: number }
  ranges: { perSecond: number; calls: number }
  loops: Loops
  quiet: Quiet
  live: { p50Ms: number; p99Ms: number }
  deliveries: { perSecond: number; p50Ms: number; p99Ms: number }
  streams: { streams: number; emptyMb: number; openMb: number; p50Ms: number; p99Ms: number }
  /** of the set of 10^6 and 10^7 addresses */
  memoryMb: { million: number; tenMillion: number }
}

type Line = Omit<Ratio, 'values'>

/** Less is better. Where the design names no floor, it is twice the goal. */
const most = (id: string, name: string, goal: number, floor = 2 * goal): Line => ({
  id,
  name,
  goal,
  floor,
  lessIsBetter: true,
})
/** More is better. Where the design names no floor, it is half of the goal. */
const least = (id: string, name: string, goal: number): Line => ({ id, name, goal, floor: goal / 2 })

const ratioOf = (pairs: readonly Pair[]) => pairs.map(({ ours, peer }) => ours / peer)

/** The lines FO1 to FO12 of the design. */
export function linesOf(measured: Measured): Ratio[] {
  const {
    costs,
    breadth,
    touched,
    ponder,
    catchUp,
    ranges,
    quiet,
    live,
    loops,
    deliveries,
    streams,
    memoryMb,
  } = measured
  const line = (kind: Line, ...values: number[]): Ratio => ({ ...kind, values })
  return [
    line(
      most('cost_100x', 'FO1 CPU per block, 100,000 / 1,000 addresses', 1.1, 1.2),
      ...ratioOf(costs.small),
    ),
    line(
      most('cost_100x_large', 'FO1 CPU per block, 1,000,000 / 10,000 addresses', 1.1, 1.2),
      ...ratioOf(costs.large),
    ),
    line(most('FO2_p50', 'FO2 seconds from block to committed row, p50', 0.4, 0.8), live.p50Ms / 1_000),
    line(most('FO2_p99', 'FO2 the same, p99', 1.5, 3), live.p99Ms / 1_000),
    line(most('FO3_quiet', 'FO3 node calls per block, quiet', 2.2, 2.2), quiet.calls),
    line(most('FO3_touched', `FO3 the same, ${TOUCHED} touched wallets`, 4.5, 4.5), quiet.touchedCalls),
    line(
      most('FO4', 'FO4 Temporal transactions per network and second, blocks of 12 s and of 0.25 s', 0.1),
      Math.max(loops.slow, loops.fast),
    ),
    line(
      most('FO5_transactions', 'FO5 writing transactions per quiet block, 100,000 wallets', 1.05, 1.05),
      quiet.writes,
    ),
    line(most('FO5_grown', 'FO5 tables that grow, without blocks', 0, 0), quiet.grown.length),
    line(most('FO6_20', 'FO6 CPU ms per touched wallet until it is derived, 20 a block', 5), ...touched.few),
    line(most('FO6_2000', 'FO6 the same, 2,000 a block', 2), ...touched.many),
    ponderLine(least('ponder', 'FO7 Ponder / ours, CPU per block, 1,000 addresses', 1), ponder.get(1_000)!),
    ponderLine(least('ponder_100000', 'FO7 the same, 100,000 addresses', 20), ponder.get(100_000)!),
    line(least('FO8_blocks', 'FO8 catch-up by blocks, blocks a second', 80), ...catchUp.perSecond),
    line(least('FO8_ranges', 'FO8 catch-up by ranges, 1,000 addresses', 1_000), ranges.perSecond),
    line(least('FO9_rate', 'FO9 events published and delivered, a second', 2_000), deliveries.perSecond),
    line(most('FO9_p99', 'FO9 milliseconds from row to receipt, p99', 500), deliveries.p99Ms),
    line(most('FO10_memory', 'FO10 MB of a process with 1,000 streams', 150), streams.openMb),
    line(most('FO10_p99', 'FO10 milliseconds from event to client, p99', 500), streams.p99Ms),
    line(most('FO11_million', 'FO11 MB of a set of 10^6 addresses', 17, 17), memoryMb.million),
    line(most('FO11_ten_million', 'FO11 MB of a set of 10^7 addresses', 270, 270), memoryMb.tenMillion),
    line(most('FO11_start', 'FO11 seconds to start a follower of 10^6 addresses', 5), costs.startMs / 1_000),
    line(
      most('FO12', 'FO12 CPU per block, ten times the declared networks / those', 1.05, 1.15),
      ...ratioOf(breadth),
    ),
  ]
}

function ponderLine(kind: Line, run: PonderRun | Error): Ratio {
  if (run instanceof Error) return { ...kind, values: [], missing: run.message }
  return { ...kind, values: run.pairs.map(({ ours, peer }) => peer / ours) }
}

/** The figures behind the lines. */
export function rawOf(measured: Measured): [what: string, figures: string][] {
  const { costs, ponder, catchUp, ranges, quiet, live, loops, deliveries, streams } = measured
  const all = (values: readonly number[]) => values.map(short).join(', ')
  const side = (pairs: readonly Pair[], name: keyof Pair) => all(pairs.map((pair) => pair[name]))
  const runs = [...ponder].filter((entry): entry is [number, PonderRun] => !(entry[1] instanceof Error))
  const finished = runs.filter(([, run]) => run.finished)
  return [
    ['CPU ms per block, 1,000 addresses', side(costs.small, 'peer')],
    ['CPU ms per block, 100,000 addresses', side(costs.small, 'ours')],
    ['CPU ms per block, 10,000 addresses', side(costs.large, 'peer')],
    ['CPU ms per block, 1,000,000 addresses', side(costs.large, 'ours')],
    ['CPU ms per quiet block, 100,000 addresses', short(quiet.cpuMs)],
    [
      'Temporal transactions per network and second: blocks of 12 s; of 0.25 s; of these, loops that begin anew',
      [loops.slow, loops.fast, loops.begin].map(short).join('; '),
    ],
    ['tables that grow', quiet.grown.join(', ') || 'none'],
    ...runs.flatMap(([wallets, { pairs, stored }]): [string, string][] => {
      const who = `${wallets.toLocaleString('en')} addresses`
      return [
        [`Ponder, CPU ms per block, ${who}`, side(pairs, 'peer')],
        [`beside it ours, CPU ms per block, ${who}`, side(pairs, 'ours')],
        [`transactions stored: ours; Ponder, ${who}`, `${stored.ours}; ${stored.peer}`],
      ]
    }),
    ['addresses up to which Ponder finishes', String(Math.max(0, ...finished.map(([wallets]) => wallets)))],
    ['catch-up: calls; CPU ms per block', `${short(catchUp.calls)}; ${short(catchUp.cpuMs)}`],
    ['catch-up by ranges: calls per block', short(ranges.calls)],
    ['block to committed row, ms, p50; p99', `${Math.round(live.p50Ms)}; ${Math.round(live.p99Ms)}`],
    ['row to receipt, ms, p50; p99', `${Math.round(deliveries.p50Ms)}; ${Math.round(deliveries.p99Ms)}`],
    [
      `API without streams; with ${streams.streams.toLocaleString('en')}`,
      `${Math.round(streams.emptyMb)}; ${Math.round(streams.openMb)} MB`,
    ],
    ['event to client, ms, p50; p99', `${Math.round(streams.p50Ms)}; ${Math.round(streams.p99Ms)}`],
  ]
}
