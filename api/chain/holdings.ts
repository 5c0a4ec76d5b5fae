import { z } from 'zod'
import type { ReadonlyDb } from '../../db/schema.ts'
import type { BookSet } from '../../db/pnl/books.ts'
import { type CoinItem, percents, PROFIT_KEYS } from '../../db/pnl/lots/coin-item.ts'
import { type InUnits, inUnits } from '../../db/pnl/lots/fold-rows.ts'
import { findFold } from '../../db/pnl/lots/folds.ts'
import { type CoinDescription, type CoinRow, describeCoins, readCoins } from '../../db/pnl/lots/read-coins.ts'
import type { CostMethod } from '../../db/pnl/lots/lot-pool.ts'
import { compare, type Decimal, isZero, sum, toNumber } from '../../db/values/decimal.ts'
import { scoreShape } from '../prices/coin.ts'
import { notSynced } from '../errors.ts'
import { coinIdParam, limit, page } from '../params.ts'
import { oldest, pendingMeta, toNumber as ofText, tripleOf, tripleSchema } from '../shapes.ts'
import { coinOf, coinSchema } from './coin.ts'

export const holdingsShape = {
  coinId: coinIdParam('Return only this coin').optional(),
  page: page(),
  limit: limit(),
}

const byKey = z
  .object({
    allTime: tripleSchema,
    hour24: tripleSchema,
    lastTrade: tripleSchema,
    unrealized: tripleSchema,
    realized: tripleSchema,
  })
  .meta({ title: 'ProfitAmounts' })
const isPricedField = () =>
  z
    .boolean()
    .describe(
      'False: the coin has no market price. `price` is 0, and values count what was paid for it, as far as that is known',
    )

/** What part of the holdings has no market price. */
export const unpricedSchema = <Cost extends z.ZodType>(cost: Cost) =>
  z
    .object({ count: z.number().int(), cost })
    .describe(
      'Coins, and NFTs that were paid for, held without a market price: their number, and what was paid for them as far as that is known, which is a part of `totalValue`',
    )

const holdingSchema = z
  .object({
    coin: coinSchema,
    count: z.number(),
    price: tripleSchema,
    isPriced: isPricedField(),
    totalCost: tripleSchema.describe('Cost of the amount still held'),
    profit: byKey,
    profitPercent: byKey.describe('Profit in percent; 0 when there is no base to divide by'),
    averageBuy: byKey,
    averageSell: byKey,
    avgChange: z.number().describe('Mean absolute change between daily closes in percent'),
  })
  .meta({ title: 'Holding' })

export const scoredHoldingSchema = holdingSchema.extend(scoreShape).meta({ title: 'ScoredHolding' })

export const holdingsSchema = z
  .object({
    result: z.array(holdingSchema),
    summary: z
      .object({
        totalValue: tripleSchema,
        totalCost: tripleSchema,
        unpriced: unpricedSchema(tripleSchema),
        profit: byKey,
        profitPercent: byKey.describe('Percent of the totals'),
      })
      .describe('Totals over all pages'),
    meta: pendingMeta,
  })
  .meta({ title: 'Holdings' })

type Held = BookSet & { method?: CostMethod; now: Date }

/**
 * Every coin that the books together hold or held, the most valuable first. If they are all books of an
 * account, the account's method applies, else average cost unless `method` is given. Throws 409 while nothing
 * is computed.
 */
export async function coinRows(
  db: ReadonlyDb,
  { coinId, now, ...set }: Held & { coinId?: string | undefined },
): Promise<CoinRow[]> {
  const foldId = await findFold(db, set)
  if (foldId === null) throw notSynced()
  const rows = await readCoins(db, { foldId, coinId, nowMs: now.getTime() })
  return rows.sort(byValue)
}

/** Orders coins by value, the largest first. */
export function byValue(a: CoinRow, b: CoinRow): number {
  const value = ({ item }: CoinRow) => item.usd.value
  return compare(value(b), value(a)) || (a.coinId < b.coinId ? -1 : 1)
}

/** Time of the oldest price of what is held; null: nothing has a price. */
export const priceAgeOf = (rows: readonly CoinRow[]): Date | null =>
  oldest(rows.map(({ item, pricedAt }) => (isZero(item.usd.count) ? null : pricedAt)))

/** A page of coins in response form; `riskScores` adds known risk scores. */
export async function shownCoins(
  db: ReadonlyDb,
  rows: readonly CoinRow[],
  options: { page: number; limit: number; riskScores?: boolean },
): Promise<z.output<typeof scoredHoldingSchema>[]> {
  const offset = (options.page - 1) * options.limit
  const shown = rows.slice(offset, offset + options.limit)
  const descriptions = await describeCoins(
    db,
    shown.map(({ coinId }) => coinId),
  )
  return shown.map((row) => {
    const description = descriptions.get(row.coinId)
    return { ...holding(row, description), ...(options.riskScores && scoresOf(description)) }
  })
}

/** A page of the coins of the books together, and their totals. */
export async function holdings(
  db: ReadonlyDb,
  { query, ...held }: Held & { query: { coinId?: string | undefined; page: number; limit: number } },
): Promise<{ body: z.output<typeof holdingsSchema>; priceAsOf: Date | null }> {
  const rows = await coinRows(db, { ...held, coinId: query.coinId })
  const result = await shownCoins(db, rows, query)
  return { body: { result, summary: summaryOf(rows) }, priceAsOf: priceAgeOf(rows) }
}

function scoresOf(description: CoinDescription | undefined) {
  if (!description || description.riskScore === null) return {}
  return {
    liquidityScore: ofText(description.liquidityScore!),
    volatilityScore: ofText(description.volatilityScore!),
    marketCapScore: ofText(description.marketCapScore!),
    riskScore: ofText(description.riskScore),
  }
}

function holding({ coinId, isPriced, item }: CoinRow, description: CoinDescription | undefined) {
  const keys = (name: 'profit' | 'profitPercent' | 'averageBuy' | 'averageSell') =>
    triplesByKey((key) => inUnits((unit) => item[unit][name][key]))
  return {
    coin: coinOf(coinId, description),
    count: toNumber(item.usd.count),
    price: tripleOf(inUnits((unit) => item[unit].price)),
    isPriced,
    totalCost: tripleOf(inUnits((unit) => item[unit].totalCost)),
    profit: keys('profit'),
    profitPercent: keys('profitPercent'),
    averageBuy: keys('averageBuy'),
    averageSell: keys('averageSell'),
    avgChange: ofText(description?.avgChange ?? '0'),
  }
}

/** Sums over coins in each unit; the percents are computed from the sums. */
export function totalsOf(rows: readonly CoinRow[]) {
  return inUnits((unit) => {
    const total = (of: (item: CoinItem) => Decimal) => sum(rows.map(({ item }) => of(item[unit])))
    const byKeys = (name: 'profit' | 'base') =>
      Object.fromEntries(PROFIT_KEYS.map((key) => [key, total((item) => item[name][key])])) as Record<
        Key,
        Decimal
      >
    const profit = byKeys('profit')
    return {
      value: total(({ value }) => value),
      cost: total(({ totalCost }) => totalCost),
      profit,
      profitPercent: percents(profit, byKeys('base')),
    }
  })
}

/** Coins held without a market price, with what was paid for them. */
export function unpricedOf(rows: readonly CoinRow[]) {
  const held = rows.filter(({ isPriced, item }) => !isPriced && !isZero(item.usd.count))
  const cost = inUnits((unit) => sum(held.map(({ item }) => item[unit].value)))
  return { count: held.length, cost }
}

function summaryOf(rows: readonly CoinRow[]) {
  const totals = totalsOf(rows)
  const unpriced = unpricedOf(rows)
  const keys = (name: 'profit' | 'profitPercent') =>
    triplesByKey((key) => inUnits((unit) => totals[unit][name][key]))
  return {
    totalValue: tripleOf(inUnits((unit) => totals[unit].value)),
    totalCost: tripleOf(inUnits((unit) => totals[unit].cost)),
    unpriced: { count: unpriced.count, cost: tripleOf(unpriced.cost) },
    profit: keys('profit'),
    profitPercent: keys('profitPercent'),
  }
}

type Key = (typeof PROFIT_KEYS)[number]

function triplesByKey(of: (key: Key) => InUnits<Decimal>): z.output<typeof byKey> {
  return Object.fromEntries(PROFIT_KEYS.map((key) => [key, tripleOf(of(key))])) as z.output<typeof byKey>
}
