import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { coinRows } from '../../api/chain/holdings.ts'
import { totalsIn } from '../../api/chain/totals-in.ts'
import { openDb, openReadonlyDb } from '../../db/connect.ts'
import { type BookSet, readPortfolioBooks } from '../../db/pnl/books.ts'
import type { Totals } from '../../db/pnl/lots/fiat-totals.ts'
import { findFold } from '../../db/pnl/lots/folds.ts'
import { readPlPeriods } from '../../db/pnl/periods/read-periods.ts'
import { COST_METHODS, type CostMethod } from '../../db/pnl/lots/lot-pool.ts'
import { type Decimal, decimal, multiply, subtract, sum, toNumber } from '../../db/values/decimal.ts'
import { DAY_MS } from '../../db/values/periods.ts'
import { testDatabase } from '../setup/database.ts'
import { insertRates } from '../setup/factories.ts'
import { runs } from '../setup/runs.ts'
import { DAYS, event, firstDeposits, legsOf, MARKET, NOW_MS, START_MS } from './account-events.ts'
import { createAccount, type Holder, HOLDERS } from './account-world.ts'
import { insertMarket } from './world.ts'

// In every currency the profit of all periods is the profit of all coins, on random histories. EUR and JPY move, CHF
// is always 0.5 of a dollar.

const RUNS = runs({ short: 3, long: 1_000 })
const CURRENCIES = ['USD', 'EUR', 'JPY', 'CHF', 'BTC'] as const
const database = await testDatabase()
const connection = openDb({ url: database.ownerUrl, maxConnections: 4, applicationName: 'test' })
const api = openReadonlyDb({ url: database.apiUrl, maxConnections: 2, applicationName: 'test' })
const { db, pool } = connection
afterAll(() => Promise.all([connection.close(), api.close()]))

beforeAll(async () => {
  await insertMarket(connection, MARKET)
  const days = Array.from({ length: DAYS + 1 }, (_, n) => n)
  const dated = (perUsd: (day: number) => string) =>
    days.map((day) => [new Date(START_MS + day * DAY_MS), perUsd(day)] as const)
  // The first rate of the yen is later than the first transactions, and days of it are missing.
  await insertRates(db, { currency: 'EUR', rates: dated((day) => `0.${8_000 + ((day * 7_919) % 1_999)}`) })
  const yen = dated((day) => `1${50 + ((day * 31) % 17)}.25`).filter((_, day) => day > 9 && day % 7 < 5)
  await insertRates(db, { currency: 'JPY', rates: yen })
  await insertRates(db, { currency: 'CHF', rates: dated(() => '0.5') })
})

let accounts = 0

const expectClose = (found: Decimal, expected: Decimal, what: string) =>
  expect(Math.abs(toNumber(subtract(found, expected))), what).toBeLessThan(1e-12)

/** Checks a set in every currency. Returns true if it has a profit. */
async function checkSet(set: BookSet & { method?: CostMethod }): Promise<boolean> {
  const now = new Date(NOW_MS)
  const totals: Partial<Record<string, Totals>> = {}
  for (const currency of CURRENCIES) {
    const read = async () => ({
      foldId: await findFold(api.db, set),
      rows: await coinRows(api.db, { ...set, now }),
      received: new Map(),
    })
    const { totals: own } = await totalsIn(api.db, { currency, now, read })
    totals[currency] = own
    for (const interval of ['daily', 'monthly'] as const) {
      const window = { interval, fromMs: null, toMs: NOW_MS, currency } as const
      const periods = (await readPlPeriods({ db: api.db, ...set, ...window }))!
      const profit = sum(
        periods.map(({ opening, closing, flow }) => subtract(subtract(closing, opening), flow)),
      )
      expectClose(own.profit.allTime, profit, `${interval} in ${currency}`)
      expectClose(own.value, periods.at(-1)?.closing ?? decimal('0'), `value in ${currency}`)
    }
    const { unrealized, realized, allTime } = own.profit
    expectClose(sum([unrealized, realized]), allTime, currency)
  }
  const [usd, half] = [totals['USD']!, totals['CHF']!]
  for (const name of ['value', 'cost'] as const)
    expectClose(half[name], multiply(usd[name], decimal('0.5')), name)
  for (const name of ['unrealized', 'realized', 'allTime'] as const) {
    expectClose(half.profit[name], multiply(usd.profit[name], decimal('0.5')), name)
    expect(toNumber(half.profitPercent[name])).toBeCloseTo(toNumber(usd.profitPercent[name]), 9)
  }
  return toNumber(usd.profit.allTime) !== 0
}

test('the sum of all periods is the all-time profit in USD, EUR and JPY, by every method', async () => {
  let profits = 0
  await fc.assert(
    fc.asyncProperty(
      fc.array(event, { minLength: 16, maxLength: 30, size: 'max' }),
      fc.array(event, { minLength: 1, maxLength: 4 }),
      fc.array(fc.constantFrom(...COST_METHODS), { minLength: 5, maxLength: 5 }),
      async (first, late, methods) => {
        const account = await createAccount({ connection, number: ++accounts, nowMs: NOW_MS })
        const { accountId, ids } = account
        for (const [index, holder] of HOLDERS.entries()) await account.follow(holder, methods[index])
        await pool.query('update accounts set cost_method = $2 where id = $1', [accountId, methods.at(-1)])
        await account.store([...firstDeposits(['ethereum', 'base-wallet']), ...legsOf(first)])
        await account.compute()
        // Goes on from stored sums.
        await account.store(legsOf(late))
        await account.compute()
        const books = await readPortfolioBooks(
          api.db,
          HOLDERS.map((holder) => ids[holder]),
        )
        const of = (holder: Holder) => books.get(ids[holder])
        const sets = [
          ...HOLDERS.map((holder, index) => ({
            books: [of(holder)].filter((book) => book !== undefined),
            method: methods[index]!,
          })),
          { books: [of('ethereum'), of('base-wallet')].filter((book) => book !== undefined) },
          { accountId, books: [...books.values()] },
        ]
        for (const set of sets.filter(({ books: own }) => own.length > 0)) if (await checkSet(set)) profits++
      },
    ),
    // A run takes long, and shrinking a failure would take longer.
    { numRuns: RUNS, endOnFailure: true },
  )
  expect(profits).toBeGreaterThan(RUNS)
})
