import { priceAgeOf, shownCoins, totalsOf } from '../../../api/chain/holdings.ts'
import { ageOf, portfolioCoins } from '../../../api/portfolios/holding-set.ts'
import { describePortfolio } from '../../../api/portfolios/describe-portfolio.ts'
import { oldest } from '../../../api/shapes.ts'
import type { BookSet } from '../../../db/pnl/books.ts'
import type { ReadonlyDb } from '../../../db/schema.ts'
import { readPortfolio } from '../../../db/portfolios/read-portfolios.ts'
import type { SharedPortfolio } from '../../../db/portfolios/shares.ts'
import { toNumber } from '../../../db/values/decimal.ts'
import { rangeStart } from '../../../db/values/periods.ts'
import { type PlPeriod, readPlPeriods } from '../../../db/pnl/periods/read-periods.ts'

const COINS = 100

/** Figures of a shared portfolio in USD. */
export interface SharedView {
  name: string
  /** time of the oldest data, prices included */
  asOf: Date | null
  value: number
  cost: number
  allTimeProfit: number
  /** The 100 most valuable coins held, in order of value. */
  coins: {
    name: string
    symbol: string
    count: number
    /** null: no market price; the value is what was paid for it */
    price: number | null
    value: number
    profit: number
  }[]
  /** the weeks of the last year */
  periods: PlPeriod[]
}

/** Reads the same figures as /portfolio/value, /coins and /pl/history. undefined: deleted. */
export async function readShared(
  db: ReadonlyDb,
  { opened, now }: { opened: SharedPortfolio; now: Date },
): Promise<SharedView | undefined> {
  const portfolio = await readPortfolio(db, opened)
  if (!portfolio) return undefined
  const portfolios = [portfolio]
  const selected = { accountId: opened.accountId, portfolios, isWhole: false }
  const { set, rows } = await portfolioCoins(db, { selected, now })
  const { usd } = totalsOf(rows)
  const shown = await shownCoins(db, rows, { page: 1, limit: COINS })
  return {
    name: describePortfolio(portfolio).name,
    asOf: oldest([ageOf(portfolios), priceAgeOf(rows)]),
    value: toNumber(usd.value),
    cost: toNumber(usd.cost),
    allTimeProfit: toNumber(usd.profit.allTime),
    coins: shown
      .map((coin, index) => ({ ...coin, value: toNumber(rows[index]!.item.usd.value) }))
      .filter(({ count }) => count !== 0)
      .map(({ coin, count, price, isPriced, value, profit }) => ({
        name: coin.name,
        symbol: coin.symbol,
        count,
        price: isPriced ? price.USD : null,
        value,
        profit: profit.allTime.USD,
      })),
    periods: (set && (await lastYear(db, set, now))) ?? [],
  }
}

const lastYear = (db: ReadonlyDb, set: BookSet, now: Date): Promise<PlPeriod[] | null> => {
  const toMs = now.getTime()
  // Each point is a row of the table below the chart.
  const window = { interval: 'weekly', fromMs: rangeStart('1y', toMs), toMs, currency: 'USD' } as const
  return readPlPeriods({ db, ...set, ...window })
}
