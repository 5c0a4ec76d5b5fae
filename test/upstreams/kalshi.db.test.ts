import { describe, expect, test } from 'vitest'
import { decimal, formatDecimal } from '../../db/values/decimal.ts'
import { createClock } from './double.ts'
import { createKalshiMarket } from './kalshi-market.ts'
import type { KalshiMarket } from './kalshi-market.ts'
import { predictionDatabase } from './prediction-doubles.ts'

// The prediction area against the strict double of Kalshi, whose rows stand in the names.

const { select, kalshi } = await predictionDatabase()
const NOW = createClock().now() / 1_000
const DAY = 86_400
const exact = (text: string) => formatDecimal(decimal(text))

const stored = async () =>
  Object.fromEntries(
    (
      await select<{ ticker: string; status: string; payout: string | null; resolved: Date | null }>(
        `select venue_market_id as ticker, status, o.payout, resolved_at as resolved from prediction_markets m
         join prediction_outcomes o on o.market_id = m.id and o.position = 0`,
      )
    ).map(({ ticker, status, payout, resolved }) => [ticker, [status, payout && Number(payout), resolved]]),
  )

const fillsOf = (ticker: string) =>
  select<{ outcome: number; price: string; size: string; block: boolean }>(
    `select outcome, price::text, size::text, is_block as block from prediction_trades t join prediction_markets m on m.id = t.market_id
     where venue_market_id = '${ticker}' order by at desc, t.id`,
  )

const pricesOf = (ticker: string) =>
  select<{ at: Date; price: string }>(
    `select at, price::text from prediction_prices p join prediction_markets m on m.id = p.market_id
     where venue_market_id = '${ticker}' and minutes = 60 order by at`,
  )

describe('37: trades', () => {
  const market = createKalshiMarket({ number: 1, trades: 2_500, newestAt: NOW - 60 })

  test.each(['today', 'yesterday', 'tomorrow'] as const)(
    'of the shape of %s are all kept, at the price of their taker',
    async (sides) => {
      const { sync, double } = await kalshi([market])
      double.state.sides = sides
      await sync('kalshi')
      const fills = await fillsOf(market.ticker)
      const sum = (rows: readonly { outcome: number | string; size: string }[], outcome: number | string) =>
        rows.filter((row) => row.outcome === outcome).reduce((total, { size }) => total + Number(size), 0)
      const sent = market.trades.map(({ outcome, count }) => ({ outcome, size: count }))
      expect(fills).toHaveLength(2_500)
      expect([sum(fills, 0), sum(fills, 1)]).toEqual([sum(sent, 'yes'), sum(sent, 'no')])
      const [newest] = market.trades
      expect(fills[0]).toEqual({ outcome: 1, price: exact(newest!.no), size: '1.25', block: true })
      const blocks = market.trades.filter(({ isBlock }) => isBlock)
      expect(blocks.length).toBeGreaterThan(0)
      expect(fills.filter((row) => row.block)).toHaveLength(blocks.length)
      expect(double.refused).toEqual([])
      expect(await select('select reason from quarantine')).toEqual([])
    },
  )
})

test('37: yes, no, scalar and void results, and those that are not final yet', async () => {
  const settled = (number: number, more: Partial<Parameters<typeof createKalshiMarket>[0]>) =>
    createKalshiMarket({ number, trades: 3, newestAt: NOW - 2 * DAY, settledAt: NOW - DAY, ...more })
  const at = new Date((NOW - DAY) * 1_000)
  const cases: [KalshiMarket, unknown[]][] = [
    [settled(1, { result: 'yes' }), ['resolved', 1, at]],
    [settled(2, { result: 'no' }), ['resolved', 0, at]],
    [settled(3, { result: 'scalar', value: '0.5000' }), ['resolved', 0.5, at]],
    [settled(4, { result: 'void' }), ['cancelled', null, at]],
    [settled(5, { result: 'yes', isProvisional: true }), ['closed', null, null]],
    [settled(6, { result: 'yes', status: 'determined' }), ['closed', null, null]],
    [
      createKalshiMarket({
        number: 7,
        trades: 3,
        newestAt: NOW - 2 * DAY,
        status: 'finalized',
        result: 'yes',
      }),
      ['closed', null, null],
    ],
    [settled(8, { result: 'no', status: 'disputed' }), ['closed', null, null]],
  ]
  const { sync } = await kalshi(cases.map(([market]) => market))
  await sync('kalshi')
  expect(await stored()).toEqual(Object.fromEntries(cases.map(([{ ticker }, row]) => [ticker, row])))
})

describe('38: the archive', () => {
  // Trades every two hours for 120 days, so that they begin before the cutoff.
  const long = createKalshiMarket({ number: 1, trades: 1_440, newestAt: NOW - 7_200, apart: 7_200 })
  const old = createKalshiMarket({
    number: 2,
    trades: 200,
    newestAt: NOW - 131 * DAY,
    apart: 3_600,
    settledAt: NOW - 130 * DAY,
  })

  test('trades of a market on both sides of the cutoff are read from both, each once', async () => {
    const { sync, double } = await kalshi([long])
    await sync('kalshi')
    expect(await fillsOf(long.ticker)).toHaveLength(1_440)
    expect(double.asked.some(({ path }) => path.endsWith('/historical/trades'))).toBe(true)
    expect(double.refused).toEqual([])
  })

  test('40: an archived market is found among the combinations, with its fills and its candles', async () => {
    const { sync, double } = await kalshi([long, old])
    await sync('kalshi')
    expect(Object.keys(await stored()).sort()).toEqual([long.ticker, old.ticker])
    expect(await fillsOf(old.ticker)).toHaveLength(200)
    expect((await pricesOf(old.ticker)).length).toBeGreaterThan(190)
    expect(double.asked.filter(({ path }) => path.endsWith('/historical/markets'))).toHaveLength(1)
    expect(double.refused).toEqual([])
    expect(await select('select reason from quarantine')).toEqual([])
  })

  test('37: a quiet period has the price of the one before it, never the middle of no offers', async () => {
    const quiet = createKalshiMarket({ number: 3, trades: 2, newestAt: NOW - 36_000, apart: 36_000 })
    const { sync } = await kalshi([quiet])
    await sync('kalshi')
    const prices = await pricesOf(quiet.ticker)
    const known = new Set(quiet.trades.map(({ yes }) => exact(yes)))
    expect(prices.length).toBeGreaterThan(2)
    expect(prices.filter(({ price }) => !known.has(price))).toEqual([])
  })

  test('the cutoff jumps: a market that moved to the archive meanwhile is read there', async () => {
    const moving = createKalshiMarket({
      number: 4,
      trades: 10,
      newestAt: NOW - 61 * DAY,
      settledAt: NOW - 60 * DAY,
    })
    const { sync, double, clock } = await kalshi([moving])
    await sync('kalshi')
    double.state.cutoff = NOW - 30 * DAY
    clock.advance(3_600_000)
    await select('truncate prediction_trade_states, prediction_prices')
    await sync('kalshi')
    expect(await fillsOf(moving.ticker)).toHaveLength(10)
    expect((await pricesOf(moving.ticker)).length).toBeGreaterThan(0)
    expect(await select('select * from prediction_failures')).toEqual([])
  })
})

test('one market that is refused is set aside with its reason, and the others go on', async () => {
  const markets = [1, 2, 3].map((number) => createKalshiMarket({ number, trades: 5, newestAt: NOW - number }))
  const { sync, double } = await kalshi(markets)
  double.state.broken.add(markets[0]!.ticker)
  await sync('kalshi')
  const counts = await Promise.all(markets.map(async ({ ticker }) => (await fillsOf(ticker)).length))
  expect(counts).toEqual([0, 5, 5])
  const failures = await select<{ part: string; failure: string }>(
    'select part, failure from prediction_failures order by 1',
  )
  expect(failures).toEqual(
    ['details', 'trades'].map((part) => ({ part, failure: expect.stringContaining('not available') })),
  )
})
