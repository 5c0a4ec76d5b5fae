import { countForPlan, type VenueCounts } from '../../db/prediction/count-for-plan.ts'
import type { PredictionVenue } from '../../db/prediction/tables.ts'
import { PREDICTION_PACE } from '../../db/values/prediction-pace.ts'
import {
  type Asking,
  type Counts,
  countedRequests,
  passSeconds,
  type PlanInput,
  regular,
} from '../requests.ts'
import { predictionArea } from './area.ts'
import { MARKETS_PER_CHECK } from './load-markets.ts'
import { CUTOFF_SECONDS, EVENTS_PAGE as KALSHI_PAGE, KALSHI } from './sources/kalshi.ts'
import { LIMITLESS, MARKETS_PAGE as LIMITLESS_PAGE } from './sources/limitless.ts'
import { MANIFOLD, PAGE as MANIFOLD_PAGE, PAGES as MANIFOLD_PAGES } from './sources/manifold.ts'
import { POLYMARKET_CLOB } from './sources/polymarket-clob.ts'
import { POLYMARKET_DATA } from './sources/polymarket-data.ts'
import { PAGE_SIZE as GAMMA_PAGE, POLYMARKET_GAMMA } from './sources/polymarket-gamma.ts'
import { PREDICTIT } from './sources/predictit.ts'

type Venue = 'Polymarket' | 'Kalshi' | 'Limitless'
type Counted =
  | `open events of ${Venue}`
  | `open markets of ${Venue}`
  | `readings of new fills at ${Venue}`
  | 'closed events of Kalshi'
  | 'open markets of Manifold'
type Input = PlanInput<Counted>

const DAY_SECONDS = 86_400

/** The past is not in it: no venue says how long its lists are. */
export const predictionRequests = countedRequests({
  assumed: {
    'open events of Polymarket': 5_000,
    'open markets of Polymarket': 20_000,
    'readings of new fills at Polymarket': 20_000,
    'open events of Kalshi': 4_000,
    'closed events of Kalshi': 400,
    'open markets of Kalshi': 20_000,
    'readings of new fills at Kalshi': 20_000,
    'open events of Limitless': 400,
    'open markets of Limitless': 800,
    'readings of new fills at Limitless': 5_000,
    'open markets of Manifold': 2_500,
  },
  count: async (db): Promise<Counts<Counted>> => {
    const counted = await countForPlan(db, { runSeconds: scheduleOf('kalshi').everySeconds })
    const of = (venue: PredictionVenue, field: Exclude<keyof VenueCounts, 'venue'>) =>
      counted.find((row) => row.venue === venue)?.[field] ?? 0
    return {
      'open events of Polymarket': of('polymarket', 'openEvents'),
      'open markets of Polymarket': of('polymarket', 'openMarkets'),
      'readings of new fills at Polymarket': of('polymarket', 'newFills'),
      'open events of Kalshi': of('kalshi', 'openEvents'),
      'closed events of Kalshi': of('kalshi', 'closedEvents'),
      'open markets of Kalshi': of('kalshi', 'openMarkets'),
      'readings of new fills at Kalshi': of('kalshi', 'newFills'),
      'open events of Limitless': of('limitless', 'openEvents'),
      'open markets of Limitless': of('limitless', 'openMarkets'),
      'readings of new fills at Limitless': of('limitless', 'newFills'),
      'open markets of Manifold': of('manifold', 'openMarkets'),
    }
  },
  askings: (input: Input) =>
    [
      ...ofPolymarket(input),
      ...ofKalshi(input),
      ...ofLimitless(input),
      ...ofPredictIt(input),
      ...ofManifold(input),
    ].filter(({ source }) => input.planOf(source) !== null),
})

const scheduleOf = (venue: PredictionVenue) =>
  predictionArea.schedules.find(({ id }) => id === `refresh-${venue}`)!

/** A list has one page at least. */
const pages = (rows: number, perPage: number) => Math.max(1, Math.ceil(rows / perPage))

/** What venues are asked for alike, apart from the source that has it. */
function ofVenue({ counts, schedule }: Input, { name, id }: { name: Venue; id: PredictionVenue }) {
  const open = counts[`open markets of ${name}`]
  const { everySeconds } = schedule(`refresh-${id}`)
  const { checks, details, trades, batch } = PREDICTION_PACE
  const runs = DAY_SECONDS / everySeconds
  return {
    run: { seconds: everySeconds },
    detail: { seconds: passSeconds({ ...details, count: open, everySeconds }) },
    open,
    batches: Math.ceil(open / batch),
    checks: Math.ceil(Math.min(open, checks.perRun) / MARKETS_PER_CHECK),
    fills: Math.min(trades.perRun, counts[`readings of new fills at ${name}`] / runs),
  }
}

function ofPolymarket(input: Input): Asking[] {
  const { run, detail, open, ...of } = ofVenue(input, { name: 'Polymarket', id: 'polymarket' })
  const gamma = { source: POLYMARKET_GAMMA, ...run }
  const data = { source: POLYMARKET_DATA }
  const lists = pages(input.counts['open events of Polymarket'], GAMMA_PAGE)
  return [
    regular({ ...gamma, what: 'open markets', each: lists }),
    regular({ ...gamma, what: 'markets that may have ended', each: of.checks }),
    regular({ ...data, ...run, what: 'new fills', each: of.fills }),
    regular({ ...data, ...detail, what: 'holders', each: open }),
    regular({ ...data, ...detail, what: 'open interest', each: of.batches }),
    // Each of two outcomes has a book; prices come by the hour and in steps of five minutes.
    regular({ source: POLYMARKET_CLOB, ...detail, what: 'order books', each: 2 * open }),
    regular({ source: POLYMARKET_CLOB, ...detail, what: 'prices', each: 2 * open }),
  ]
}

function ofKalshi(input: Input): Asking[] {
  const { run, detail, open, ...of } = ofVenue(input, { name: 'Kalshi', id: 'kalshi' })
  const { counts } = input
  const lists =
    pages(counts['open events of Kalshi'], KALSHI_PAGE) +
    pages(counts['closed events of Kalshi'], KALSHI_PAGE)
  const source = KALSHI
  return [
    regular({ source, ...run, what: 'open and closed markets', each: lists }),
    regular({ source, ...run, what: 'markets that may have ended', each: of.checks }),
    regular({ source, seconds: CUTOFF_SECONDS, what: 'where the archive begins', each: 1 }),
    regular({ source, ...run, what: 'new fills', each: of.fills }),
    regular({ source, ...detail, what: 'order books', each: open }),
    regular({ source, ...detail, what: 'prices', each: open }),
  ]
}

function ofLimitless(input: Input): Asking[] {
  const { run, detail, open, ...of } = ofVenue(input, { name: 'Limitless', id: 'limitless' })
  const source = LIMITLESS
  return [
    regular({
      source,
      ...run,
      what: 'open markets',
      each: pages(input.counts['open events of Limitless'], LIMITLESS_PAGE),
    }),
    // It gives markets one by one.
    regular({
      source,
      ...run,
      what: 'markets that may have ended',
      each: Math.min(open, PREDICTION_PACE.checks.perRun),
    }),
    regular({ source, ...run, what: 'new fills', each: of.fills }),
    regular({ source, ...detail, what: 'order books', each: open }),
    regular({ source, ...detail, what: 'prices', each: open }),
  ]
}

const ofPredictIt = ({ schedule }: Input): Asking[] => [
  regular({
    source: PREDICTIT,
    what: 'all open markets',
    each: 1,
    seconds: schedule('refresh-predictit').everySeconds,
  }),
]

function ofManifold({ counts, schedule }: Input): Asking[] {
  const open = counts['open markets of Manifold']
  const { everySeconds } = schedule('refresh-manifold')
  const { checks, details } = PREDICTION_PACE
  const run = { source: MANIFOLD, seconds: everySeconds }
  return [
    regular({ ...run, what: 'open markets', each: Math.min(pages(open, MANIFOLD_PAGE), MANIFOLD_PAGES) }),
    // It gives markets one by one.
    regular({ ...run, what: 'markets that may have ended', each: Math.min(open, checks.perRun) }),
    regular({
      source: MANIFOLD,
      seconds: passSeconds({ ...details, count: open, everySeconds }),
      what: 'prices',
      each: open,
    }),
  ]
}
