import { z } from 'zod'
import { readPredictionAsOf } from '../../db/prediction/read-as-of.ts'
import { readHistory, readHistoryVolume } from '../../db/prediction/read-details.ts'
import { readMarket, type ServedMarket } from '../../db/prediction/read-markets.ts'
import { type Range, RANGES, rangeStart } from '../../db/values/periods.ts'
import { invalidParameter } from '../errors.ts'
import { enumParam } from '../params.ts'
import { defineRoute, type RouteContext } from '../route.ts'
import { toNumber } from '../shapes.ts'
import { dataSchema, wrapped } from './envelope.ts'
import { outcomeId } from './market.ts'
import { outcomeOf, outcomeParam } from './outcome-param.ts'
import { checkWindow, fromTo, marketNotFound, slugParam } from './prediction-params.ts'
import { MARKETS } from './shared-tables.ts'

const MINUTES = { '5m': 5, '1h': 60, '6h': 360, '1d': 1440 } as const
type Interval = keyof typeof MINUTES
const INTERVALS = Object.keys(MINUTES) as Interval[]
const BY_RANGE: Partial<Record<Range, Interval>> = { '24h': '5m', '1w': '1h', '1m': '6h' }
/** Limit of the points per outcome in one response. */
const MOST_POINTS = 5_000

const schema = z.object({
  slug: z.string(),
  interval: z.enum(['5m', '1h', '6h', '1d']),
  series: z.array(
    z.object({
      outcomeId: z.string(),
      outcome: z.string(),
      points: z.array(
        z.object({
          date: z.string().describe('ISO 8601, end of the interval'),
          price: z.number(),
          volume: z.number().describe('Volume of the known trades in the interval, USD'),
        }),
      ),
    }),
  ),
})

export const getPredictionHistory = defineRoute({
  method: 'GET',
  path: '/prediction/markets/{slug}/history',
  tag: 'Prediction markets',
  summary: 'Price history of a market',
  description: `Pass \`range\`, or \`from\` and \`to\`. Without \`interval\`, the length of the window determines it. 400 for an interval that would give more than ${MOST_POINTS} points.`,
  pathParams: z.object({ slug: slugParam('Slug of the market') }),
  query: z.object({
    range: enumParam(
      RANGES,
      'Preset that ends now; `1w` when `range`, `from` and `to` are absent',
    ).optional(),
    ...fromTo,
    interval: enumParam(INTERVALS).optional(),
    outcome: outcomeParam('all'),
  }),
  response: dataSchema(schema),
  credits: 3,
  plan: 'any',
  x402: null,
  mayLag: true,
  shared: {
    reads: [...MARKETS, 'prediction_prices', 'prediction_trade_days', 'prediction_trades'],
    byMinute: true,
    stamped: true,
  },
  async handler({ path: { slug }, query }, { db, now }) {
    checkWindow(query)
    if (query.range && (query.from ?? query.to))
      throw invalidParameter('range', 'It must be sent without `from` and `to`')
    const market = await readMarket(db, slug)
    if (!market) throw marketNotFound()
    const wanted = outcomeOf(market, query.outcome)
    const window = windowOf(query, market, now())
    const interval = query.interval ?? BY_RANGE[window.range] ?? '1d'
    if (pointsOf(window, interval) > MOST_POINTS)
      throw invalidParameter('interval', `It must give at most ${MOST_POINTS} points in the window`)
    const outcomes = wanted ? [wanted] : market.outcomes
    const series = await readSeries(db, { market, outcomes, minutes: MINUTES[interval], ...window })
    return {
      body: wrapped({ slug, interval, series }, now()),
      asOf: await readPredictionAsOf(db, market.venue),
    }
  },
})

const pointsOf = ({ from, to }: { from: Date; to: Date }, interval: Interval): number =>
  (to.getTime() - from.getTime()) / (MINUTES[interval] * 60_000)

/** The `range` of a custom window is the shortest preset that is at least as long. */
function windowOf(
  query: { range?: Range | undefined; from?: Date | undefined; to?: Date | undefined },
  market: ServedMarket,
  now: Date,
): { from: Date; to: Date; range: Range } {
  const nowMs = now.getTime()
  const first = market.created_at
  if (!query.from && !query.to) {
    const range = query.range ?? '1w'
    const start = rangeStart(range, nowMs)
    return { from: start === null ? first : new Date(start), to: now, range }
  }
  const [from, to] = [query.from ?? first, query.to ?? now]
  const fits = (range: Range) => to.getTime() - from.getTime() <= nowMs - (rangeStart(range, nowMs) ?? 0)
  return { from, to, range: RANGES.find(fits) ?? 'all' }
}

/** In a market with two outcomes, the price of the second is 1 minus the price of the first. */
async function readSeries(
  db: RouteContext['db'],
  input: { market: ServedMarket; outcomes: ServedMarket['outcomes']; minutes: number; from: Date; to: Date },
) {
  const { market, outcomes, minutes, from, to } = input
  const binary = market.outcomes.length === 2
  const stored = minutes === 360 ? 60 : minutes
  const window = { marketId: market.id, minutes, from, to }
  const volumes = await readHistoryVolume(db, {
    ...window,
    share: market.venue === 'polymarket' ? '0.5' : '1',
  })
  const volumeAt = new Map(volumes.map(({ outcome, at, volume }) => [`${outcome} ${at.getTime()}`, volume]))
  return Promise.all(
    outcomes.map(async ({ position, name }) => {
      const flipped = binary && position === 1
      const points = await readHistory(db, { ...window, stored, outcome: flipped ? 0 : position })
      return {
        outcomeId: outcomeId({ marketId: market.id, position }),
        outcome: name,
        points: points.map(({ at, price }) => ({
          date: at.toISOString(),
          price: flipped ? Number((1 - toNumber(price)).toFixed(12)) : toNumber(price),
          volume: toNumber(volumeAt.get(`${position} ${at.getTime()}`) ?? '0'),
        })),
      }
    }),
  )
}
