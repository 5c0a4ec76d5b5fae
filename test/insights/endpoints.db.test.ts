import { beforeEach, describe, expect, test } from 'vitest'
import { getBtcDominance } from '../../api/insights/get-btc-dominance.ts'
import { getFearAndGreed } from '../../api/insights/get-fear-and-greed.ts'
import { getFearAndGreedChart } from '../../api/insights/get-fear-and-greed-chart.ts'
import { getRainbowChart } from '../../api/insights/get-rainbow-chart.ts'
import { startApi } from '../setup/api.ts'
import { testDatabase } from '../setup/database.ts'
import { endpoint, refusal } from '../setup/endpoint.ts'
import { insertMarketTotals, insertPrices } from '../setup/factories.ts'
import { query } from '../setup/query.ts'

const database = await testDatabase()
const now = new Date('2026-05-18T12:00:00Z')
const routes = [getBtcDominance, getFearAndGreed, getFearAndGreedChart, getRainbowChart]
const api = await startApi({ database, routes, overrides: { now: () => now } })
const { key } = await api.newAccount()
const before = (options: { hours?: number; minutes?: number; days?: number }) =>
  new Date(
    now.getTime() -
      (((options.days ?? 0) * 24 + (options.hours ?? 0)) * 60 + (options.minutes ?? 0)) * 60_000,
  )
const seconds = (at: Date) => at.getTime() / 1_000

beforeEach(() => query(database.ownerUrl, 'truncate fear_greed, market_totals, price_days'))

test.each(['btc-dominance?type=all', 'fear-and-greed', 'fear-and-greed/chart', 'rainbow-chart/bitcoin'])(
  '/insights/%s returns 503 without data',
  async (path) => {
    expect(await refusal(await api.get(`/insights/${path}`, key))).toEqual([
      503,
      'Service Unavailable. Please Contact Support',
    ])
  },
)

describe('fear and greed', () => {
  const insert = (source: string, days: [string, number][]) =>
    query(
      database.ownerUrl,
      `insert into fear_greed select $1, d.at, d.value, '2026-05-18T00:10:05Z' from unnest($2::timestamptz[], $3::int[]) d (at, value)`,
      [source, days.map(([at]) => at), days.map(([, value]) => value)],
    )
  const current = endpoint(api, { route: getFearAndGreed, key })
  const chart = endpoint(api, { route: getFearAndGreedChart, key })

  test('returns the values of now, yesterday and a week ago', async () => {
    await insert('alternative-me', [
      ['2026-05-10', 1],
      ['2026-05-11', 24],
      ['2026-05-17', 56],
      ['2026-05-18', 73],
    ])
    const { body, headers, credits } = await current('/insights/fear-and-greed')
    expect(body).toEqual({
      name: 'Fear and Greed Index',
      now: {
        value: 73,
        value_classification: 'Greed',
        timestamp: Date.UTC(2026, 4, 18) / 1_000,
        update_time: '2026-05-18T00:10:05.000Z',
      },
      yesterday: { value: 56, value_classification: 'Greed', timestamp: Date.UTC(2026, 4, 17) / 1_000 },
      lastWeek: { value: 24, value_classification: 'Extreme fear', timestamp: Date.UTC(2026, 4, 11) / 1_000 },
    })
    expect(headers.get('x-data-as-of')).toBe('2026-05-18T00:00:00.000Z')
    expect(credits).toBe(10)
  })

  test('leaves out a day without a value instead of returning another day', async () => {
    await insert('alternative-me', [
      ['2026-05-16', 40],
      ['2026-05-18', 73],
    ])
    expect(Object.keys((await current('/insights/fear-and-greed')).body)).toEqual(['name', 'now'])
  })

  test('returns the chart of one publisher, oldest first, with times as text', async () => {
    await insert('alternative-me', [
      ['2026-05-16', 44],
      ['2026-05-17', 45],
    ])
    await insert('coinmarketcap', [['2026-05-17', 99]])
    const { body, credits } = await chart('/insights/fear-and-greed/chart')
    expect(body).toEqual({
      name: 'Fear and Greed Index',
      data: [
        { timestamp: String(Date.UTC(2026, 4, 16) / 1_000), value: 44, value_classification: 'Fear' },
        { timestamp: String(Date.UTC(2026, 4, 17) / 1_000), value: 45, value_classification: 'Neutral' },
      ],
    })
    expect(credits).toBe(10)
    await insert('coinmarketcap', [['2026-05-18', 98]])
    expect(
      (await chart('/insights/fear-and-greed/chart')).body.data.map((d: { value: number }) => d.value),
    ).toEqual([99, 98])
  })
})

describe('bitcoin dominance', () => {
  const dominance = endpoint(api, { route: getBtcDominance, key })
  const sample = (at: Date, btcDominance: string) =>
    insertMarketTotals(api.owner, { at, marketCapUsd: '2000', volume24hUsd: '90', btcDominance })

  test('returns the newest sample of each step in the period, with the time of the sample', async () => {
    await sample(before({ hours: 25 }), '10')
    await sample(before({ hours: 23, minutes: 1 }), '50.5')
    await sample(before({ minutes: 14 }), '51')
    await sample(before({ minutes: 3 }), '52.25')
    const { body, headers, credits } = await dominance('/insights/btc-dominance?type=24h')
    expect(body).toEqual({
      data: [
        [seconds(before({ hours: 23, minutes: 1 })), 50.5],
        [seconds(before({ minutes: 3 })), 52.25],
      ],
    })
    expect(headers.get('x-data-as-of')).toBe(before({ minutes: 3 }).toISOString())
    expect(credits).toBe(10)
    expect((await dominance('/insights/btc-dominance?type=1w')).body.data[0][1]).toBe(10)
  })

  test('type=all returns daily points from the first sample on', async () => {
    for (let days = 0; days <= 400; days += 0.5) await sample(before({ days }), String(40 + days / 100))
    const { data } = (await dominance('/insights/btc-dominance?type=all')).body
    expect(data).toHaveLength(401)
    expect(data[0]).toEqual([seconds(before({ days: 400 })), 44])
    expect(data.at(-1)).toEqual([seconds(now), 40])
    expect((await dominance('/insights/btc-dominance?type=1y')).body.data).toHaveLength(366)
    expect((await dominance('/insights/btc-dominance?type=1m')).body.data).toHaveLength(61)
  })

  test.each(['', 'type=', 'type=2w', 'type=24H', 'type=all,1y', 'type=all&type=1y', 'type=__proto__'])(
    'returns 400 for "%s"',
    async (search) => {
      const response = await api.get(`/insights/btc-dominance?${search}`, key)
      expect(await refusal(response)).toEqual([400, 'Invalid parameter: type'])
    },
  )
})

describe('the rainbow chart', () => {
  const rainbow = endpoint(api, { route: getRainbowChart, key })

  test('returns each exact close with the day it ends, its trend and its band', async () => {
    const points = Array.from({ length: 60 }, (_, i) => {
      const at = new Date(Date.UTC(2026, 2, 20 + i))
      const days = (at.getTime() - Date.UTC(2009, 0, 3)) / 86_400_000
      return [at, i === 59 ? '199000.123456789012345' : String(5e-9 * days ** 3.5)] as const
    })
    await insertPrices(api.owner, { coinId: 'bitcoin', resolution: 'day', points })
    await insertPrices(api.owner, {
      coinId: 'ethereum',
      resolution: 'day',
      points: [[points[0]![0], '3000']],
    })
    const { body, headers, credits } = await rainbow('/insights/rainbow-chart/bitcoin')
    expect(body).toHaveLength(60)
    expect(body[0].time).toBe('2026-03-19')
    expect(body.at(-1)).toMatchObject({ price: '199000.123456789012345', time: '2026-05-17', band: 9 })
    expect(Number(body[0].trend) / Number(body[0].price)).toBeGreaterThan(0.5)
    expect(headers.get('x-data-as-of')).toBe('2026-05-18T00:00:00.000Z')
    expect(credits).toBe(10)
    expect((await rainbow('/insights/rainbow-chart/ethereum')).body).toEqual([
      { price: '3000', time: '2026-03-19' },
    ])
  })

  test.each(['litecoin', 'Bitcoin', 'bitcoin%00', '%2e%2e', 'bitcoin;x', '__proto__'])(
    'returns 404 for "%s"',
    async (coinId) => {
      expect((await api.get(`/insights/rainbow-chart/${coinId}`, key)).status).toBe(404)
    },
  )
})
