import { priceAgeOf, shownCoins, unpricedOf } from '../../../api/chain/holdings.ts'
import { totalsIn } from '../../../api/chain/totals-in.ts'
import { unknownCurrency } from '../../../api/params.ts'
import { currentRate } from '../../../api/prices/current-rate.ts'
import { ageOf, pendingOf, portfolioCoins } from '../../../api/portfolios/holding-set.ts'
import type { SelectedPortfolios } from '../../../api/portfolios/select-portfolios.ts'
import { oldest } from '../../../api/shapes.ts'
import { readSpam } from '../../../db/chain/read-spam.ts'
import { readBookSet } from '../../../db/pnl/books.ts'
import type { Totals } from '../../../db/pnl/lots/fiat-totals.ts'
import { type CoinItem, percentOf } from '../../../db/pnl/lots/coin-item.ts'
import type { Unit } from '../../../db/pnl/lots/fold-rows.ts'
import type { CoinRow } from '../../../db/pnl/lots/read-coins.ts'
import { type PlPeriod, readHistoryStart, readPlPeriods } from '../../../db/pnl/periods/read-periods.ts'
import type { ReadonlyDb } from '../../../db/schema.ts'
import { sum, toNumber } from '../../../db/values/decimal.ts'
import { DAY_MS, type Interval, type Range, rangeStart } from '../../../db/values/periods.ts'

/** One coin, amounts in the currency of the page. */
export interface HeldCoin {
  coinId: string
  name: string
  symbol: string
  count: number
  /** null: no market price; the value is what was paid for it */
  price: number | null
  value: number
  cost: number
  averageBuy: number
  profit24h: number
  unrealized: number
  realized: number
  isSpam: boolean
}

export interface Overview {
  totals: Totals
  hour24: { profit: number; percent: number }
  /** the most valuable first; also coins that were held before */
  coins: HeldCoin[]
  /** coins held without a market price */
  unpriced: number
  periods: PlPeriod[]
  interval: Interval
  asOf: Date | null
  /** portfolios whose figures do not contain all of their data */
  pending: string[]
}

const COINS = 500
/** Longest ranges with points of an interval. Each point is a row of the table, so a page has about 120 at most. */
const INTERVALS: readonly { interval: Interval; mostMs: number }[] = [
  { interval: 'hourly', mostMs: DAY_MS },
  { interval: 'daily', mostMs: 100 * DAY_MS },
  { interval: 'weekly', mostMs: 800 * DAY_MS },
]

const intervalOf = (ms: number): Interval =>
  INTERVALS.find(({ mostMs }) => ms <= mostMs)?.interval ?? 'monthly'

/**
 * Figures of portfolios in any currency. Totals and periods use the rates of their own instants, as those of the
 * API; coins in a currency that is not USD, BTC or ETH the rate of now. Throws 400 for a currency without a rate.
 */
export async function readOverview(
  db: ReadonlyDb,
  asked: { selected: SelectedPortfolios; currency: string; range: Range; now: Date },
): Promise<Overview> {
  const { selected, currency, now } = asked
  const [{ totals, rows, unit, coins }, chart] = await Promise.all([
    coinsIn(db, { selected, currency, now }),
    periodsOf(db, asked),
  ])
  return {
    totals,
    hour24: lastDay(rows, unit),
    coins,
    unpriced: unpricedOf(rows).count,
    ...chart,
    asOf: oldest([ageOf(selected.portfolios), priceAgeOf(rows)]),
    pending: pendingOf(selected),
  }
}

async function coinsIn(
  db: ReadonlyDb,
  { selected, currency, now }: { selected: SelectedPortfolios; currency: string; now: Date },
) {
  const [{ totals, rows }, unit] = await Promise.all([
    totalsIn(db, { currency, now, read: () => portfolioCoins(db, { selected, now }) }),
    unitOf(db, { currency, now }),
  ])
  return { totals, rows, unit, coins: await heldCoins(db, rows, unit) }
}

async function periodsOf(
  db: ReadonlyDb,
  { selected, currency, range, now }: Parameters<typeof readOverview>[1],
): Promise<Pick<Overview, 'periods' | 'interval'>> {
  const set = { db, ...(await readBookSet(db, selected)) }
  const toMs = now.getTime()
  const fromMs = rangeStart(range, toMs) ?? (await readHistoryStart(set)) ?? toMs
  const interval = intervalOf(toMs - fromMs)
  const periods = await readPlPeriods({ ...set, interval, fromMs, toMs, currency })
  if (!periods) throw unknownCurrency()
  return { periods, interval }
}

/** The unit of the fold from which amounts of a currency are converted, and the rate of now. */
interface InUnit {
  unit: Unit
  rate: number
}

async function unitOf(db: ReadonlyDb, asked: { currency: string; now: Date }): Promise<InUnit> {
  if (asked.currency === 'BTC') return { unit: 'btc', rate: 1 }
  if (asked.currency === 'ETH') return { unit: 'eth', rate: 1 }
  return { unit: 'usd', rate: Number(await currentRate(db, asked)) }
}

function lastDay(rows: readonly CoinRow[], { unit, rate }: InUnit): Overview['hour24'] {
  const profit = sum(rows.map(({ item }) => item[unit].profit.hour24))
  const before = sum(rows.map(({ item }) => item[unit].base.hour24))
  return { profit: toNumber(profit) * rate, percent: toNumber(percentOf(profit, before)) }
}

async function heldCoins(
  db: ReadonlyDb,
  rows: readonly CoinRow[],
  { unit, rate }: InUnit,
): Promise<HeldCoin[]> {
  const shown = await shownCoins(db, rows, { page: 1, limit: COINS })
  const spam = await readSpam(
    db,
    shown.map(({ coin }) => coin.identifier),
  )
  return shown.map(({ coin, count, isPriced }, index) => {
    const item: CoinItem = rows[index]!.item[unit]
    const inCurrency = (value: CoinItem['value']) => toNumber(value) * rate
    return {
      coinId: coin.identifier,
      name: coin.name,
      symbol: coin.symbol,
      count,
      price: isPriced ? inCurrency(item.price) : null,
      value: inCurrency(item.value),
      cost: inCurrency(item.totalCost),
      averageBuy: inCurrency(item.averageBuy.unrealized),
      profit24h: inCurrency(item.profit.hour24),
      unrealized: inCurrency(item.profit.unrealized),
      realized: inCurrency(item.profit.realized),
      isSpam: spam.has(coin.identifier),
    }
  })
}
