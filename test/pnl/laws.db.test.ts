import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { coinRows } from '../../api/chain/holdings.ts'
import { totalsIn } from '../../api/chain/totals-in.ts'
import { getPortfolioCoins } from '../../api/portfolios/get-coins.ts'
import { getPortfolioExplain } from '../../api/portfolios/get-explain.ts'
import { getPortfolioPlHistory } from '../../api/portfolios/get-pl-history.ts'
import type { Route } from '../../api/route.ts'
import { routes } from '../../api/routes.ts'
import { openDb, openReadonlyDb } from '../../db/connect.ts'
import { createKey } from '../../db/metering/write.ts'
import { readPortfolioBooks } from '../../db/pnl/books.ts'
import { findFold } from '../../db/pnl/lots/folds.ts'
import { readPlPeriods } from '../../db/pnl/periods/read-periods.ts'
import { COST_METHODS, type CostMethod } from '../../db/pnl/lots/lot-pool.ts'
import { type Decimal, decimal, formatDecimal, subtract, sum, toNumber } from '../../db/values/decimal.ts'
import { DAY_MS } from '../../db/values/periods.ts'
import { expectCoin, expectEntries } from '../portfolios/explain-coin-sums.ts'
import { expectPoint } from '../portfolios/explain-sums.ts'
import { startApi } from '../setup/api.ts'
import { testDatabase } from '../setup/database.ts'
import { endpoint } from '../setup/endpoint.ts'
import { insertRates } from '../setup/factories.ts'
import { atLeast, runs } from '../setup/runs.ts'
import { activateNetworks } from '../setup/wallet-factories.ts'
import { DAYS, event, firstDeposits, inReverse, legsOf, MARKET, NOW_MS, START_MS } from './account-events.ts'
import { createAccount, type Holder, HOLDERS, type TestLeg } from './account-world.ts'
import { insertMarket } from './world.ts'

// Each history has coins without a market price and rows of one instant. On each, in three currencies: periods add
// up (law 1), their profits are the last value less all flows (law 2) and the profits of all coins (law 3), every
// served period, coin and month equals the sum of its explanation, and the order of entry changes nothing.

const RUNS = runs({ short: 2, long: 1_000 })
const CURRENCIES = ['USD', 'EUR', 'BTC']
const database = await testDatabase()
const api = await startApi({ database, routes, overrides: { now: () => new Date(NOW_MS) } })
const connection = openDb({ url: database.ownerUrl, maxConnections: 4, applicationName: 'test' })
const { db, pool } = connection
const readonly = openReadonlyDb({ url: database.apiUrl, maxConnections: 2, applicationName: 'test' })
afterAll(() => Promise.all([connection.close(), readonly.close()]))

beforeAll(async () => {
  await activateNetworks(api.owner, ['ethereum', 'base-wallet'])
  await insertMarket(connection, MARKET)
  const rates = Array.from({ length: DAYS }, (_, n) => {
    const at = new Date(START_MS + n * DAY_MS)
    return [at, `0.${8_000 + ((n * 7_919) % 1_999)}`] as const
  })
  await insertRates(db, { currency: 'EUR', rates })
})

/** Events of three months: the wallet on one network, an exchange account and a manual portfolio. */
const FIRST_DAY = 22
const place = (holder: Holder): Holder => (holder === 'base-wallet' ? 'ethereum' : holder)
const events = fc.array(event, { minLength: 12, maxLength: 20, size: 'max' }).map((items) =>
  items.map(({ holder, there, minute, ...item }) => ({
    ...item,
    holder: place(holder),
    there: place(there),
    minute: (FIRST_DAY + 1) * 24 * 60 + (minute % ((DAYS - FIRST_DAY - 1) * 24 * 60)),
  })),
)

let accounts = 0

async function computed(legs: readonly TestLeg[], method: CostMethod) {
  const account = await createAccount({ connection, number: ++accounts, nowMs: NOW_MS })
  const { accountId } = account
  for (const holder of new Set(HOLDERS.map(place))) await account.follow(holder, method)
  const set = `update accounts set cost_method = $2, requests_per_second = 100000 where id = $1`
  await pool.query(set, [accountId, method])
  await account.store(legs)
  await account.compute()
  await account.markSynced()
  const { key } = await createKey(api.owner, { accountId, name: 'test' })
  const get = (route: Route) => async (query: string) =>
    (await endpoint(api, { route, key })(`${route.path}?${query}`)).body
  return {
    account,
    history: get(getPortfolioPlHistory),
    explain: get(getPortfolioExplain),
    coins: () => get(getPortfolioCoins)('limit=100'),
  }
}
type Computed = Awaited<ReturnType<typeof computed>>

const seen = { periods: 0, flows: 0, unpriced: 0, entries: 0, lots: 0, simultaneous: 0 }

const expectClose = (found: Decimal, expected: Decimal, what: string) =>
  expect(Math.abs(toNumber(subtract(found, expected))), what).toBeLessThan(1e-12)

/** Laws 1 to 3 in a currency, from explanations that add up to the served points. */
async function expectLaws({ account, history, explain }: Computed, currency: string): Promise<void> {
  const of = `interval=monthly&range=all&currency=${currency}`
  const { result: points } = await history(of)
  const periods = await Promise.all(
    points.map(async (point: any) => {
      const explained = await explain(`${of}&date=${point.date}&limit=100`)
      expectPoint(explained, point)
      return explained
    }),
  )
  const profit = sum(periods.map(({ figure }) => decimal(figure.profitLoss)))
  const flows = sum(periods.map(({ flows: own }) => decimal(own.value)))
  const closing = decimal(periods.at(-1).end.value)
  expect(formatDecimal(profit), `law 2 in ${currency}`).toBe(formatDecimal(subtract(closing, flows)))

  const now = new Date(NOW_MS)
  const { accountId, ids } = account
  const books = [...(await readPortfolioBooks(readonly.db, Object.values(ids))).values()]
  const days = (await readPlPeriods({
    db: readonly.db,
    books,
    accountId,
    interval: 'daily',
    fromMs: null,
    toMs: NOW_MS,
    currency,
  }))!
  const ofDays = sum(days.map((day) => subtract(subtract(day.closing, day.opening), day.flow)))
  expectClose(ofDays, profit, `law 1 in ${currency}`)
  const read = async () => ({
    foldId: await findFold(readonly.db, { books, accountId }),
    rows: await coinRows(readonly.db, { books, accountId, now }),
    received: new Map(),
  })
  const { totals } = await totalsIn(readonly.db, { currency, now, read })
  expectClose(totals.profit.allTime, profit, `law 3 in ${currency}`)
  seen.periods += periods.length
  for (const { flows: own } of periods) seen.flows += own.count
}

/** Every coin with all entries of all its months. */
async function expectCoins({ coins, explain }: Computed): Promise<void> {
  const { result } = await coins()
  await Promise.all(
    result.map(async (row: any) => {
      const explained = await explain(`coinId=${row.coin.identifier}&limit=100`)
      expectCoin(explained, row)
      if (!row.isPriced && row.totalCost.USD !== 0) seen.unpriced++
      seen.lots += explained.openLots.USD.count
      await Promise.all(
        explained.months.items.map(async (month: any) => {
          const entries = await explain(`coinId=${row.coin.identifier}&limit=100&month=${month.month}`)
          expectEntries(entries, month)
          seen.entries += entries.entries.count
        }),
      )
    }),
  )
}

test('laws, explanations and the order of entry hold on every history in USD, EUR and BTC', async () => {
  await fc.assert(
    fc.asyncProperty(events, fc.constantFrom(...COST_METHODS), async (items, method) => {
      const legs = [...firstDeposits(['ethereum'], START_MS + FIRST_DAY * DAY_MS), ...legsOf(items)]
      const [one, other] = await Promise.all([computed(legs, method), computed(inReverse(legs), method)])
      await Promise.all([...CURRENCIES.map((currency) => expectLaws(one, currency)), expectCoins(one)])
      expect(await other.coins()).toEqual(await one.coins())
      const daily = 'interval=daily&range=all'
      expect(await other.history(daily)).toEqual(await one.history(daily))
      const books = new Set(legs.map(({ tx, holder, atMs }) => `${holder} ${atMs} ${tx}`))
      seen.simultaneous += books.size - new Set(legs.map(({ holder, atMs }) => `${holder} ${atMs}`)).size
    }),
    // A run takes long, and shrinking a failure would take longer.
    { numRuns: RUNS, endOnFailure: true },
  )
  expect(seen.periods).toBe(3 * CURRENCIES.length * RUNS)
  expect(seen.flows).toBeGreaterThan(RUNS)
  expect(seen.entries).toBeGreaterThan(RUNS)
  expect(seen.lots).toBeGreaterThan(RUNS)
  expect(seen.unpriced).toBeGreaterThanOrEqual(atLeast(RUNS, 2))
  expect(seen.simultaneous).toBeGreaterThanOrEqual(RUNS / 2)
})
