import { beforeAll, describe, expect, test } from 'vitest'
import { getCoin } from '../../api/prices/get-coin.ts'
import { getCoinCharts } from '../../api/prices/get-coin-charts.ts'
import { getCoins } from '../../api/prices/get-coins.ts'
import { getCoinsCharts } from '../../api/prices/get-coins-charts.ts'
import { getPriceAvg } from '../../api/prices/get-price-avg.ts'
import { routes } from '../../api/routes.ts'
import { startApi } from '../setup/api.ts'
import { testDatabase } from '../setup/database.ts'
import { endpoint, refusal } from '../setup/endpoint.ts'
import { insertCoin, insertPrices, insertRates } from '../setup/factories.ts'

const NOW = new Date('2026-03-10T12:30:00Z')
const at = (text: string) => new Date(text)
const USDC = '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48'.toLowerCase()

const database = await testDatabase()
const api = await startApi({ database, routes, overrides: { now: () => NOW } })
const { key } = await api.newAccount()
const coins = endpoint(api, { route: getCoins, key })
const coin = endpoint(api, { route: getCoin, key })
const charts = endpoint(api, { route: getCoinCharts, key })
const manyCharts = endpoint(api, { route: getCoinsCharts, key })
const priceAvg = endpoint(api, { route: getPriceAvg, key })
const idsOf = async (path: string) => (await coins(path)).body.result.map(({ id }: { id: string }) => id)

beforeAll(async () => {
  const db = api.owner
  const quoteAt = at('2026-03-10T12:29:00Z')
  await insertCoin(db, {
    id: 'bitcoin',
    symbol: 'btc',
    name: 'Bitcoin',
    rank: 1,
    priceUsd: '80000',
    at: quoteAt,
    categories: ['Layer 1 (L1)'],
    quote: {
      volume_24h_usd: '30000000000',
      market_cap_usd: '1600000000000',
      available_supply: '20000000',
      total_supply: '20000000',
      price_change_1h: '0.1',
      price_change_1d: '-1.5',
      price_change_1w: '4.25',
      price_change_1m: '10',
      all_time_high_usd: '100000',
      all_time_high_at: at('2026-01-05T15:00:00Z'),
      all_time_low_usd: '50',
      all_time_low_at: at('2013-07-05T00:00:00Z'),
    },
  })
  await insertCoin(db, {
    id: 'ethereum',
    symbol: 'eth',
    name: 'Ethereum',
    rank: 2,
    priceUsd: '2500',
    at: quoteAt,
    categories: ['Layer 1 (L1)', 'Smart Contract Platform'],
    quote: {
      market_cap_usd: '300000000000',
      volume_24h_usd: '1',
      price_change_1w: '-2',
    },
  })
  await insertCoin(db, {
    id: 'usd-coin',
    symbol: 'usdc',
    name: 'USD Coin',
    rank: 3,
    priceUsd: '0.9998',
    at: at('2026-03-10T12:00:00Z'),
    isStable: true,
    categories: ['Stablecoins'],
    quote: { market_cap_usd: '70000000000' },
    contracts: [
      {
        blockchain: 'ethereum',
        address: USDC,
        decimals: 6,
      },
      {
        blockchain: 'solana',
        address: 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v',
        decimals: 6,
      },
    ],
  })
  await insertCoin(db, {
    id: 'oddity',
    name: '100%_odd\\coin',
    priceUsd: '0.000012345678901234',
    at: quoteAt,
  })
  await insertCoin(db, {
    id: 'gone',
    rank: 4,
    priceUsd: '1',
    at: quoteAt,
    delistedAt: at('2026-02-01T00:00:00Z'),
  })
  await insertCoin(db, { id: 'never-priced', rank: 5, at: quoteAt })
  const risk = (coinId: string, [liquidity, volatility, cap, score, change]: string[]) =>
    db
      .insertInto('coin_risks')
      .values({
        coin_id: coinId,
        liquidity_score: liquidity!,
        volatility_score: volatility!,
        market_cap_score: cap!,
        risk_score: score!,
        avg_change: change!,
        source: 'derived',
        fetched_at: quoteAt,
      })
      .execute()
  await risk('bitcoin', ['99.1', '20', '100', '8.3', '1.75'])
  await risk('ethereum', ['50', '60', '50', '60.5', '2'])
  await insertRates(db, {
    currency: 'EUR',
    rates: [
      [at('2026-01-02T00:00:00Z'), '0.90'],
      [at('2026-01-05T00:00:00Z'), '0.80'],
      [at('2026-03-09T00:00:00Z'), '0.95'],
    ],
  })
  for (const [coinId, level] of [
    ['bitcoin', 80_000],
    ['ethereum', 2_000],
    ['usd-coin', 1],
  ] as const) {
    const hour = (n: number) => new Date(at('2026-03-10T12:00:00Z').getTime() - n * 3_600_000)
    const hours = Array.from({ length: 48 }, (_, n) => [hour(47 - n), String(level * (1 + n / 100))] as const)
    await insertPrices(db, { coinId, resolution: 'hour', points: hours })
    const day = (n: number) => new Date(at('2026-03-10T00:00:00Z').getTime() - n * 86_400_000)
    const days = Array.from({ length: 400 }, (_, n) => [day(399 - n), String(level)] as const)
    await insertPrices(db, { coinId, resolution: 'day', points: days })
  }
})

describe('GET /coins', () => {
  test('lists coins by rank with market data, for 2 credits', async () => {
    const { body, headers, credits } = await coins('/coins')
    expect(credits).toBe(2)
    expect(headers.get('x-data-as-of')).toBe('2026-03-10T12:00:00.000Z')
    expect(body.meta).toEqual({
      page: 1,
      limit: 20,
      itemCount: 4,
      pageCount: 1,
      hasPreviousPage: false,
      hasNextPage: false,
    })
    expect(body.result.map(({ id }: { id: string }) => id)).toEqual([
      'bitcoin',
      'ethereum',
      'usd-coin',
      'oddity',
    ])
    expect(body.result[0]).toEqual({
      id: 'bitcoin',
      symbol: 'BTC',
      name: 'Bitcoin',
      slug: 'bitcoin',
      rank: 1,
      icon: 'https://icons.example/bitcoin.png',
      explorers: [],
      categories: ['Layer 1 (L1)'],
      contractAddresses: [],
      price: 8e4,
      priceBtc: 1,
      volume: 3e10,
      marketCap: 16e11,
      availableSupply: 2e7,
      totalSupply: 2e7,
      allTimeHigh: 1e5,
      allTimeLow: 50,
      priceChange1h: 0.1,
      priceChange1d: -1.5,
      priceChange1w: 4.25,
      priceChange1m: 10,
    })
    expect(body.result[2]).toMatchObject({
      isStable: true,
      contractAddress: USDC,
      decimals: 6,
      priceBtc: 0.9998 / 8e4,
      contractAddresses: [
        {
          blockchain: 'ethereum',
          contractAddress: USDC,
        },
        {
          blockchain: 'solana',
          contractAddress: 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v',
        },
      ],
    })
    expect(body.result[3].price).toBe(0.000012345678901234)
  })

  test('returns pages, and an empty page past the end', async () => {
    const second = await coins('/coins?page=2&limit=3')
    expect(second.body.result.map(({ id }: { id: string }) => id)).toEqual(['oddity'])
    expect(second.body.meta).toMatchObject({ pageCount: 2, hasPreviousPage: true, hasNextPage: false })
    const far = await coins('/coins?page=2147483647&limit=1000')
    expect(far.body).toMatchObject({ meta: { itemCount: 4, hasNextPage: false }, result: [] })
    expect(far.headers.get('x-data-as-of')).toBe('2026-03-10T12:29:00.000Z')
  })

  test.each([
    ['coinIds=ethereum,nothing,usd-coin', ['ethereum', 'usd-coin']],
    ['coinIds=gone', ['gone']],
    ['coinIds=never-priced', []],
    ['name=COIN', ['bitcoin', 'usd-coin', 'oddity']],
    ['name=%25_', ['oddity']],
    ['name=%5C', ['oddity']],
    ['symbol=Eth', ['ethereum']],
    ['symbol=%24eth', []],
    ['contractAddresses=0x1::aptos_coin::AptosCoin', []],
    [`contractAddresses=${USDC.toUpperCase().replace('0X', '0x')}`, ['usd-coin']],
    ['contractAddresses=epjfwdd5aufqssqem2qn1xzybapc8g4weggkzwytdt1v', ['usd-coin']],
    ['blockchains=solana,base', ['usd-coin']],
    [`blockchains=solana&contractAddresses=${USDC}`, []],
    ['categories=layer%201%20(l1)', ['bitcoin', 'ethereum']],
    ['categories=Stablecoins,Smart%20Contract%20Platform', ['ethereum', 'usd-coin']],
    ['categories=layer-1', ['bitcoin', 'ethereum']],
    ['categories=L1', ['bitcoin', 'ethereum']],
    ['categories=stablecoins,smart-contract-platform', ['ethereum', 'usd-coin']],
    ['categories=layer', []],
    ['marketCap~greaterThan=100000000000', ['bitcoin', 'ethereum']],
    ['marketCap-lessThan=100000000000', ['usd-coin', 'oddity']],
    ['rank~equals=2', ['ethereum']],
    ['priceChange7d~greaterThan=-3&priceChange7d~lessThan=0', ['ethereum']],
    ['price~lessThan=0.96&currency=EUR', ['usd-coin', 'oddity']],
    ['price~lessThan=0.9', ['oddity']],
    ['includeRiskScore=true', ['bitcoin', 'ethereum', 'usd-coin', 'oddity']],
    ['includeRiskScore=true&riskScore~lessThan=50', ['bitcoin']],
    ['includeRiskScore=true&riskScore~equals=60.5', ['ethereum']],
    ['sortBy=symbol', ['bitcoin', 'ethereum', 'oddity', 'usd-coin']],
    ['sortBy=volume&sortDir=desc', ['bitcoin', 'ethereum', 'oddity', 'usd-coin']],
    ['sortBy=priceChange1h&sortDir=desc', ['bitcoin', 'ethereum', 'oddity', 'usd-coin']],
    ['sortBy=rank&sortDir=desc', ['usd-coin', 'ethereum', 'bitcoin', 'oddity']],
    ['priceChange1d-greaterThan=-2&volume~greaterThan=5', ['bitcoin']],
    ['availableSupply~equals=20000000.0', ['bitcoin']],
    // What is unknown shows as 0 and is filtered as 0, except ranks.
    ['totalSupply~lessThan=1', ['ethereum', 'usd-coin', 'oddity']],
    ['volume~lessThan=5', ['ethereum', 'usd-coin', 'oddity']],
    ['volume~lessThan=0', []],
    ['volume~equals=0&currency=EUR', ['usd-coin', 'oddity']],
    ['volume~greaterThan=-1', ['bitcoin', 'ethereum', 'usd-coin', 'oddity']],
    ['volume~greaterThan=0', ['bitcoin', 'ethereum']],
    ['rank~lessThan=3', ['bitcoin', 'ethereum']],
    ['fullyDilutedValuation~greaterThan=0', []],
    [`contractAddresses=${USDC},0x1&blockchains=base,ethereum`, ['usd-coin']],
    ['sortBy=price&sortDir=desc', ['bitcoin', 'ethereum', 'usd-coin', 'oddity']],
    ['sortBy=price', ['oddity', 'usd-coin', 'ethereum', 'bitcoin']],
    ['sortBy=marketCap', ['usd-coin', 'ethereum', 'bitcoin', 'oddity']],
    ['sortBy=priceChange7d&sortDir=desc', ['bitcoin', 'ethereum', 'oddity', 'usd-coin']],
    ['sortBy=name&sortDir=desc', ['usd-coin', 'ethereum', 'bitcoin', 'oddity']],
  ])('filters and sorts by %s', async (filter, ids) => expect(await idsOf(`/coins?${filter}`)).toEqual(ids))

  test('converts money at the current rate, and extremes at the rate of their day', async () => {
    const { body } = await coins('/coins?coinIds=bitcoin&currency=eur')
    expect(body.result[0]).toMatchObject({ price: 76_000, marketCap: 1.52e12, volume: 2.85e10 })
    expect(body.result[0]).toMatchObject({ allTimeHigh: 80_000, allTimeLow: 45, priceBtc: 1 })
    const inEth = await coins('/coins?coinIds=bitcoin&currency=ETH')
    expect(inEth.body.result[0].price).toBe(32)
  })

  test.each([
    ['currency=XXX', 'currency'],
    ['riskScore~lessThan=5', 'includeRiskScore'],
    ['price~lessThan=1e5', 'price~lessThan'],
    ['price~greaterThan=', 'price~greaterThan'],
    ['sortBy=Rank', 'sortBy'],
    ['sortDir=up', 'sortDir'],
    ['limit=1001', 'limit'],
    ['page=0', 'page'],
    ['coinIds=a,,b', 'coinIds'],
    ['includeRiskScore=1', 'includeRiskScore'],
  ])('returns 400 for %s', async (filter, name) =>
    expect(await refusal(await api.get(`/coins?${filter}`, key))).toEqual([
      400,
      `Invalid parameter: ${name}`,
    ]),
  )
})

test('returns risk scores on request, for the coins that have them', async () => {
  const { body } = await coins('/coins?coinIds=bitcoin,usd-coin&includeRiskScore=true')
  expect(body.result[0]).toMatchObject({
    liquidityScore: 99.1,
    volatilityScore: 20,
    marketCapScore: 100,
    riskScore: 8.3,
    avgChange: 1.75,
  })
  expect(body.result[1]).not.toHaveProperty('riskScore')
  const without = await coins('/coins?coinIds=bitcoin')
  expect(without.body.result[0]).not.toHaveProperty('riskScore')
  expect(
    await idsOf('/coins?includeRiskScore=true&riskScore-greaterThan=8.29&riskScore-lessThan=8.31'),
  ).toEqual(['bitcoin'])
})

describe('GET /coins/{coinId}', () => {
  test('returns one coin for 1 credit', async () => {
    const { body, credits } = await coin('/coins/ethereum?currency=BTC')
    expect(body).toMatchObject({ id: 'ethereum', price: 0.03125, priceBtc: 0.03125 })
    expect(credits).toBe(1)
  })
  test('returns 404 for an unknown coin and for a coin without a price', async () => {
    expect(await refusal(await api.get('/coins/nothing', key))).toEqual([
      404,
      "Coin with id 'nothing' not found",
    ])
    expect((await api.get('/coins/never-priced', key)).status).toBe(404)
    expect((await api.get('/coins/..%2fbitcoin', key)).status).toBe(404)
  })
  test('returns 400 for an unknown currency', async () =>
    expect((await api.get('/coins/bitcoin?currency=ZZZ', key)).status).toBe(400))
})

describe('GET /coins/{coinId}/charts', () => {
  test('24h: returns hourly points in BTC and ETH of their hour, and the current price', async () => {
    const { body, credits } = await charts('/coins/bitcoin/charts?period=24h')
    expect(credits).toBe(3)
    expect(body).toHaveLength(25)
    expect(body[0]).toEqual([at('2026-03-09T13:00:00Z').getTime() / 1_000, 80_000 * 1.24, 1, 40])
    expect(body.at(-1)).toEqual([at('2026-03-10T12:29:00Z').getTime() / 1_000, 80_000, 1, 32])
  })
  test.each([
    ['1w', 48],
    ['3m', 90],
    ['1y', 365],
    ['all', 400],
  ])('%s: returns %i points before the current one, oldest first', async (period, points) => {
    const { body } = await charts(`/coins/ethereum/charts?period=${period}`)
    const times = body.map(([time]: [number]) => time)
    expect(body).toHaveLength(points + 1)
    expect(times).toEqual([...times].sort((a, b) => a - b))
  })
  test('1m: begins where `priceChange1m` does, 30 days ago', async () => {
    for (const coinId of ['bitcoin', 'ethereum'])
      await insertPrices(api.owner, {
        coinId,
        resolution: 'hour',
        points: [
          [at('2026-02-08T12:00:00Z'), '1000'],
          [at('2026-02-08T13:00:00Z'), '1000'],
        ],
      })
    const { body } = await charts('/coins/bitcoin/charts?period=1m')
    expect(new Date(body[0][0] * 1_000)).toEqual(at('2026-02-08T13:00:00Z'))
  })
  test('returns 400 without a valid period, 404 for an unknown coin', async () => {
    expect(await refusal(await api.get('/coins/bitcoin/charts', key))).toEqual([
      400,
      'Invalid parameter: period',
    ])
    expect((await api.get('/coins/bitcoin/charts?period=2h', key)).status).toBe(400)
    expect((await api.get('/coins/nothing/charts?period=1y', key)).status).toBe(404)
  })
})

describe('GET /coins/charts', () => {
  test('returns an entry per coin with the points of its chart, for 3 credits each', async () => {
    const { body, credits } = await manyCharts('/coins/charts?coinIds=ethereum,nothing,usd-coin&period=1w')
    expect(credits).toBe(9)
    expect(body.map(({ coinId }: { coinId: string }) => coinId)).toEqual(['ethereum', 'nothing', 'usd-coin'])
    expect(body[0].chart).toEqual((await charts('/coins/ethereum/charts?period=1w')).body)
    expect(body[1]).toEqual({ coinId: 'nothing', chart: [], errorMessage: 'ERR_COIN_CHART_NOT_FOUND' })
    expect(body[2]).not.toHaveProperty('errorMessage')
  })
  test.each([
    ['period=1w', 'coinIds'],
    ['coinIds=bitcoin', 'period'],
    ['coinIds=bitcoin,&period=1w', 'coinIds'],
    [`coinIds=${Array.from({ length: 101 }, (_, n) => `c${n}`).join()}&period=1w`, 'coinIds'],
  ])('returns 400 for the query %s', async (query, name) =>
    expect(await refusal(await api.get(`/coins/charts?${query}`, key))).toEqual([
      400,
      `Invalid parameter: ${name}`,
    ]),
  )
})

describe('GET /coins/price/avg', () => {
  const seconds = (text: string) => at(text).getTime() / 1_000
  test('returns the price in force at the instant, for 4 credits', async () => {
    const hourly = await priceAvg(
      `/coins/price/avg?coinId=bitcoin&timestamp=${seconds('2026-03-10T11:59:59Z')}`,
    )
    expect(hourly.body).toEqual({ USD: 80_000 * 1.46, BTC: 1, ETH: 40 })
    expect(hourly.credits).toBe(4)
    const daily = await priceAvg(
      `/coins/price/avg?coinId=usd-coin&timestamp=${seconds('2025-06-01T09:00:00Z')}`,
    )
    expect(daily.body).toEqual({ USD: 1, BTC: 1 / 80_000, ETH: 1 / 2_000 })
    const now = await priceAvg(
      `/coins/price/avg?coinId=ethereum&timestamp=${seconds('2026-03-10T12:30:00Z')}`,
    )
    expect(now.body).toEqual({ USD: 2_500, BTC: 0.03125, ETH: 1 })
  })
  test('returns 404 before the first price and for an unknown coin, 400 for the future', async () => {
    expect((await api.get('/coins/price/avg?coinId=bitcoin&timestamp=0', key)).status).toBe(404)
    expect((await api.get('/coins/price/avg?coinId=nothing&timestamp=1770000000', key)).status).toBe(404)
    const future = await api.get(
      `/coins/price/avg?coinId=bitcoin&timestamp=${seconds('2026-03-10T12:30:01Z')}`,
      key,
    )
    expect(await refusal(future)).toEqual([400, 'Invalid parameter: timestamp'])
    expect((await api.get('/coins/price/avg?coinId=bitcoin', key)).status).toBe(400)
  })
})
