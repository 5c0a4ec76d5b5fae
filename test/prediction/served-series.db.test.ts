import { beforeAll, describe, expect, test } from 'vitest'
import { routes } from '../../api/routes.ts'
import { startApi } from '../setup/api.ts'
import { testDatabase } from '../setup/database.ts'
import { endpoint, refusal } from '../setup/endpoint.ts'
import { insertOutcomes, insertRows } from './prediction-rows.ts'

// Histories of markets and profits of traders, of a few rows by hand.

const database = await testDatabase()
const mine = routes.filter(({ path }) => path.startsWith('/prediction/'))
// Answers are those of the end of a minute: of noon.
const now = () => new Date('2026-06-10T11:59:30Z')
const api = await startApi({ database, routes: mine, overrides: { now } })
const { key } = await api.newAccount()
const insert = (table: string, rows: readonly Record<string, unknown>[]) => insertRows(database, table, rows)
const ADDRESS = `0x${'a'.repeat(40)}`

const get = async (declared: string, path: string) => {
  const route = mine.find((one) => one.path === `/prediction${declared}`)!
  return (await endpoint(api, { route, key })(`/prediction${path}`)).body.data
}
const refused = async (path: string) => refusal(await api.get(`/prediction${path}`, key))
const trade = (n: number, market_id: number, time: string, outcome: number, value_usd: number) => ({
  market_id,
  at: `2026-06-${time}Z`,
  id: `00000000-0000-4000-8000-00000000000${n}`,
  outcome,
  side: 'buy',
  price: 0.5,
  size: 2 * value_usd,
  value_usd,
  trader_id: market_id === 3 ? 1 : null,
  is_block: false,
})
const price = (market_id: number, outcome: number, minutes: number, time: string, usd: number) => ({
  market_id,
  outcome,
  minutes,
  at: `2026-06-${time}Z`,
  price: usd,
})

beforeAll(async () => {
  await insert('prediction_markets', [
    { id: 1, venue: 'polymarket', created_at: '2026-05-01T00:00:00Z' },
    { id: 2, venue: 'kalshi', created_at: '2026-05-01T00:00:00Z' },
    { id: 3, venue: 'polymarket' },
  ])
  for (const id of [1, 3]) await insertOutcomes(database, id, { Yes: 0.6, No: 0.4 })
  await insertOutcomes(database, 2, { A: 0.3, B: 0.2, C: 0.5 })
  await insert('prediction_traders', [{ id: 1, address: ADDRESS }])
  await insert('prediction_prices', [
    price(1, 0, 60, '10T06:00:00', 0.2),
    price(1, 0, 60, '10T11:00:00', 0.4),
    price(1, 0, 5, '10T11:55:00', 0.45),
    price(1, 0, 1440, '10T00:00:00', 0.25),
    price(2, 1, 60, '10T11:00:00', 0.2),
    price(2, 2, 60, '10T11:00:00', 0.5),
    price(3, 0, 60, '10T11:00:00', 0.75),
  ])
  await insert('prediction_trades', [
    trade(1, 1, '10T10:30:00', 0, 8),
    trade(2, 1, '10T10:40:00', 1, 2),
    trade(3, 2, '10T10:30:00', 1, 8),
    trade(4, 3, '10T10:30:00', 0, 4),
  ])
  await insert('prediction_trade_days', [
    { market_id: 1, day: '2026-06-09T00:00:00Z', outcome: 0, side: 'buy', trades: 1, volume_usd: 5 },
  ])
})

interface Series {
  outcome: string
  points: { date: string; price: number; volume: number }[]
}
const history = async (market: number, rest: string) => {
  const { interval, series } = await get(
    '/markets/{slug}/history',
    `/markets/market-${market}/history?${rest}`,
  )
  return [
    interval,
    ...(series as Series[]).map(({ outcome, points }) =>
      [
        outcome,
        ...points.map(({ date, ...rest }) => [date.slice(8, 16), ...Object.values(rest)].join(' ')),
      ].join(', '),
    ),
  ]
}

describe('the history of a market', () => {
  test('of two outcomes has the second as the rest of the first, and a half of both sides that are shown', async () => {
    const week = ['1h', 'Yes, 10T06:00 0.2 0, 10T11:00 0.4 4', 'No, 10T06:00 0.8 0, 10T11:00 0.6 1']
    expect(await history(1, 'range=1w')).toEqual(week)
    expect(await history(1, '')).toEqual(week)
    expect(await history(1, 'outcome=no')).toEqual([week[0], week[2]])
  })

  test('of more outcomes has a series of each, with all of what was traded', async () => {
    expect(await history(2, 'range=1w')).toEqual(['1h', 'A', 'B, 10T11:00 0.2 8', 'C, 10T11:00 0.5 0'])
  })

  test('has points in steps that fit its range, or in those that are asked for', async () => {
    expect((await history(1, 'range=24h&outcome=Yes'))[1]).toBe('Yes, 10T11:55 0.45 0')
    expect(await history(1, 'range=1m&outcome=Yes')).toEqual(['6h', 'Yes, 10T06:00 0.2 0'])
    const days = ['1d', 'Yes, 10T00:00 0.25 5']
    expect(await history(1, 'range=3m&outcome=Yes')).toEqual(days)
    expect(await history(1, 'range=all&outcome=Yes')).toEqual(days)
    expect(await history(1, 'range=1w&interval=1d&outcome=Yes')).toEqual(days)
  })

  test.each([
    ['from=2026-06-09T12:00:00Z', '5m'],
    ['from=2026-06-09T11:59:00Z', '1h'],
    ['from=2026-06-03T12:00:00Z', '1h'],
    ['from=2026-06-03T11:59:00Z', '6h'],
    ['from=2026-05-10T12:00:00Z', '6h'],
    ['from=2026-05-10T11:59:00Z', '1d'],
    // From the start of the market.
    ['to=2026-05-02T00:00:00Z', '5m'],
    ['to=2026-05-02T00:01:00Z', '1h'],
  ])('of the window %s has steps of %s', async (window, interval) => {
    expect((await history(1, window))[0]).toBe(interval)
  })

  test('has the points of its window alone', async () => {
    const window = 'from=2026-06-10T06:00:00Z&to=2026-06-10T07:00:00Z&interval=1h'
    expect(await history(1, `${window}&outcome=Yes`)).toEqual(['1h', 'Yes, 10T06:00 0.2 0'])
  })

  test('has 5,000 points at most, and a range or a window', async () => {
    expect(await history(1, 'from=2026-05-24T03:20:00Z&interval=5m&outcome=Yes')).toEqual([
      '5m',
      'Yes, 10T11:55 0.45 0',
    ])
    expect(await refused('/markets/market-1/history?from=2026-05-24T03:19:00Z&interval=5m')).toEqual([
      400,
      'Invalid parameter: interval',
    ])
    for (const window of ['from=2026-06-01', 'to=2026-06-01'])
      expect(await refused(`/markets/market-1/history?range=1w&${window}`)).toEqual([
        400,
        'Invalid parameter: range',
      ])
  })
})

describe('the profit of a trader', () => {
  beforeAll(async () => {
    const day = (date: string, cash_usd: number, open_value_usd: number, volume_usd: number) => ({
      trader_id: 1,
      category: '',
      day: `2026-${date}T00:00:00Z`,
      cash_usd,
      open_value_usd,
      volume_usd,
      paid_usd: 0,
      trades: 0,
    })
    await insert('prediction_trader_days', [
      day('06-01', -5, 5, 5),
      // Nothing was open between.
      day('06-08', -50, 60, 50),
      day('06-09', 20, 30, 20),
      day('06-10', 0, 45, 0),
    ])
    await insert('prediction_positions', [
      { trader_id: 1, market_id: 3, shares: 8, cost_usd: 4, bought_shares: 8, bought_usd: 4 },
    ])
  })

  const profit = async (rest: string) => {
    const { points, summary } = await get('/traders/{address}/pnl', `/traders/${ADDRESS}/pnl?${rest}`)
    return {
      points: (points as object[]).map((point) => Object.values(point).join(' ').replace(':00:00.000Z', '')),
      summary,
    }
  }
  const sums = { realizedPnl: 0, unrealizedPnl: expect.closeTo(0.8, 9) }

  test('of a day is its cash and the change of what is open, since the day before', async () => {
    expect(await profit('range=1w')).toEqual({
      points: ['2026-06-08T00 10 10 50', '2026-06-09T00 -10 0 20', '2026-06-10T00 15 15 0'],
      summary: { ...sums, totalPnl: 15, volume: 70 },
    })
    expect(await profit('range=24h')).toEqual({
      points: ['2026-06-09T00 -10 -10 20', '2026-06-10T00 15 5 0'],
      summary: { ...sums, totalPnl: 5, volume: 20 },
    })
  })

  test('of a longer interval is that of its days', async () => {
    expect((await profit('range=all&interval=weekly')).points).toEqual([
      '2026-06-01T00 0 0 5',
      '2026-06-08T00 15 15 70',
    ])
    expect((await profit('range=all&interval=monthly')).points).toEqual(['2026-06-01T00 15 15 75'])
  })

  test('of an hour is dated at its start, within 24 hours alone', async () => {
    const { points, summary } = await profit('range=24h&interval=hourly')
    expect([points.length, points[0]]).toEqual([24, '2026-06-09T12 0 0 0'])
    // A purchase for 4 of what is worth 6 at its end.
    expect(points.slice(-2)).toEqual(['2026-06-10T10 2 2 4', '2026-06-10T11 0 2 0'])
    expect(summary).toEqual({ ...sums, totalPnl: 2, volume: 4 })
    expect(await refused(`/traders/${ADDRESS}/pnl?range=1w&interval=hourly`)).toEqual([
      400,
      'Invalid parameter: interval',
    ])
  })
})
