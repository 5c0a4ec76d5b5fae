import { afterAll, beforeAll, expect, test } from 'vitest'
import { getPortfolioCoins } from '../../api/portfolios/get-coins.ts'
import { getPortfolioExplain } from '../../api/portfolios/get-explain.ts'
import { getPortfolioPlHistory } from '../../api/portfolios/get-pl-history.ts'
import { getPortfolioValue } from '../../api/portfolios/get-value.ts'
import { getExchangePl } from '../../api/exchanges/get-pl.ts'
import { routes } from '../../api/routes.ts'
import { openDb } from '../../db/connect.ts'
import { expectCoin } from '../portfolios/explain-coin-sums.ts'
import { expectPoint } from '../portfolios/explain-sums.ts'
import { at, insertMarket, NOW, portfolioWorld } from '../portfolios/portfolio-world.ts'
import { startApi } from '../setup/api.ts'
import { testDatabase } from '../setup/database.ts'
import { endpoint } from '../setup/endpoint.ts'
import { insertCoin } from '../setup/factories.ts'

// A token that no list knows, and a listed coin without a price.

const database = await testDatabase()
const api = await startApi({ database, routes, overrides: { now: () => NOW } })
const ingest = openDb({ url: database.ingestUrl, maxConnections: 4, applicationName: 'test' })
const world = portfolioWorld(database, { db: api.owner }, ingest)
afterAll(() => ingest.close())
beforeAll(async () => {
  await insertMarket(api.owner, database.ownerUrl)
  await insertCoin(api.owner, { id: 'unlisted', at: NOW })
})

async function account() {
  const { key, accountId } = await api.newAccount({ plan: 'pro', credits: 9_000_000 })
  const of = (route: Parameters<typeof endpoint>[1]['route']) => endpoint(api, { route, key })
  const history = of(getPortfolioPlHistory)
  const explain = of(getPortfolioExplain)
  return {
    accountId,
    pl: of(getExchangePl),
    value: of(getPortfolioValue),
    coins: of(getPortfolioCoins),
    /** Profits of the days, each of which adds up to its explanation. */
    async profits(portfolioId: string, currency = 'USD'): Promise<number[]> {
      const window = `portfolioId=${portfolioId}&interval=daily&from=2026-03-02&to=2026-03-10&currency=${currency}`
      const { body } = await history(`/portfolio/pl/history?${window}`)
      for (const point of body.result) {
        const { body: explained } = await explain(`/portfolio/explain?${window}&date=${point.date}`)
        expectPoint(explained, point)
      }
      return body.result.map(({ profitLoss }: { profitLoss: number }) => profitLoss)
    },
    async explained(portfolioId: string, row: any) {
      const { body } = await explain(
        `/portfolio/explain?portfolioId=${portfolioId}&coinId=${row.coin.identifier}`,
      )
      expectCoin(body, row)
    },
  }
}

const funded = ['deposit', at('02T06:00:00'), 'USDT', 10_000] as const
const bought = ['fill', at('03T06:00:00'), 'TKN', 100, ['USDT', -3_497]] as const
const sold = ['fill', at('05T06:00:00'), 'TKN', -100, ['USDT', 5_070]] as const

test('a token bought for 3,497 counts with that, and every answer says so', async () => {
  const own = await account()
  const portfolioId = await world.exchangePortfolio(own.accountId, [[...funded], [...bought]] as never)
  const { body: pl } = await own.pl(`/exchange/pl?portfolioId=${portfolioId}`)
  const row = pl.result.find(({ coin }: any) => coin.symbol === 'TKN')
  expect(row).toMatchObject({ count: 100, isPriced: false, price: { USD: 0 }, totalCost: { USD: 3_497 } })
  expect(row.profit.unrealized.USD).toBe(0)
  expect(pl.summary).toMatchObject({
    totalValue: { USD: 10_000 },
    unpriced: { count: 1, cost: { USD: 3_497 } },
    profit: { allTime: { USD: 0 } },
  })
  const { body: value } = await own.value(`/portfolio/value?portfolioId=${portfolioId}`)
  expect(value).toMatchObject({
    totalValue: 10_000,
    totalCost: 10_000,
    unpriced: { count: 1, cost: 3_497 },
    unrealizedProfitLoss: 0,
  })
  expect(await own.profits(portfolioId)).toEqual([0, 0, 0, 0, 0, 0, 0, 0])
  await own.explained(portfolioId, row)
})

test('sold for 5,070 it has a profit of 1,573 in its row and on the day of the sale', async () => {
  const own = await account()
  const portfolioId = await world.exchangePortfolio(own.accountId, [
    [...funded],
    [...bought],
    [...sold],
  ] as never)
  const { body } = await own.coins(`/portfolio/coins?portfolioId=${portfolioId}`)
  const row = body.result.find(({ coin }: any) => coin.symbol === 'TKN')
  expect(row).toMatchObject({ count: 0, profit: { realized: { USD: 1_573 }, allTime: { USD: 1_573 } } })
  expect(await own.profits(portfolioId)).toEqual([0, 0, 0, 1_573, 0, 0, 0, 0])
  const { body: value } = await own.value(`/portfolio/value?portfolioId=${portfolioId}`)
  expect(value).toMatchObject({
    totalValue: 11_573,
    allTimeProfitLoss: 1_573,
    unpriced: { count: 0, cost: 0 },
  })
  await own.explained(portfolioId, row)
})

test('a manual purchase and sale at stated prices count, although the coin has no market price', async () => {
  const own = await account()
  const stated = { coinId: 'unlisted', count: 100, priceUsd: 34.97, at: at('03T06:00:00') }
  const portfolioId = await world.manualPortfolio(own.accountId, [
    stated,
    { ...stated, count: -60, priceUsd: 50, at: at('05T06:00:00') },
  ])
  const { body } = await own.coins(`/portfolio/coins?portfolioId=${portfolioId}`)
  const [row] = body.result
  expect(row).toMatchObject({ count: 40, isPriced: false, profit: { realized: { USD: 901.8 } } })
  expect(await own.profits(portfolioId)).toEqual([0, 0, 901.8, 0, 0, 0, 0].slice(-7))
  const { body: value } = await own.value(`/portfolio/value?portfolioId=${portfolioId}`)
  expect(value).toMatchObject({ totalValue: 1_398.8, unpriced: { count: 1, cost: 1_398.8 } })
  await own.explained(portfolioId, row)
})

test('a deposit has a row, but is worth nothing until it is sold', async () => {
  const own = await account()
  const portfolioId = await world.exchangePortfolio(own.accountId, [
    [...funded],
    ['deposit', at('03T06:00:00'), 'TKN', 7],
  ])
  const { body } = await own.coins(`/portfolio/coins?portfolioId=${portfolioId}`)
  const row = body.result.find(({ coin }: any) => coin.symbol === 'TKN')
  expect(row).toMatchObject({ count: 7, isPriced: false, totalCost: { USD: 0 } })
  const { body: value } = await own.value(`/portfolio/value?portfolioId=${portfolioId}`)
  expect(value).toMatchObject({ totalValue: 10_000, unpriced: { count: 1, cost: 0 } })
  await own.explained(portfolioId, row)
})
