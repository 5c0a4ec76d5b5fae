import { z } from 'zod'
import type { ReadonlyDb } from '../../db/schema.ts'
import type { BookSet } from '../../db/pnl/books.ts'
import { periodProfit } from '../../db/pnl/periods/period-profit.ts'
import { type PlPeriod, readPlPeriods } from '../../db/pnl/periods/read-periods.ts'
import { toNumber } from '../../db/values/decimal.ts'
import { INTERVALS, RANGES } from '../../db/values/periods.ts'
import { unknownCurrency } from '../params.ts'
import { currentRate } from '../prices/current-rate.ts'
import type { Answer } from '../route.ts'
import { pendingNames } from '../shapes.ts'
import { firstCutMs, type plShape, plWindow } from './pl-window.ts'

const point = z
  .object({
    date: z.iso.datetime().describe('End of the period'),
    profitLoss: z.number().describe('Change of the value less external flows'),
    profitLossPercent: z.number().describe('Percentage of the value at the start; 0 when that value is 0'),
  })
  .meta({ title: 'PlHistoryPoint' })

export const plHistorySchema = z
  .object({
    result: z.array(point),
    meta: z.object({
      currency: z.string(),
      range: z.enum(RANGES).nullable(),
      interval: z.enum(INTERVALS),
      from: z.iso.datetime().nullable().describe('Null when the result is empty and nothing was synced'),
      to: z.iso.datetime(),
      lastSyncedAt: z.iso
        .datetime()
        .nullable()
        .describe('Oldest last sync among the included wallets and portfolios; null before the first sync'),
      pending: pendingNames,
    }),
  })
  .meta({ title: 'PlHistory' })

/**
 * Profit of some books together over time. `lastSyncedAt` null: never synced. Throws 400 with the invalid
 * parameter of the window or currency.
 */
export async function plHistory(
  db: ReadonlyDb,
  options: {
    query: z.output<z.ZodObject<typeof plShape>>
    /** called after the parameters are validated */
    readScope: () => Promise<BookSet & { lastSyncedAt: Date | null; pending?: readonly string[] }>
    now: Date
  },
): Promise<Omit<Answer<unknown>, 'body'> & { body: z.output<typeof plHistorySchema> }> {
  const { query, now } = options
  const { interval, currency } = query
  const window = plWindow(query, now.getTime())
  await currentRate(db, { currency, now })
  const { lastSyncedAt, pending = [], ...set } = await options.readScope()
  const periods = await readPlPeriods({
    db,
    ...set,
    interval,
    currency,
    fromMs: firstCutMs(window.fromMs),
    toMs: window.toMs,
  })
  if (!periods) throw unknownCurrency()
  const fromMs = window.fromMs ?? periods[0]?.endMs ?? null
  return {
    body: {
      result: periods.map((period) => {
        const { profitLoss, profitLossPercent } = periodProfit(period)
        return {
          date: iso(period.endMs),
          profitLoss: toNumber(profitLoss),
          profitLossPercent: toNumber(profitLossPercent),
        }
      }),
      meta: {
        currency,
        range: window.range,
        interval,
        // Without a sync only manual portfolios have points.
        from: fromMs === null || (lastSyncedAt === null && periods.length === 0) ? null : iso(fromMs),
        to: iso(window.toMs),
        lastSyncedAt: lastSyncedAt?.toISOString() ?? null,
      },
    },
    asOf: lastSyncedAt,
    priceAsOf: closingPriceAge(periods),
    pending,
  }
}

/** Time of the oldest price in the last period; null: none, or unknown. */
export function closingPriceAge(periods: readonly PlPeriod[]): Date | null {
  const pricedAtMs = periods.at(-1)?.pricedAtMs ?? null
  return pricedAtMs === null ? null : new Date(pricedAtMs)
}

const iso = (ms: number) => new Date(ms).toISOString()
