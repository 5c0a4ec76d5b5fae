import { afterAll, beforeAll, expect, test } from 'vitest'
import { openDb } from '../../db/connect.ts'
import { refreshSummary } from '../../db/prediction/write-summary.ts'
import { transact } from '../../db/transact.ts'
import { testDatabase } from '../setup/database.ts'
import { query } from '../setup/query.ts'
import { insertOutcomes, insertRows, readRows } from './prediction-rows.ts'

// What a summary makes of a few rows, by hand.

const database = await testDatabase()
const { pool, close } = openDb({ url: database.ingestUrl, maxConnections: 1, applicationName: 'test' })
afterAll(close)
const insert = (table: string, rows: readonly Record<string, unknown>[]) => insertRows(database, table, rows)
const rows = (text: string) => readRows(database, text)

/** Of texts, in an order that no collation changes. */
const lines = async (text: string): Promise<string[]> =>
  (await rows(`select * from (select ${text}) as lines (line) order by line collate "C"`)).map(
    ({ line }) => line,
  )

const NOW = new Date('2026-06-10T12:34:00Z')
const DAY_S = 86_400
const ago = (seconds: number) => new Date(NOW.getTime() - seconds * 1000).toISOString()
const summarise = (now = NOW) =>
  transact(pool, (transaction) => refreshSummary(transaction, { now, source: 'computed' }))

/** What the markets had before; of Kalshi and Limitless it is stale. */
const MARKETS = [
  { id: 1, venue: 'polymarket', event_id: 1, category: 'Crypto', tags: ['a'], volume_24h_usd: 100 },
  { id: 2, venue: 'polymarket', event_id: 1, status: 'closed', tags: ['a', 'b'], volume_24h_usd: 10 },
  { id: 3, venue: 'polymarket', event_id: 1, status: 'resolved', volume_24h_usd: 500 },
  { id: 4, venue: 'kalshi', category: 'Crypto', tags: ['b'], notional_24h_usd: 50, notional_total_usd: 500 },
  { id: 5, venue: 'kalshi', event_id: 2, status: 'closed', volume_24h_usd: 999, volume_7d_usd: 999 },
  { id: 6, venue: 'kalshi', event_id: 2, status: 'resolved', volume_total_usd: 999 },
  { id: 7, venue: 'kalshi', event_id: 3, status: 'resolved' },
  { id: 8, venue: 'kalshi', event_id: 3, status: 'cancelled' },
  { id: 9, venue: 'kalshi', event_id: 4, status: 'cancelled' },
  { id: 10, venue: 'limitless', category: 'Sports', volume_24h_usd: 999, volume_total_usd: 77 },
  { id: 11, venue: 'predictit' },
  { id: 12, venue: 'polymarket' },
]

beforeAll(async () => {
  await insert('prediction_events', [
    { id: 1, venue: 'polymarket', status: 'closed', tags: ['a'], category: 'Crypto' },
    ...[2, 3, 4].map((id) => ({ id, venue: 'kalshi' })),
    // Without a market here.
    { id: 5, venue: 'polymarket', markets_count: 7 },
  ])
  await insert(
    'prediction_markets',
    MARKETS.map((row) => ({ liquidity_usd: row.id, open_interest_usd: 2 * row.id, ...row })),
  )
  await query(
    database.ownerUrl,
    `update prediction_markets set volume_7d_usd = 2 * volume_24h_usd, volume_total_usd = 3 * volume_24h_usd
     where venue = 'polymarket'`,
  )
  for (const [id, prices] of Object.entries({
    1: { No: 0.4, Yes: 0.6 },
    2: { Yes: 0.6, No: 0.4 },
    3: { Yes: 0, No: 1 },
    4: { Yes: 0.2, No: 0.8 },
    10: { A: 0.5, B: 0.3, C: 0.2 },
  }))
    await insertOutcomes(database, Number(id), prices)
  for (const id of [5, 6, 7, 8, 9, 11, 12]) await insertOutcomes(database, id, { Yes: 0.5, No: 0.5 })
  await insert('prediction_tags', [{ slug: 'a' }, { slug: 'b' }, { slug: 'unused', markets_count: 3 }])
  const priced = (market_id: number, minutes: number, outcome: number, points: [number, number][]) =>
    points.map(([seconds, price]) => ({ market_id, outcome, minutes, at: ago(seconds), price }))
  await insert('prediction_prices', [
    ...priced(1, 5, 0, [
      [7200, 0.1],
      [3600, 0.3],
      [3540, 0.99],
    ]),
    ...priced(1, 5, 1, [[3600, 0.77]]),
    ...priced(1, 60, 0, [
      [8 * DAY_S, 0.05],
      [7 * DAY_S, 0.15],
      [DAY_S, 0.25],
      [DAY_S - 60, 0.98],
    ]),
    ...priced(1, 1440, 0, [[DAY_S, 0.9]]),
    ...priced(2, 60, 0, [[2 * DAY_S, 0.5]]),
    ...priced(3, 60, 0, [[2 * DAY_S, 0.5]]),
    ...priced(10, 60, 0, [[3 * DAY_S, 0.2]]),
  ])
  await insert('prediction_traders', [
    { id: 1, address: '0xa1' },
    { id: 2, address: '0xa2' },
  ])
  const trade = (market_id: number, trader_id: number | null, seconds: number, value_usd: number) => {
    const id = `00000000-0000-4000-8000-${String(seconds + 1_000_000).padStart(12, '0')}`
    return {
      market_id,
      trader_id,
      at: ago(seconds),
      id,
      outcome: 0,
      side: 'buy',
      price: 1,
      size: value_usd,
      value_usd,
      is_block: false,
    }
  }
  await insert('prediction_trades', [
    trade(1, 1, 60, 1),
    trade(1, 1, 3600, 2),
    trade(1, 2, DAY_S - 1, 4),
    trade(1, 2, DAY_S, 8),
    // Of a clock that is ahead.
    trade(1, 2, -60, 16),
    trade(4, null, 60, 11),
    trade(4, null, DAY_S - 1, 7),
    trade(4, null, DAY_S, 5),
    trade(10, null, 7200, 3),
  ])
  const day = (market_id: number, date: string, side: string, trades: number, volume_usd: number) => ({
    market_id,
    day: `${date}T00:00:00Z`,
    outcome: 0,
    side,
    trades,
    volume_usd,
  })
  await insert('prediction_trade_days', [
    day(1, '2026-06-10', 'buy', 2, 3),
    day(1, '2026-06-09', 'buy', 1, 4),
    day(2, '2026-06-09', 'buy', 1, 32),
    day(4, '2026-05-31', 'buy', 1, 100),
    day(4, '2026-06-02', 'buy', 1, 17),
    day(4, '2026-06-03', 'buy', 1, 13),
    day(4, '2026-06-10', 'buy', 1, 11),
    day(4, '2026-06-10', 'sell', 1, 7),
    day(10, '2026-06-10', 'buy', 1, 3),
  ])
  await insert('prediction_positions', [
    { trader_id: 1, market_id: 1 },
    { trader_id: 1, market_id: 1, outcome: 1 },
    { trader_id: 2, market_id: 1 },
    { trader_id: 1, market_id: 2 },
  ])
  await summarise()
})

test('the current price of what trades joins each series, at its round time', async () => {
  const added = await rows(
    `select market_id, outcome, to_char(at at time zone 'UTC', 'HH24:MI') as at, minutes, price::float8
     from prediction_prices where fetched_at = '${NOW.toISOString()}' order by market_id, minutes`,
  )
  const series = (market_id: number, price: number) =>
    [
      ['12:30', 5],
      ['12:00', 60],
      ['00:00', 1440],
    ].map(([at, minutes]) => ({ market_id, outcome: 0, at, minutes, price }))
  // Not of those that have ended, or have no volume; PredictIt states none.
  expect(added).toEqual([...series(1, 0.4), ...series(4, 0.2), ...series(10, 0.5), ...series(11, 0.5)])
})

test('prices change from the last price at least an hour, a day and a week ago', async () => {
  expect(
    await rows(
      `select id, price_change_1h as hour, price_change_24h as day, price_change_7d as week from prediction_markets
       where num_nonnulls(price_change_1h, price_change_24h, price_change_7d) > 0 order by id`,
    ),
  ).toEqual([
    { id: 1, hour: 0.1, day: 0.15, week: 0.25 },
    { id: 2, hour: null, day: 0.1, week: null },
    { id: 10, hour: null, day: 0.3, week: null },
  ])
  // Of two outcomes one gets what the other loses. What a third one had is not known.
  expect(
    await rows(
      `select market_id as id, json_agg(price_change_24h order by position) as changes from prediction_outcomes
       where market_id in (1, 2, 3, 10) group by 1 order by 1`,
    ),
  ).toEqual([
    { id: 1, changes: [0.15, -0.15] },
    { id: 2, changes: [0.1, -0.1] },
    { id: 3, changes: [null, null] },
    { id: 10, changes: [0.3, -0.3, null] },
  ])
})

test('volumes of Kalshi and Limitless are those of the trades, except what Limitless states', async () => {
  const found = await rows(
    `select id, volume_24h_usd as day, volume_7d_usd as week, volume_total_usd as total, traders_count as traders
     from prediction_markets order by id`,
  )
  const none = { day: 0, week: 0, total: 0, traders: null }
  expect(found).toEqual([
    { id: 1, day: 100, week: 200, total: 300, traders: 2 },
    { id: 2, day: 10, week: 20, total: 30, traders: 1 },
    { id: 3, day: 500, week: 1000, total: 1500, traders: null },
    { id: 4, day: 18, week: 31, total: 148, traders: null },
    ...[5, 6, 7, 8, 9].map((id) => ({ id, ...none })),
    { id: 10, day: 3, week: 3, total: 77, traders: null },
    { id: 11, ...none },
    { id: 12, ...none },
  ])
})

test('an event sums its markets, is as open as the most open one, and names the likeliest', async () => {
  expect(
    await rows(
      `select id, markets_count as markets, top_market_id as top, volume_24h_usd as day, volume_total_usd as total,
         liquidity_usd as liquidity, open_interest_usd as interest, status from prediction_events order by id`,
    ),
  ).toEqual([
    // Two are equally likely: that with more volume.
    { id: 1, markets: 3, top: 1, day: 610, total: 1830, liquidity: 6, interest: 12, status: 'open' },
    { id: 2, markets: 2, top: 5, day: 0, total: 0, liquidity: 11, interest: 22, status: 'closed' },
    { id: 3, markets: 2, top: 7, day: 0, total: 0, liquidity: 15, interest: 30, status: 'resolved' },
    { id: 4, markets: 1, top: 9, day: 0, total: 0, liquidity: 9, interest: 18, status: 'cancelled' },
    { id: 5, markets: 7, top: null, day: 0, total: 0, liquidity: 0, interest: 0, status: 'open' },
  ])
})

test('tags, combinations of filters and venues are counted', async () => {
  expect(
    await rows(
      `select slug, markets_count as markets, events_count as events, volume_24h_usd as day from prediction_tags order by 1`,
    ),
  ).toEqual([
    { slug: 'a', markets: 2, events: 1, day: 110 },
    { slug: 'b', markets: 2, events: 0, day: 28 },
    { slug: 'unused', markets: 0, events: 0, day: 0 },
  ])
  // Kind, venue, status, category, number and open interest: of each filter, and of all (nothing).
  const counted = await lines(
    `concat_ws('|', kind, venue, status, category, items, open_interest_usd) from prediction_counts
     where venue in ('polymarket', '') and kind = 'market' or status in ('open', '') and kind = 'event'`,
  )
  expect(counted.filter((line) => line.startsWith('market|polymarket|'))).toEqual([
    'market|polymarket|closed|-|1|4',
    'market|polymarket|closed||1|4',
    'market|polymarket|open|-|1|24',
    'market|polymarket|open|Crypto|1|2',
    'market|polymarket|open||2|26',
    'market|polymarket|resolved|-|1|6',
    'market|polymarket|resolved||1|6',
    'market|polymarket||-|3|34',
    'market|polymarket||Crypto|1|2',
    'market|polymarket|||4|36',
  ])
  const ofAll = counted.filter((line) => line.startsWith('market||'))
  expect(ofAll).toEqual(
    expect.arrayContaining(['market|||-|9|126', 'market|||Crypto|2|10', 'market||||12|156']),
  )
  expect(counted.filter((line) => line.startsWith('event||'))).toEqual([
    'event||open|-|1|0',
    'event||open|Crypto|1|12',
    'event||open||2|12',
    'event|||-|4|70',
    'event|||Crypto|1|12',
    'event||||5|82',
  ])
  expect(
    await rows(
      `select venue, volume_24h_usd as day, volume_7d_usd as week, volume_total_usd as total, liquidity_usd as liquidity,
         open_interest_usd as interest, open_markets as markets, open_events as events, active_traders_24h as traders,
         trades_24h as trades from prediction_venues order by venue`,
    ),
  ).toEqual([
    {
      venue: 'kalshi',
      day: 18,
      week: 31,
      total: 148,
      liquidity: 39,
      interest: 78,
      markets: 1,
      events: 0,
      traders: 0,
      trades: 2,
    },
    {
      venue: 'limitless',
      day: 3,
      week: 3,
      total: 77,
      liquidity: 10,
      interest: 20,
      markets: 1,
      events: 0,
      traders: 0,
      trades: 1,
    },
    {
      venue: 'polymarket',
      day: 610,
      week: 1220,
      total: 1830,
      liquidity: 18,
      interest: 36,
      markets: 2,
      events: 2,
      traders: 2,
      trades: 3,
    },
    {
      venue: 'predictit',
      day: 0,
      week: 0,
      total: 0,
      liquidity: 11,
      interest: 22,
      markets: 1,
      events: 0,
      traders: 0,
      trades: 0,
    },
  ])
  // A venue was read when the newest of its rows was.
  expect(await rows('select venue, fetched_at from prediction_venues order by 1')).toEqual(
    await rows('select venue, max(fetched_at) as fetched_at from prediction_markets group by 1 order by 1'),
  )
})

test('only the latest two periods of a venue change once they are stored', async () => {
  /** Volume, fills and traders. */
  const periods = (interval: string) =>
    lines(
      `concat_ws('|', venue, category, to_char(start_at at time zone 'UTC', 'MM-DD'), volume_usd, trades,
         active_traders) from prediction_venue_periods where interval = '${interval}'
       and venue in ('kalshi', 'polymarket') and (venue = 'polymarket' or category = '')`,
    )
  const ofPolymarket = {
    daily: [
      'polymarket|-|06-09|32|1|0',
      'polymarket|Crypto|06-09|4|1|1',
      'polymarket|Crypto|06-10|3|2|2',
      'polymarket||06-09|36|2|1',
      'polymarket||06-10|3|2|2',
    ],
    weekly: ['polymarket|-|06-08|32|1|0', 'polymarket|Crypto|06-08|7|3|2', 'polymarket||06-08|39|4|2'],
    monthly: ['polymarket|-|06-01|32|1|0', 'polymarket|Crypto|06-01|7|3|2', 'polymarket||06-01|39|4|2'],
  }
  const ofKalshi = {
    daily: ['kalshi||05-31|100|1|0', 'kalshi||06-02|17|1|0', 'kalshi||06-03|13|1|0', 'kalshi||06-10|18|2|0'],
    weekly: ['kalshi||05-25|100|1|0', 'kalshi||06-01|30|2|0', 'kalshi||06-08|18|2|0'],
    monthly: ['kalshi||05-01|100|1|0', 'kalshi||06-01|48|4|0'],
  }
  for (const interval of ['daily', 'weekly', 'monthly'] as const)
    expect(await periods(interval)).toEqual([...ofKalshi[interval], ...ofPolymarket[interval]])

  await query(database.ownerUrl, 'update prediction_trade_days set volume_usd = volume_usd + 1000')
  await summarise()
  const later = await Promise.all(['daily', 'weekly', 'monthly'].map(periods))
  expect(later.map((found) => found.filter((line) => line.startsWith('kalshi')))).toEqual([
    [...ofKalshi.daily.slice(0, 3), 'kalshi||06-10|2018|2|0'],
    [ofKalshi.weekly[0], 'kalshi||06-01|2030|2|0', 'kalshi||06-08|2018|2|0'],
    ['kalshi||05-01|1100|1|0', 'kalshi||06-01|4048|4|0'],
  ])
  // Both of its days are among the latest two.
  expect(later[0]).toContain('polymarket||06-09|2036|2|1')
})
