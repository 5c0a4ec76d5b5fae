import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { routes } from '../../api/routes.ts'
import { openDb } from '../../db/connect.ts'
import { COST_METHODS } from '../../db/values/cost-methods.ts'
import { at, insertMarket, NOW, portfolioWorld } from '../portfolios/portfolio-world.ts'
import { startApi } from '../setup/api.ts'
import { testDatabase } from '../setup/database.ts'
import { query } from '../setup/query.ts'
import { runs } from '../setup/runs.ts'

// Rows of one instant: arrivals come before departures, and the order of entry changes no figure.

const RUNS = { numRuns: runs({ short: 6, long: 1_000 }) }
const database = await testDatabase()
const api = await startApi({ database, routes, overrides: { now: () => NOW } })
const ingest = openDb({ url: database.ingestUrl, maxConnections: 4, applicationName: 'test' })
const world = portfolioWorld(database, { db: api.owner }, ingest)
afterAll(() => ingest.close())
beforeAll(() => insertMarket(api.owner, database.ownerUrl))

const instant = fc.constantFrom(at('02T06:00:00'), at('04T06:00:00'))
const amount = fc.integer({ min: -4, max: 4 }).filter((count) => count !== 0)

/** A list and the same list in another order. */
const twice = <T>(rows: fc.Arbitrary<T>) =>
  fc
    .array(rows, { minLength: 2, maxLength: 8 })
    .chain((list) =>
      fc.tuple(
        fc.constant(list),
        fc.shuffledSubarray(list, { minLength: list.length, maxLength: list.length }),
      ),
    )

/** Coins and days of a portfolio, without ids. */
async function figuresOf(key: string, portfolioId: string) {
  const response = await api.get(`/portfolio/coins?portfolioId=${portfolioId}&limit=100`, key)
  expect(response.status).toBe(200)
  const days = await query(
    database.ownerUrl,
    `select d.at, d.value_usd, d.flow_usd from pl_days d join portfolio_books b using (book_id)
     where b.portfolio_id = $1 order by d.at`,
    [portfolioId],
  )
  return { coins: ((await response.json()) as { result: any[] }).result, days }
}

const stated = fc.record({
  at: instant,
  coinId: fc.constantFrom('bitcoin', 'ethereum'),
  count: amount,
  priceUsd: fc.constantFrom(1_000, 1_500, 2_500),
})

test('manual: any order of entry gives the same coins and days, with every cost method', async () => {
  await fc.assert(
    fc.asyncProperty(twice(stated), fc.constantFrom(...COST_METHODS), async (lists, costMethod) => {
      const { key, accountId } = await api.newAccount({ plan: 'pro', credits: 9_000_000 })
      const [one, other] = [
        await world.manualPortfolio(accountId, lists[0], { costMethod }),
        await world.manualPortfolio(accountId, lists[1], { costMethod }),
      ]
      expect(await figuresOf(key, other)).toEqual(await figuresOf(key, one))
    }),
    RUNS,
  )
})

test('manual: a purchase and a sale of one instant leave nothing, whichever was entered first', async () => {
  const { key, accountId } = await api.newAccount({ plan: 'pro', credits: 9_000_000 })
  const bought = { at: at('02T06:00:00'), coinId: 'bitcoin', count: 2, priceUsd: 1_000 }
  const sold = { ...bought, count: -2, priceUsd: 1_500 }
  for (const rows of [
    [bought, sold],
    [sold, bought],
  ]) {
    const portfolioId = await world.manualPortfolio(accountId, rows, { costMethod: 'fifo' })
    const { coins, days } = await figuresOf(key, portfolioId)
    expect(coins.filter(({ count }) => count !== 0)).toEqual([])
    expect(days[0]).toMatchObject({ value_usd: '0', flow_usd: '-1000' })
  }
})

const moved = fc.tuple(
  fc.constantFrom('deposit', 'reward', 'withdrawal'),
  instant,
  fc.constantFrom('BTC', 'ETH'),
  fc.integer({ min: 1, max: 4 }),
)

test("exchange: any order of the exchange's ids gives the same coins and days", async () => {
  await fc.assert(
    fc.asyncProperty(twice(moved), async (lists) => {
      const { key, accountId } = await api.newAccount({ plan: 'pro', credits: 9_000_000 })
      const [one, other] = await Promise.all(
        lists.map((list) =>
          world.exchangePortfolio(
            accountId,
            list.map(([kind, time, asset, count]) => [
              kind,
              time,
              asset,
              kind === 'withdrawal' ? -count : count,
            ]),
          ),
        ),
      )
      expect(await figuresOf(key, other!)).toEqual(await figuresOf(key, one!))
    }),
    RUNS,
  )
})
