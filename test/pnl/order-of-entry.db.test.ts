import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { routes } from '../../api/routes.ts'
import { openDb, openReadonlyDb } from '../../db/connect.ts'
import { readPortfolioBooks } from '../../db/pnl/books.ts'
import { COST_METHODS } from '../../db/pnl/lots/lot-pool.ts'
import { at, insertMarket, NOW, portfolioWorld } from '../portfolios/portfolio-world.ts'
import { startApi } from '../setup/api.ts'
import { testDatabase } from '../setup/database.ts'
import { query } from '../setup/query.ts'
import { runs } from '../setup/runs.ts'
import { expectLawThree } from './law-three.ts'

// Rows of one instant: arrivals come before departures, and the order of entry changes no figure, also with a
// token that has no market price.

const RUNS = { numRuns: runs({ short: 6, long: 1_000 }) }
const database = await testDatabase()
const api = await startApi({ database, routes, overrides: { now: () => NOW } })
const ingest = openDb({ url: database.ingestUrl, maxConnections: 4, applicationName: 'test' })
const world = portfolioWorld(database, { db: api.owner }, ingest)
const readonly = openReadonlyDb({ url: database.apiUrl, maxConnections: 2, applicationName: 'test' })
afterAll(() => Promise.all([ingest.close(), readonly.close()]))
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

/** Coins, days and disposals of a portfolio, without ids. */
async function figuresOf(key: string, portfolioId: string) {
  const response = await api.get(`/portfolio/coins?portfolioId=${portfolioId}&limit=100`, key)
  expect(response.status).toBe(200)
  const days = await query(
    database.ownerUrl,
    `select d.at, d.value_usd, d.flow_usd from pl_days d join portfolio_books b using (book_id)
     where b.portfolio_id = $1 order by d.at`,
    [portfolioId],
  )
  const lots = await query(
    database.ownerUrl,
    `select method, coin_id, disposed_at, d.seq, position, reason, quantity, proceeds_usd, cost_usd, fee_usd, acquired_at
     from disposals d join folds f on f.id = d.fold_id join scopes s on s.id = f.scope_id
     join portfolio_books b on b.book_id = s.book_id
     where b.portfolio_id = $1 order by method, disposed_at, d.seq, position`,
    [portfolioId],
  )
  return { coins: ((await response.json()) as { result: any[] }).result, days, lots }
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

type Row = Parameters<typeof world.exchangePortfolio>[1][number]

const moved = fc
  .tuple(
    fc.constantFrom('deposit', 'reward', 'withdrawal'),
    instant,
    fc.constantFrom('BTC', 'ETH', 'TKN'),
    fc.integer({ min: 1, max: 4 }),
  )
  .map(([kind, time, asset, count]): Row => [kind, time, asset, kind === 'withdrawal' ? -count : count])

/** A fill of one asset for another. TKN has no market price. */
const filled = fc
  .tuple(
    instant,
    fc.shuffledSubarray(['BTC', 'ETH', 'USDT', 'TKN'], { minLength: 2, maxLength: 2 }),
    amount,
    fc.integer({ min: 1, max: 9 }),
  )
  .map(([time, [asset, quote], count, other]): Row => [
    'fill',
    time,
    asset!,
    count,
    [quote!, count > 0 ? -other : other],
  ])

test("exchange: any order of the exchange's ids gives the same coins and days, which add up", async () => {
  await fc.assert(
    fc.asyncProperty(
      twice(fc.oneof(moved, filled)),
      fc.constantFrom(...COST_METHODS),
      async (lists, costMethod) => {
        const { key, accountId } = await api.newAccount({ plan: 'pro', credits: 9_000_000 })
        const ids: string[] = []
        for (const list of lists) {
          const id = await world.exchangePortfolio(accountId, list)
          await query(database.ownerUrl, 'update portfolios set cost_method = $2 where id = $1', [
            id,
            costMethod,
          ])
          await query(database.ownerUrl, 'select mark_account_dirty($1)', [accountId])
          await world.settle(accountId)
          ids.push(id)
        }
        const [one, other] = ids as [string, string]
        expect(await figuresOf(key, other)).toEqual(await figuresOf(key, one))
        for (const id of ids) {
          const books = await readPortfolioBooks(readonly.db, [id])
          await expectLawThree({
            db: readonly.db,
            books: [...books.values()],
            nowMs: NOW.getTime(),
            method: costMethod,
          })
        }
      },
    ),
    RUNS,
  )
})

test('exchange: fills of one instant that pay for each other in a circle leave nothing, in any order', async () => {
  const { key, accountId } = await api.newAccount({ plan: 'pro', credits: 9_000_000 })
  const time = at('02T06:00:00')
  const circle: Row[] = [
    ['fill', time, 'BTC', -1, ['USDT', 50_000]],
    ['fill', time, 'ETH', 25, ['USDT', -50_000]],
    ['fill', time, 'BTC', 1, ['ETH', -25]],
  ]
  const figures = []
  for (const order of [
    [0, 1, 2],
    [0, 2, 1],
    [1, 0, 2],
    [1, 2, 0],
    [2, 0, 1],
    [2, 1, 0],
  ]) {
    const id = await world.exchangePortfolio(
      accountId,
      order.map((index) => circle[index]!),
    )
    figures.push(await figuresOf(key, id))
  }
  for (const { coins, days, lots } of figures) {
    expect({ coins, days, lots }).toEqual(figures[0])
    expect(coins.map(({ count, totalCost, profit }) => [count, totalCost.USD, profit.allTime.USD])).toEqual(
      coins.map(() => [0, 0, 0]),
    )
    expect(days.every(({ value_usd, flow_usd }) => value_usd === '0' && flow_usd === '0')).toBe(true)
  }
})

test('exchange: a token bought and sold at one instant has its profit, whichever came first', async () => {
  const { key, accountId } = await api.newAccount({ plan: 'pro', credits: 9_000_000 })
  const bought: Row = ['fill', at('02T06:00:00'), 'TKN', 100, ['USDT', -3_497]]
  const sold: Row = ['fill', at('02T06:00:00'), 'TKN', -100, ['USDT', 5_070]]
  for (const fills of [
    [bought, sold],
    [sold, bought],
  ]) {
    const id = await world.exchangePortfolio(accountId, [
      ['deposit', at('01T06:00:00'), 'USDT', 10_000],
      ...fills,
    ])
    const { coins, days } = await figuresOf(key, id)
    expect(coins.find(({ coin }) => coin.symbol === 'TKN')).toMatchObject({
      count: 0,
      profit: { allTime: { USD: 1_573 } },
    })
    expect(days[1]).toMatchObject({ value_usd: '11573', flow_usd: '0' })
  }
})
