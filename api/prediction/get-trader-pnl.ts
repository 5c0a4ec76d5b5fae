import { z } from 'zod'
import { readPredictionAsOf } from '../../db/prediction/read-as-of.ts'
import { readTraderDays, readTraderHours } from '../../db/prediction/read-positions.ts'
import { readTraderSums } from '../../db/prediction/read-traders.ts'
import { DAY_MS, HOUR_MS, RANGES, startOfPeriod } from '../../db/values/periods.ts'
import { invalidParameter } from '../errors.ts'
import { startOfRange } from '../../db/prediction/start-of-range.ts'
import { enumParam } from '../params.ts'
import { defineRoute } from '../route.ts'
import { toNumber } from '../shapes.ts'
import { dataSchema, wrapped } from './envelope.ts'
import { addressPath, rangeParam, requireTrader } from './prediction-params.ts'
import { TRADERS } from './shared-tables.ts'

const INTERVALS = ['hourly', 'daily', 'weekly', 'monthly'] as const
type Interval = (typeof INTERVALS)[number]

const schema = z.object({
  address: z.string(),
  range: z.enum(RANGES),
  interval: z.enum(INTERVALS),
  points: z.array(
    z.object({
      date: z.string().describe('ISO 8601, start of the interval (UTC)'),
      pnl: z.number().describe('Realised and unrealised profit in the interval, USD'),
      cumulativePnl: z.number().describe('Sum of `pnl` since the start of the range, USD'),
      volume: z.number(),
    }),
  ),
  summary: z.object({
    realizedPnl: z.number().describe('All-time realised profit, USD'),
    unrealizedPnl: z.number().describe('Unrealised profit of the open positions, USD'),
    totalPnl: z.number().describe('Profit in the range, USD'),
    volume: z.number().describe('Volume in the range, USD'),
  }),
})

/** Cash and volume of one hour or day, and the value of the positions open at its end, in USD. */
interface Step {
  startMs: number
  cash: number
  openValue: number
  volume: number
}

export const getTraderPnl = defineRoute({
  method: 'GET',
  path: '/prediction/traders/{address}/pnl',
  tag: 'Prediction markets',
  summary: 'Profit and loss of a trader over time',
  description:
    'Ranges start at 00:00 UTC. `hourly` needs `range=24h`. Splits of dollars into shares are dated by day, so hourly points do not show them.',
  pathParams: addressPath,
  query: z.object({ range: rangeParam('1m'), interval: enumParam(INTERVALS).default('daily') }),
  response: dataSchema(schema),
  credits: 3,
  plan: 'any',
  x402: null,
  mayLag: true,
  shared: {
    reads: [...TRADERS, 'prediction_prices', 'prediction_trader_days', 'prediction_trades'],
    byMinute: true,
    stamped: true,
  },
  async handler({ path: { address }, query: { range, interval } }, { db, now }) {
    if (interval === 'hourly' && range !== '24h')
      throw invalidParameter('interval', 'It can be hourly only with range 24h')
    const { id: traderId, address: canonical } = await requireTrader(db, address)
    const nowMs = now().getTime()
    const from =
      interval === 'hourly'
        ? new Date(Math.floor(nowMs / HOUR_MS) * HOUR_MS - DAY_MS)
        : startOfRange(range, now())
    const steps =
      interval === 'hourly'
        ? (await readTraderHours(db, { traderId, from: from!, to: now() })).map((row) =>
            stepOf(row.at.getTime() - HOUR_MS, row),
          )
        : (await readTraderDays(db, { traderId, from })).map((row) => stepOf(row.day.getTime(), row))
    const points = pointsOf(steps, { interval, fromMs: from?.getTime() ?? -Infinity })
    const sums = await readTraderSums(db, traderId)
    const volume = points.reduce((sum, point) => sum + point.volume, 0)
    const data = {
      address: canonical,
      range,
      interval,
      points,
      summary: {
        realizedPnl: toNumber(sums.realized_usd),
        unrealizedPnl: toNumber(sums.unrealized_usd),
        totalPnl: points.at(-1)?.cumulativePnl ?? 0,
        volume,
      },
    }
    return { body: wrapped(data, now()), asOf: await readPredictionAsOf(db, 'polymarket') }
  },
})

function stepOf(
  startMs: number,
  row: { cash_usd: string; open_value_usd: string; volume_usd: string },
): Step {
  return {
    startMs,
    cash: toNumber(row.cash_usd),
    openValue: toNumber(row.open_value_usd),
    volume: toNumber(row.volume_usd),
  }
}

/** P&L of a step is its cash plus the change of the open value. A day without a row had no open positions. */
function pointsOf(steps: readonly Step[], { interval, fromMs }: { interval: Interval; fromMs: number }) {
  const stepMs = interval === 'hourly' ? HOUR_MS : DAY_MS
  const points: { date: string; pnl: number; cumulativePnl: number; volume: number }[] = []
  let cumulativePnl = 0
  steps.forEach((step, index) => {
    const before = steps[index - 1]
    const opening = before && before.startMs === step.startMs - stepMs ? before.openValue : 0
    if (step.startMs < fromMs) return
    const pnl = step.cash + step.openValue - opening
    cumulativePnl += pnl
    const date = new Date(startOfPeriod(interval, step.startMs)).toISOString()
    const last = points.at(-1)
    if (last?.date !== date) points.push({ date, pnl, cumulativePnl, volume: step.volume })
    else Object.assign(last, { pnl: last.pnl + pnl, cumulativePnl, volume: last.volume + step.volume })
  })
  return points
}
