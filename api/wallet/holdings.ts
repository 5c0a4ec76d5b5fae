import { z } from 'zod'
import type { ReadonlyDb } from '../../db/connect.ts'
import type { BookSet } from '../../db/pnl/book-sets.ts'
import { type CoinItem, percents, PROFIT_KEYS } from '../../db/pnl/coin-item.ts'
import { type InUnits, inUnits } from '../../db/pnl/fold-rows.ts'
import { findFold } from '../../db/pnl/folds.ts'
import { type CoinDescription, type CoinRow, describeCoins, readCoins } from '../../db/pnl/read-coins.ts'
import type { CostMethod } from '../../db/values/cost-methods.ts'
import { compare, type Decimal, multiply, sum, toNumber } from '../../db/values/decimal.ts'
import { notSynced } from '../errors.ts'
import { identifierParam, limit, page } from '../params.ts'
import { toNumber as ofText, tripleSchema } from '../shapes.ts'
import { coinOf, coinSchema } from './coin-object.ts'

export const holdingsShape = {
  coinId: identifierParam('This coin alone').optional(),
  page: page(),
  limit: limit(),
}

const byKey = z.object({
  allTime: tripleSchema,
  hour24: tripleSchema,
  lastTrade: tripleSchema,
  unrealized: tripleSchema,
  realized: tripleSchema,
})
const holdingSchema = z.object({
  coin: coinSchema,
  count: z.number(),
  price: tripleSchema,
  totalCost: tripleSchema.describe('Of what is held'),
  profit: byKey,
  profitPercent: byKey.describe('0 where there is nothing to divide by'),
  averageBuy: byKey,
  averageSell: byKey,
  avgChange: z.number().describe('Mean absolute change from one daily close to the next in percent'),
})

export const holdingsSchema = z.object({
  result: z.array(holdingSchema),
  summary: z
    .object({
      totalValue: tripleSchema,
      totalCost: tripleSchema,
      profit: byKey,
      profitPercent: byKey.describe('Of the totals'),
    })
    .describe('Of all pages'),
})

/**
 * Every coin that some books together hold or held, the most valuable first; by the method of the account where they are
 * all of its books, else at average cost unless another is given. Throws 409 while nothing is computed.
 */
export async function holdings(
  db: ReadonlyDb,
  options: BookSet & {
    method?: CostMethod
    query: { coinId?: string | undefined; page: number; limit: number }
    now: Date
  },
): Promise<z.output<typeof holdingsSchema>> {
  const { query } = options
  const foldId = await findFold(db, options)
  if (foldId === null) throw notSynced()
  const rows = await readCoins(db, { foldId, coinId: query.coinId, nowMs: options.now.getTime() })
  const value = ({ item }: CoinRow) => multiply(item.usd.count, item.usd.price)
  rows.sort((a, b) => compare(value(b), value(a)) || (a.coinId < b.coinId ? -1 : 1))
  const offset = (query.page - 1) * query.limit
  const shown = rows.slice(offset, offset + query.limit)
  const descriptions = await describeCoins(
    db,
    shown.map(({ coinId }) => coinId),
  )
  return {
    result: shown.map((row) => holding(row, descriptions.get(row.coinId))),
    summary: summaryOf(rows),
  }
}

function holding({ coinId, item }: CoinRow, description: CoinDescription | undefined) {
  const keys = (name: 'profit' | 'profitPercent' | 'averageBuy' | 'averageSell') =>
    triplesByKey((key) => inUnits((unit) => item[unit][name][key]))
  return {
    coin: coinOf(coinId, description),
    count: toNumber(item.usd.count),
    price: triple(inUnits((unit) => item[unit].price)),
    totalCost: triple(inUnits((unit) => item[unit].totalCost)),
    profit: keys('profit'),
    profitPercent: keys('profitPercent'),
    averageBuy: keys('averageBuy'),
    averageSell: keys('averageSell'),
    avgChange: ofText(description?.avgChange ?? '0'),
  }
}

function summaryOf(rows: readonly CoinRow[]) {
  const total = (of: (item: CoinItem) => Decimal) =>
    inUnits((unit) => sum(rows.map(({ item }) => of(item[unit]))))
  const totals = (name: 'profit' | 'base') =>
    inUnits((unit) => {
      const of = (key: Key) => sum(rows.map(({ item }) => item[unit][name][key]))
      return Object.fromEntries(PROFIT_KEYS.map((key) => [key, of(key)])) as Record<Key, Decimal>
    })
  const [profit, base] = [totals('profit'), totals('base')]
  const percent = inUnits((unit) => percents(profit[unit], base[unit]))
  return {
    totalValue: triple(total((item) => multiply(item.count, item.price))),
    totalCost: triple(total((item) => item.totalCost)),
    profit: triplesByKey((key) => inUnits((unit) => profit[unit][key])),
    profitPercent: triplesByKey((key) => inUnits((unit) => percent[unit][key])),
  }
}

type Key = (typeof PROFIT_KEYS)[number]

const triple = ({ usd, btc, eth }: InUnits<Decimal>) => ({
  USD: toNumber(usd),
  BTC: toNumber(btc),
  ETH: toNumber(eth),
})

function triplesByKey(of: (key: Key) => InUnits<Decimal>): z.output<typeof byKey> {
  return Object.fromEntries(PROFIT_KEYS.map((key) => [key, triple(of(key))])) as z.output<typeof byKey>
}
