import type { z } from 'zod'
import type { ReadonlyDb } from '../../db/schema.ts'
import type { BookSet } from '../../db/pnl/books.ts'
import {
  type ExplainedFlow,
  type ExplainedPeriod,
  type ExplainedPoint,
  explainPeriod,
} from '../../db/pnl/explain/explain-period.ts'
import { pricesInForce } from '../../db/pnl/valuation/prices-in-force.ts'
import { shownPrices } from '../../db/pnl/valuation/shown-prices.ts'
import { periodProfit } from '../../db/pnl/periods/period-profit.ts'
import { type Origin, originOf, priceOrigins, rateOrigins } from '../../db/pnl/explain/price-origins.ts'
import { type PlPeriod, readPlPeriods } from '../../db/pnl/periods/read-periods.ts'
import { isSwap, type Role } from '../../db/pnl/legs/roles.ts'
import type { Worth } from '../../db/pnl/periods/values-in-detail.ts'
import { isStale } from '../../db/pnl/periods/values-in-detail.ts'
import { compare, toNumber } from '../../db/values/decimal.ts'
import type { CostMethod } from '../../db/pnl/lots/lot-pool.ts'
import { DAY_MS } from '../../db/values/periods.ts'
import { unknownCurrency } from '../params.ts'
import { currentRate } from '../prices/current-rate.ts'
import { invalidParameter, notSynced } from '../errors.ts'
import type { flowSchema, pointSchema, rateSchema } from './explain-point-schema.ts'
import { shownPrice, text } from './explain-entries.ts'
import type { ExplainQuery } from './explain-shape.ts'
import { closingPriceAge } from './pl-history.ts'
import { firstCutMs, plWindow } from './pl-window.ts'

/** Books with their names in the answer. */
export interface NamedSet {
  set: BookSet & { method?: CostMethod }
  nameOf: (bookId: string) => string
}

/**
 * Explains one point of the history. Throws 400 for a point that the history does not have, and 409 when the
 * stored figures lack a recent change.
 */
export async function explainPoint(
  db: ReadonlyDb,
  options: { query: ExplainQuery; now: Date; named: NamedSet },
): Promise<{ body: z.output<typeof pointSchema>; priceAsOf: Date | null }> {
  const { query, now } = options
  const { set, nameOf } = options.named
  const { interval, currency, month } = query
  if (!interval) throw invalidParameter('interval', 'It is required with `date`')
  const window = plWindow({ ...query, interval }, now.getTime())
  await currentRate(db, { currency, now })
  const bounds = { fromMs: firstCutMs(window.fromMs), toMs: window.toMs }
  const periods = await readPlPeriods({ db, ...set, interval, currency, ...bounds })
  if (!periods) throw unknownCurrency()
  const period = periods.find(({ endMs }) => endMs === query.date?.getTime())
  if (!period)
    throw invalidParameter(
      'date',
      'It must be the `date` of a point in the history of the same window and interval',
    )
  const span = spanOf(period, month)
  const explained = await explainPeriod({ db, set, period, currency, span })
  if (!explained) throw notSynced()
  return {
    body: await pointBody(db, { period, explained, query, nameOf }),
    priceAsOf: closingPriceAge([period]),
  }
}

const LONGEST_MS = 31 * DAY_MS

/** The part of a period whose flows are listed; null: the period is too long and the query names no month. */
function spanOf({ startMs, endMs }: PlPeriod, month: Date | undefined) {
  if (!month) return endMs - startMs > LONGEST_MS ? null : { fromMs: startMs, toMs: endMs }
  const monthMs = month.getTime()
  const next = Date.UTC(month.getUTCFullYear(), month.getUTCMonth() + 1)
  const span = { fromMs: Math.max(startMs, monthMs), toMs: Math.min(endMs, next) }
  if (span.fromMs >= span.toMs)
    throw invalidParameter('month', 'It must be a month of the period that ends at `date`')
  return span
}

async function pointBody(
  db: ReadonlyDb,
  input: { period: PlPeriod; explained: ExplainedPeriod; query: ExplainQuery } & Pick<NamedSet, 'nameOf'>,
): Promise<z.output<typeof pointSchema>> {
  const { period, explained, query, nameOf } = input
  const { currency } = query
  const pageOf = <T>(items: readonly T[]): T[] =>
    items.slice((query.page - 1) * query.limit, query.page * query.limit)
  const { opening, closing } = explained
  const flows = pageOf(explained.flows)
  const rateOfEnd = await rateOrigins(db, {
    currency,
    instantsMs: [opening.atMs, closing.atMs],
    pricesOf: shownPrices,
  })
  const rateOfFlow = await rateOrigins(db, {
    currency,
    instantsMs: flows.map(({ atMs }) => atMs),
    pricesOf: pricesInForce,
  })
  const rateOf = (atMs: number) => shownRate(rateOfFlow(atMs), currency)
  const end = (point: ExplainedPoint) => ({
    ...shownEnd(point, { pageOf, nameOf }),
    rate: shownRate(rateOfEnd(point.atMs), currency),
  })
  const { profitLoss, profitLossPercent } = periodProfit(period)
  return {
    figure: {
      from: iso(period.startMs),
      date: iso(period.endMs),
      profitLoss: text(profitLoss),
      profitLossPercent: text(profitLossPercent),
      shown: { profitLoss: toNumber(profitLoss), profitLossPercent: toNumber(profitLossPercent) },
    },
    equation: 'profitLoss = end.value - start.value - flows.value',
    currency,
    start: end(opening),
    end: end(closing),
    flows: {
      value: text(period.flow),
      months: explained.months.map(({ month, value }) => ({
        month: iso(month).slice(0, 7),
        value: text(value),
      })),
      count: explained.flows.length,
      items: await shownFlows(db, { flows, nameOf, rateOf }),
    },
  }
}

function shownEnd(
  { atMs, value, valueUsd, books, positions, inFlight }: ExplainedPoint,
  { pageOf, nameOf }: { pageOf: <T>(items: readonly T[]) => T[] } & Pick<NamedSet, 'nameOf'>,
) {
  const sorted = positions.toSorted(
    (a, b) => compare(b.usd, a.usd) || (a.coinId < b.coinId ? -1 : a.coinId > b.coinId ? 1 : 0),
  )
  const shown = (one: Worth) => ({
    coinId: one.coinId,
    count: text(one.quantity),
    valueUsd: text(one.usd),
  })
  return {
    at: iso(atMs),
    value: text(value),
    valueUsd: text(valueUsd),
    ledgers: books.map((one) => ({
      ledger: nameOf(one.book.id),
      value: text(one.value),
      valueUsd: text(one.valueUsd),
    })),
    positions: {
      count: positions.length,
      items: pageOf(sorted).map((one) => ({
        ledger: nameOf(one.book.id),
        ...shown(one),
        price: one.price && shownPrice(originOf(one.price)),
        stale: one.price !== null && isStale(one.price, atMs),
      })),
    },
    inFlight: {
      count: inFlight.length,
      items: pageOf(inFlight).map((one) => ({
        from: nameOf(one.fromBookId),
        to: nameOf(one.toBookId),
        leftAt: iso(one.leftMs),
        arrivesAt: iso(one.arrivesMs),
        ...shown(one.worth),
        price: shownPrice(originOf(one.worth.price)),
        value: text(one.value),
      })),
    },
  }
}

async function shownFlows(
  db: ReadonlyDb,
  input: {
    flows: readonly ExplainedFlow[]
    rateOf: (atMs: number) => z.output<typeof rateSchema>
  } & Pick<NamedSet, 'nameOf'>,
): Promise<z.output<typeof flowSchema>[]> {
  const { flows, nameOf, rateOf } = input
  // The flow of a first price is one millisecond before that price.
  const origins = await priceOrigins(
    db,
    flows.flatMap(({ atMs, terms }) =>
      terms.flatMap(({ leg, coinId, priceUsd: usd }) =>
        usd ? [{ coinId, usd, atMs: leg ? atMs : atMs + 1 }] : [],
      ),
    ),
  )
  const next = origins.values()
  return flows.map(({ atMs, bookId, isTakenBack, value, valueUsd, terms }) => ({
    at: iso(atMs),
    ledger: nameOf(bookId),
    transaction: terms[0]?.leg?.txId ?? null,
    ...(terms.some(({ leg }) => leg?.isCorrected) && { isCorrected: true }),
    value: text(value),
    valueUsd: text(valueUsd),
    rate: rateOf(atMs),
    reason: isTakenBack ? 'own transfer' : terms[0]?.leg === null ? 'first price' : 'transfer',
    terms: terms.map(({ leg, coinId, quantity, priceUsd, usd }) => ({
      coinId,
      count: text(quantity),
      valueUsd: text(usd),
      price: priceUsd && shownPrice(next.next().value!),
      kind: leg === null ? 'first price' : kindOf(leg),
    })),
  }))
}

const kindOf = (leg: { role: Role; isHeld?: boolean | undefined }) =>
  leg.isHeld || isSwap(leg) ? 'unpriced swap' : leg.role === 'opening' ? 'opening' : 'transfer'

const iso = (ms: number) => new Date(ms).toISOString()

function shownRate(rate: Origin | null, currency: string): z.output<typeof rateSchema> {
  if (!rate) return null
  const isCoin = currency === 'BTC' || currency === 'ETH'
  const value = text(rate.usd)
  return {
    unitUsd: isCoin ? value : null,
    perUsd: isCoin ? null : value,
    at: iso(rate.atMs),
    source: rate.source,
  }
}
