import { beforeAll, expect, test } from 'vitest'
import { routes } from '../../api/routes.ts'
import { createPredictionWorld, volumeOf } from '../../sandbox/prediction/prediction-world.ts'
import { startApi } from '../setup/api.ts'
import { endpoint } from '../setup/endpoint.ts'
import { query } from '../setup/query.ts'
import { startFilledPredictionWorld } from './prediction-world.ts'

const { database, sync, loadVenue, activities, clock } = await startFilledPredictionWorld()
const mine = routes.filter(({ path }) => path.startsWith('/prediction/'))
const api = await startApi({ database, routes: mine })
const { key } = await api.newAccount()
const seconds = clock.nowMs / 1000
const world = createPredictionWorld({ seed: 7, anchor: Math.floor(seconds / 86_400) * 86_400 })

interface Market {
  slug: string
  venue: 'polymarket' | 'kalshi'
  question: string
  volume24h: number | null
  volume7d: number | null
  volumeTotal: number | null
  notional24h: number | null
  notionalTotal: number | null
}

async function get(path: string) {
  const route = mine.find((one) => one.path === `/prediction${path.split('?')[0]}`)!
  return (await endpoint(api, { route, key })(`/prediction${path}`)).body
}

async function allMarkets(rest = ''): Promise<Market[]> {
  const markets: Market[] = []
  for (let page = 1, pages = 1; page <= pages; page++) {
    const body = await get(`/markets?status=all&limit=100&page=${page}${rest}`)
    markets.push(...body.data)
    pages = body.meta.pageCount
  }
  return markets
}

const total = (rows: readonly Market[], field: 'volume24h' | 'volume7d' | 'volumeTotal') =>
  rows.reduce((sum, row) => sum + row[field]!, 0)

beforeAll(async () => {
  await loadVenue('kalshi')
  await activities.summarisePrediction()
})

test('the volume of a market whose trades are unread is null, and its notional is known', async () => {
  const unread = (await allMarkets('&venue=kalshi')).filter(({ notionalTotal }) => notionalTotal! > 0)
  expect(unread.length).toBeGreaterThan(20)
  for (const market of unread)
    expect(market).toMatchObject({ volume24h: null, volume7d: null, volumeTotal: null })
  expect(await activities.listMarketsWithNewTrades({ venue: 'kalshi', limit: 10_000 })).toHaveLength(
    unread.length,
  )
})

test('the volume of every market is price times size, at both venues', async () => {
  await sync('kalshi')
  const markets = await allMarkets()
  const traded = new Map(
    (
      await query<{ slug: string; usd: number; shares: number }>(
        database.ownerUrl,
        `select m.slug, sum(t.value_usd)::float8 as usd, sum(t.size)::float8 as shares
         from prediction_trades t join prediction_markets m on m.id = t.market_id where m.venue = 'kalshi' group by 1`,
      )
    ).map((row) => [row.slug, row]),
  )
  for (const market of markets.filter(({ venue }) => venue === 'kalshi')) {
    const { usd, shares } = traded.get(market.slug) ?? { usd: 0, shares: 0 }
    expect([market.slug, market.volumeTotal]).toEqual([market.slug, expect.closeTo(usd, 4)])
    expect(market.notionalTotal).toBeCloseTo(shares, 1)
  }
  const stated = new Map(world.markets.polymarket.map((one) => [one.question, one]))
  for (const market of markets.filter(({ venue }) => venue === 'polymarket')) {
    const { usd } = volumeOf(stated.get(market.question)!, { now: seconds })
    expect([market.slug, market.volumeTotal]).toEqual([market.slug, expect.closeTo(usd, 4)])
    expect([market.notional24h, market.notionalTotal]).toEqual([null, null])
  }
})

test('volume of 24 hours is never above that of 7 days, nor that above the total', async () => {
  for (const { slug, volume24h, volume7d, volumeTotal } of await allMarkets()) {
    expect(volume7d, slug).toBeGreaterThanOrEqual(volume24h!)
    expect(volumeTotal! + 1e-6, slug).toBeGreaterThanOrEqual(volume7d!)
  }
})

test('the default sort is by that volume', async () => {
  const { data } = await get('/markets?limit=100')
  const volumes = data.map(({ volume24h }: Market) => volume24h)
  expect(volumes).toEqual(volumes.toSorted((a: number, b: number) => b - a))
  expect(new Set(data.slice(0, 30).map(({ venue }: Market) => venue)).size).toBe(2)
})

test('the platform counts the same trades in the same week as the markets of Kalshi', async () => {
  const markets = await allMarkets('&venue=kalshi')
  const { totals } = (await get('/platform/overview?venue=kalshi')).data
  for (const field of ['volume24h', 'volume7d', 'volumeTotal'] as const)
    expect([field, totals[field]]).toEqual([field, expect.closeTo(total(markets, field), 4)])
  for (const [range, field] of [
    ['1w', 'volume7d'],
    ['all', 'volumeTotal'],
  ] as const) {
    const { points } = (await get(`/platform/volume?venue=kalshi&range=${range}`)).data
    const categories = (await get(`/platform/categories?venue=kalshi&range=${range}`)).data
    for (const rows of [points, categories] as { volume: number }[][])
      expect(rows.reduce((sum, { volume }) => sum + volume, 0)).toBeCloseTo(totals[field], 4)
  }
})
