import { beforeAll, describe, expect, test } from 'vitest'
import { getPortfolioChart } from '../../api/portfolios/get-chart.ts'
import { getPortfolioCoins } from '../../api/portfolios/get-coins.ts'
import { getPortfolioDefi } from '../../api/portfolios/get-defi.ts'
import { getPortfolioPlHistory } from '../../api/portfolios/get-pl-history.ts'
import { getPortfolioValue } from '../../api/portfolios/get-value.ts'
import { routes } from '../../api/routes.ts'
import { openDb } from '../../db/connect.ts'
import { startApi } from '../setup/api.ts'
import { testDatabase } from '../setup/database.ts'
import { endpoint, refusal } from '../setup/endpoint.ts'
import { insertRates } from '../setup/factories.ts'
import { query } from '../setup/query.ts'
import { activateNetworks, address } from '../setup/wallet-factories.ts'
import { at, insertMarket, NOW, portfolioWorld } from './portfolio-world.ts'

// Values, coins, charts and histories of single and combined portfolios.

const database = await testDatabase()
const api = await startApi({ database, routes, overrides: { now: () => NOW } })
const ingest = openDb({ url: database.ingestUrl, maxConnections: 4, applicationName: 'test' })
const world = portfolioWorld(database, { db: api.owner }, ingest)
const mixed = await api.newAccount({ plan: 'pro' })
const apart = await api.newAccount()
const nobody = await api.newAccount()
const W = address(1)
const ids = { wallet: '', exchange: '', manual: '', fifo: '', other: '', otherManual: '' }

const reads = { value: getPortfolioValue, coins: getPortfolioCoins, chart: getPortfolioChart }
const ask = (key: string) => ({
  value: endpoint(api, { route: reads.value, key }),
  coins: endpoint(api, { route: reads.coins, key }),
  chart: endpoint(api, { route: reads.chart, key }),
  history: endpoint(api, { route: getPortfolioPlHistory, key }),
  defi: endpoint(api, { route: getPortfolioDefi, key }),
})
const of = (portfolioId?: string) => (portfolioId === undefined ? '' : `&portfolioId=${portfolioId}`)
const value = async (key: string, portfolioId?: string, currency = 'USD') =>
  (await ask(key).value(`/portfolio/value?currency=${currency}${of(portfolioId)}`)).body
const coins = async (key: string, portfolioId?: string) =>
  (await ask(key).coins(`/portfolio/coins?limit=100${of(portfolioId)}`)).body.result
const chart = async (key: string, portfolioId?: string) =>
  (await ask(key).chart(`/portfolio/chart?type=all${of(portfolioId)}`)).body.result
const history = async (key: string, portfolioId?: string, currency = 'USD') =>
  (
    await ask(key).history(
      `/portfolio/pl/history?interval=daily&range=all&currency=${currency}${of(portfolioId)}`,
    )
  ).body
const sumOf = (items: any[], pick: (item: any) => number) => items.reduce((sum, item) => sum + pick(item), 0)

beforeAll(async () => {
  await insertMarket(api.owner, database.ownerUrl)
  await insertRates(api.owner, {
    currency: 'EUR',
    rates: [
      [at('01T00:00:00'), '0.8'],
      [at('09T00:00:00'), '0.9'],
    ],
  })
  await activateNetworks(api.owner, ['ethereum', 'base-wallet'])
  await world.wallet(W, 'ethereum', [
    { at: at('02T06:00:00'), coinId: 'ethereum', amount: 2, priceUsd: 1_900 },
    { at: at('05T06:00:00'), coinId: 'ethereum', amount: -0.5, priceUsd: 2_000 },
  ])
  await world.wallet(address(2), 'base-wallet', [
    { at: at('03T06:00:00'), coinId: 'bitcoin', amount: 0.5, priceUsd: 52_000 },
  ])
  await query(
    database.ownerUrl,
    `insert into defi_reads (wallet_id, network_id, source, fetched_at, complete_at)
     select id, 'ethereum', 'test', now(), now() from wallets where address = $1`,
    [W],
  )
  ids.wallet = await world.walletPortfolio(mixed.accountId, W, 'ethereum', 'Cold')
  ids.exchange = await world.exchangePortfolio(mixed.accountId, [
    ['deposit', at('02T06:00:00'), 'USDT', 10_000],
    ['fill', at('03T06:00:00'), 'BTC', 0.1, ['USDT', -5_200]],
    ['deposit', at('05T07:00:00'), 'ETH', 0.5],
  ])
  ids.manual = await world.manualPortfolio(mixed.accountId, [
    { at: at('04T06:00:00'), coinId: 'bitcoin', count: 1, priceUsd: 53_000 },
    { at: at('06T06:00:00'), coinId: 'bitcoin', count: 1, priceUsd: 55_000 },
    { at: at('08T06:00:00'), coinId: 'bitcoin', count: -0.5, priceUsd: 57_000 },
  ])
  ids.other = await world.walletPortfolio(apart.accountId, address(2), 'base-wallet')
  ids.otherManual = await world.manualPortfolio(
    apart.accountId,
    [
      { at: at('04T06:00:00'), coinId: 'bitcoin', count: 1, priceUsd: 53_000 },
      { at: at('06T06:00:00'), coinId: 'bitcoin', count: 1, priceUsd: 55_000 },
      { at: at('08T06:00:00'), coinId: 'bitcoin', count: -0.5, priceUsd: 57_000 },
    ],
    { costMethod: 'fifo' },
  )
  return () => ingest.close()
})

describe('one portfolio', () => {
  test('values a wallet at the current price, with the value on arrival as cost', async () => {
    const body = await value(mixed.key, ids.wallet)
    expect(body).toEqual({
      totalValue: 3_000,
      defiValue: 0,
      unpriced: { count: 0, cost: 0 },
      totalCost: 2_850,
      unrealizedProfitLoss: 150,
      realizedProfitLoss: 50,
      allTimeProfitLoss: 200,
      unrealizedProfitLossPercent: expect.closeTo((150 / 2_850) * 100, 9),
      realizedProfitLossPercent: expect.closeTo((50 / 950) * 100, 9),
      allTimeProfitLossPercent: expect.closeTo((200 / 3_800) * 100, 9),
    })
  })

  test('values a manual portfolio by its own cost method', async () => {
    // 1.5 BTC at 59,000. Half a coin was sold: at average cost it had cost half of 54,000, by FIFO half of
    // 53,000.
    expect(await value(mixed.key, ids.manual)).toMatchObject({
      totalValue: 88_500,
      totalCost: 81_000,
      realizedProfitLoss: 1_500,
      allTimeProfitLoss: 9_000,
    })
    expect(await value(apart.key, ids.otherManual)).toMatchObject({
      totalValue: 88_500,
      totalCost: 81_500,
      realizedProfitLoss: 2_000,
      allTimeProfitLoss: 9_000,
    })
  })

  test('converts each amount to EUR and BTC at the rate of its own instant', async () => {
    // The rate was 0.8 when coins came and went. It is 0.9 now.
    expect(await value(mixed.key, ids.wallet, 'EUR')).toEqual({
      totalValue: 3_000 * 0.9,
      defiValue: 0,
      unpriced: { count: 0, cost: 0 },
      totalCost: 2_850 * 0.8,
      unrealizedProfitLoss: 3_000 * 0.9 - 2_850 * 0.8,
      realizedProfitLoss: 50 * 0.8,
      allTimeProfitLoss: 3_000 * 0.9 - 2_800 * 0.8,
      unrealizedProfitLossPercent: expect.closeTo((420 / 2_280) * 100, 9),
      realizedProfitLossPercent: expect.closeTo((50 / 950) * 100, 9),
      allTimeProfitLossPercent: expect.closeTo((460 / 3_040) * 100, 9),
    })
    const body = await value(mixed.key, ids.wallet, 'BTC')
    expect(body.totalValue).toBeCloseTo(3_000 / 59_000, 12)
    // 2 ETH came at 1,900 each when BTC was at 51,000; a quarter of them left.
    expect(body.totalCost).toBeCloseTo((3_800 / 51_000) * 0.75, 12)
  })
})

describe.each([
  ['the wallet', () => [mixed.key, ids.wallet]],
  ['the exchange account', () => [mixed.key, ids.exchange]],
  ['the manual portfolio', () => [mixed.key, ids.manual]],
  ['all portfolios of an account', () => [mixed.key, undefined]],
  ['all portfolios of another account', () => [apart.key, undefined]],
] as const)('%s', (_name, pick) => {
  test('the value equals the sum of the coins and the last point of the chart', async () => {
    const [key, portfolioId] = pick() as [string, string | undefined]
    for (const currency of ['USD', 'BTC', 'ETH'] as const) {
      const { totalValue, totalCost, allTimeProfitLoss } = await value(key, portfolioId, currency)
      const items = await coins(key, portfolioId)
      expect(sumOf(items, ({ count, price }) => count * price[currency])).toBeCloseTo(totalValue, 9)
      expect(sumOf(items, (item) => item.totalCost[currency])).toBeCloseTo(totalCost, 9)
      expect(sumOf(items, (item) => item.profit.allTime[currency])).toBeCloseTo(allTimeProfitLoss, 9)
      const points = await chart(key, portfolioId)
      const last = points.at(-1)
      expect(last[0]).toBe(NOW.getTime())
      expect(last[['USD', 'BTC', 'ETH'].indexOf(currency) + 1]).toBeCloseTo(totalValue, 9)
    }
  })

  test('the history adds up to the profit of all coins', async () => {
    const [key, portfolioId] = pick() as [string, string | undefined]
    for (const currency of ['USD', 'EUR', 'BTC', 'ETH']) {
      const { result } = await history(key, portfolioId, currency)
      const { allTimeProfitLoss } = await value(key, portfolioId, currency)
      expect(sumOf(result, ({ profitLoss }) => profitLoss)).toBeCloseTo(allTimeProfitLoss, 9)
    }
  })
})

describe('combined portfolios', () => {
  test('without transfers between them are their sum', async () => {
    const parts = [await value(apart.key, ids.other), await value(apart.key, ids.otherManual)]
    const whole = await value(apart.key)
    for (const name of ['totalValue', 'allTimeProfitLoss'])
      expect(whole[name]).toBeCloseTo(
        sumOf(parts, (part) => part[name]),
        9,
      )
    const histories = [await history(apart.key, ids.other), await history(apart.key, ids.otherManual)]
    const together = (await history(apart.key)).result
    expect(together.length).toBeGreaterThan(7)
    for (const { date, profitLoss } of together) {
      const own = histories.flatMap(({ result }) => result.filter((point: any) => point.date === date))
      expect(sumOf(own, (point) => point.profitLoss)).toBeCloseTo(profitLoss, 9)
    }
    const lines = [await chart(apart.key, ids.other), await chart(apart.key, ids.otherManual)]
    for (const [time, usd] of await chart(apart.key)) {
      const own = lines.flatMap((line) => line.filter((point: number[]) => point[0] === time))
      expect(sumOf(own, (point) => point[1])).toBeCloseTo(usd, 9)
    }
  })

  test('treat a transfer between two of them as no flow and keep its cost', async () => {
    // 0.5 ETH that had cost 950 moved from the wallet to the exchange. The exchange alone counts it at 1,000.
    const parts = [ids.wallet, ids.exchange, ids.manual]
    const apartFigures = await Promise.all(parts.map((id) => value(mixed.key, id)))
    const whole = await value(mixed.key)
    expect(whole.totalValue).toBeCloseTo(
      sumOf(apartFigures, (part) => part.totalValue),
      9,
    )
    expect(whole.allTimeProfitLoss).toBeCloseTo(
      sumOf(apartFigures, (part) => part.allTimeProfitLoss),
      9,
    )
    const ethereumOf = async (portfolioId?: string) =>
      (await coins(mixed.key, portfolioId)).find((item: any) => item.coin.identifier === 'ethereum')
    const figures = { totalCost: { USD: 1_000 }, profit: { realized: { USD: 0 } } }
    expect(await ethereumOf(ids.exchange)).toMatchObject({ count: 0.5, ...figures })
    figures.totalCost.USD = 2_850
    figures.profit.realized.USD = 50
    expect(await ethereumOf(ids.wallet)).toMatchObject({ count: 1.5, ...figures })
    figures.totalCost.USD = 3_800
    figures.profit.realized.USD = 0
    expect(await ethereumOf()).toMatchObject({ count: 2, ...figures })
  })

  test('are empty without portfolios or without transactions', async () => {
    const empty = await api.newAccount({ plan: 'pro' })
    const id = await world.manualPortfolio(empty.accountId, [])
    for (const [key, portfolioId] of [
      [nobody.key, undefined],
      [empty.key, id],
      [empty.key, undefined],
    ] as const) {
      expect(await value(key, portfolioId)).toMatchObject({
        totalValue: 0,
        totalCost: 0,
        allTimeProfitLoss: 0,
      })
      expect(await coins(key, portfolioId)).toEqual([])
      expect(await chart(key, portfolioId)).toEqual([])
      const { result, meta } = await history(key, portfolioId)
      expect([result, meta.from, meta.lastSyncedAt]).toEqual([[], null, null])
    }
    expect((await ask(empty.key).defi('/portfolio/defi')).body).toMatchObject({ protocols: [] })
  })
})

test('history of an account names its start although one of its wallets was never synced', async () => {
  const account = await api.newAccount({ plan: 'pro' })
  await world.manualPortfolio(account.accountId, [
    { at: at('04T06:00:00'), coinId: 'bitcoin', count: 1, priceUsd: 53_000 },
  ])
  await world.walletPortfolio(account.accountId, address(9), 'ethereum')
  const { result, meta } = await history(account.key)
  expect(result.length).toBeGreaterThan(0)
  expect([meta.from, meta.lastSyncedAt]).toEqual([expect.any(String), null])
})

test('pages coins by value, and adds known risk scores only on request', async () => {
  const { body: all } = await ask(mixed.key).coins('/portfolio/coins')
  expect(all.result.map((item: any) => item.coin.identifier)).toEqual(['bitcoin', 'tether', 'ethereum'])
  const { body: second } = await ask(mixed.key).coins('/portfolio/coins?page=2&limit=2')
  expect(second.result).toEqual(all.result.slice(2))
  await query(
    database.ownerUrl,
    `insert into coin_risks (coin_id, liquidity_score, volatility_score, market_cap_score, risk_score, avg_change, source, fetched_at)
     values ('bitcoin', 90, 20, 99, 10, 1.5, 'test', now())`,
  )
  const { body, credits } = await ask(mixed.key).coins('/portfolio/coins?includeRiskScore=true')
  expect(credits).toBe(8)
  const scores = { liquidityScore: 90, volatilityScore: 20, marketCapScore: 99, riskScore: 10 }
  expect(body.result[0]).toMatchObject({ ...scores, avgChange: 1.5 })
  expect(body.result[1]).not.toHaveProperty('riskScore')
  expect((await coins(mixed.key))[0]).not.toHaveProperty('riskScore')
})

describe('refused requests', () => {
  const paths = [
    '/portfolio/value?',
    '/portfolio/coins?',
    '/portfolio/chart?type=1w&',
    '/portfolio/defi?',
    '/portfolio/transactions?currency=USD&',
    '/portfolio/snapshot/items?',
    '/portfolio/pl/history?interval=daily&range=1w&',
  ]

  test.each(paths)(
    '%s returns the same 404 for the portfolio of another account as for an unknown one',
    async (path) => {
      const pro = await api.newAccount({ plan: 'pro' })
      for (const id of [ids.wallet, ids.exchange, ids.manual, '01990000-0000-7000-8000-000000000000', 'x'])
        expect(await refusal(await api.get(`${path}portfolioId=${id}`, pro.key))).toEqual([
          404,
          `Portfolio with id '${id}' not found`,
        ])
      expect((await api.get(`${path}portfolioId=${ids.manual}`, mixed.key)).status).toBe(200)
      expect(await refusal(await api.get(`${path}portfolioId=a%20b`, mixed.key))).toEqual([
        400,
        'Invalid parameter: portfolioId',
      ])
    },
  )

  test('name a portfolio as pending before its first sync, alone and among others', async () => {
    const fresh = await api.newAccount({ plan: 'pro' })
    const id = await world.exchangePortfolio(fresh.accountId, [], false)
    for (const path of paths.filter((one) => !one.includes('defi')))
      for (const part of ['', `portfolioId=${id}`]) {
        const answer = await api.get(`${path}${part}`, fresh.key)
        const { meta } = (await answer.json()) as { meta: { pending: string[] } }
        expect([path, answer.status, meta.pending]).toEqual([path, 200, [id]])
      }
    expect((await history(fresh.key, id)).result).toEqual([])
    await world.manualPortfolio(fresh.accountId, [
      { at: at('04T06:00:00'), coinId: 'bitcoin', count: 1, priceUsd: 53_000 },
    ])
    expect(await value(fresh.key)).toMatchObject({ totalValue: 59_000 })
  })

  test('return 400 without a charge for invalid parameters, and 403 for positions on the free plan', async () => {
    for (const [path, name] of [
      ['/portfolio/value?currency=XXX', 'currency'],
      ['/portfolio/transactions?currency=XXX', 'currency'],
      ['/portfolio/transactions', 'currency'],
      ['/portfolio/transactions?currency=USD&from=2026-03-02&to=2026-03-02', 'to'],
      ['/portfolio/transactions?currency=USD&limit=1001', 'limit'],
      ['/portfolio/chart', 'type'],
      ['/portfolio/chart?type=2w', 'type'],
      ['/portfolio/coins?page=0', 'page'],
      ['/portfolio/coins?includeRiskScore=1', 'includeRiskScore'],
      ['/portfolio/snapshot/items?from=2026-03-02T00:00:00Z', 'from'],
      ['/portfolio/snapshot/items?from=2026-03-03&to=2026-03-02', 'to'],
      ['/portfolio/pl/history?interval=daily', 'range'],
      ['/portfolio/pl/history?interval=hourly&range=1w', 'interval'],
    ] as const) {
      const response = await api.get(path, mixed.key)
      expect(response.headers.get('x-credits-cost') ?? '0').toBe('0')
      expect([path, ...(await refusal(response))]).toEqual([path, 400, `Invalid parameter: ${name}`])
    }
    const free = await api.newAccount({ plan: 'free' })
    expect((await api.get('/portfolio/defi', free.key)).status).toBe(403)
  })
})
