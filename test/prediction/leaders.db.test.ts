import { afterAll, beforeAll, expect, test } from 'vitest'
import { openDb, openReadonlyDb } from '../../db/connect.ts'
import {
  readLeaderPage,
  readLeaders,
  readTraderPlaces,
  readTraderSums,
} from '../../db/prediction/read-traders.ts'
import { replaceLeaders } from '../../db/prediction/write-leaders.ts'
import { transact } from '../../db/transact.ts'
import { testDatabase } from '../setup/database.ts'
import { insertOutcomes, insertRows, readRows } from './prediction-rows.ts'

// Leaderboards of a few days and positions, by hand.

const database = await testDatabase()
const { pool, close } = openDb({ url: database.ingestUrl, maxConnections: 1, applicationName: 'test' })
afterAll(close)
const { db, ...readonly } = openReadonlyDb({
  url: database.apiUrl,
  maxConnections: 2,
  applicationName: 'test',
})
afterAll(readonly.close)
const NOW = new Date('2026-06-10T12:34:00Z')

type Day = readonly [date: string, cash: number, paid: number, open: number, volume: number, trades: number]
const days = (trader_id: number, category: string, rows: readonly Day[]) =>
  insertRows(
    database,
    'prediction_trader_days',
    rows.map(([date, cash_usd, paid_usd, open_value_usd, volume_usd, trades]) => ({
      trader_id,
      category,
      day: `2026-${date}T00:00:00Z`,
      cash_usd,
      paid_usd,
      open_value_usd,
      volume_usd,
      trades,
    })),
  )

beforeAll(async () => {
  await insertRows(
    database,
    'prediction_traders',
    ['Ann', 'bob', 'Cy', 'Annabel', '50%_off', '5000', null].map((name, index) => ({
      id: index + 1,
      address: `0xa${index + 1}`,
      name,
    })),
  )
  await insertRows(database, 'prediction_markets', [
    { id: 1, venue: 'polymarket', category: 'Crypto' },
    { id: 2, venue: 'polymarket', category: 'Crypto' },
    { id: 3, venue: 'polymarket' },
    { id: 4, venue: 'polymarket', category: 'Sports' },
  ])
  for (const id of [1, 2, 3, 4]) await insertOutcomes(database, id, { Yes: 0.4, No: 0.6 })
  await days(1, 'Crypto', [
    ['06-08', -50, 50, 60, 50, 1],
    ['06-09', 20, 0, 30, 20, 1],
    ['06-10', 0, 0, 45, 0, 0],
  ])
  await days(1, '', [['06-09', 3, 7, 0, 10, 2]])
  await days(2, 'Crypto', [
    ['06-02', -10, 10, 12, 10, 1],
    ['06-03', 0, 0, 0, 0, 0],
  ])
  // Nothing happened.
  await days(3, 'Crypto', [['06-09', 0, 0, 0, 0, 0]])
  // Only a value, or only cash.
  await days(4, 'Crypto', [['06-10', 0, 0, 5, 0, 0]])
  await days(7, 'Crypto', [['06-10', 9, 0, 0, 0, 0]])
  // The same figures.
  for (const trader of [6, 5]) await days(trader, 'Sports', [['06-09', 2, 4, 0, 6, 1]])
  const closed = { status: 'sold', opened_at: '2026-06-01T00:00:00Z' }
  await insertRows(database, 'prediction_positions', [
    { trader_id: 1, market_id: 1, ...closed, realized_usd: 5, closed_at: '2026-06-09T00:00:00Z' },
    { trader_id: 1, market_id: 1, outcome: 1, shares: 10, cost_usd: 4, realized_usd: 0 },
    { trader_id: 1, market_id: 2, ...closed, realized_usd: -1, closed_at: '2026-06-08T23:59:59Z' },
    { trader_id: 1, market_id: 3, ...closed, realized_usd: 2, closed_at: '2026-06-10T01:00:00Z' },
    { trader_id: 5, market_id: 4, ...closed, realized_usd: 0, closed_at: '2026-06-10T01:00:00Z' },
    { trader_id: 6, market_id: 4, ...closed, realized_usd: 1, closed_at: '2026-06-10T01:00:00Z' },
    { trader_id: 4, market_id: 1, shares: 5, status: 'open' },
    { trader_id: 4, market_id: 2, shares: 7, status: 'lost', closed_at: '2026-06-10T01:00:00Z' },
  ])
  const trade = (trader_id: number, at: string) => ({
    market_id: 1,
    trader_id,
    at: `2026-${at}T01:00:00Z`,
    id: `00000000-0000-4000-8000-0000000000${at.slice(3)}`,
    outcome: 0,
    side: 'buy',
    price: 1,
    size: 1,
    value_usd: 1,
    is_block: false,
  })
  await insertRows(database, 'prediction_trades', [
    trade(2, '06-01'),
    trade(1, '06-08'),
    trade(1, '06-09'),
    trade(2, '06-10'),
  ])
  const replace = () =>
    transact(pool, (transaction) => replaceLeaders(transaction, { now: NOW, source: 'x' }))
  expect(await replace()).toBe(await replace())
})

/** Trader, P&L, volume, ROI, win rate, trades and markets, then the ranks in that order without markets. */
const board = async (period: string, category: string) =>
  (
    await readRows(
      database,
      `select concat_ws(' ', trader_id, pnl_usd::float8, volume_usd::float8, roi::float8, win_rate::float8, trades,
         markets_traded, '|', rank_pnl, rank_volume, rank_roi, rank_win_rate, rank_trades) as line
       from prediction_leaders where period = '${period}' and category = '${category}' order by rank_pnl`,
    )
  ).map(({ line }) => line)

test('a period has the cash of its days, and the value at its end without that before its start', async () => {
  expect(await board('24h', 'Crypto')).toEqual([
    '7 9 0 0 0 0 0 | 1 3 3 2 3',
    '1 5 20 8.3333 1 1 1 | 2 1 1 1 1',
    '4 5 0 0 0 0 2 | 3 2 2 3 2',
  ])
  expect(await board('24h', '')).toEqual([
    '7 9 0 0 0 0 0 | 1 5 5 3 5',
    '1 8 30 11.9403 1 3 2 | 2 1 3 1 1',
    '4 5 0 0 0 0 2 | 3 4 4 4 4',
    '5 2 6 50 0 1 1 | 4 2 1 5 2',
    '6 2 6 50 1 1 1 | 5 3 2 2 3',
  ])
  expect(await board('1w', 'Crypto')).toEqual([
    '1 15 70 30 0.5 2 2 | 1 1 1 1 1',
    '7 9 0 0 0 0 0 | 2 4 3 2 4',
    '4 5 0 0 0 0 2 | 3 3 2 3 3',
    // What it had before the week is worth nothing any more.
    '2 -12 0 -100 0 0 0 | 4 2 4 4 2',
  ])
  expect(await board('all', 'Crypto')).toContain('2 -10 10 -100 0 1 0 | 4 2 4 4 2')
  expect(await board('all', 'Sports')).toEqual(['5 2 6 50 0 1 1 | 1 1 1 2 1', '6 2 6 50 1 1 1 | 2 2 2 1 2'])
  expect(await board('all', '')).toEqual([
    '1 18 80 31.5789 0.666667 4 3 | 1 1 3 2 1',
    '7 9 0 0 0 0 0 | 2 6 5 3 6',
    '4 5 0 0 0 0 2 | 3 5 4 4 5',
    '5 2 6 50 0 1 1 | 4 3 1 5 3',
    '6 2 6 50 1 1 1 | 5 4 2 1 4',
    '2 -10 10 -100 0 1 0 | 6 2 6 6 2',
  ])
})

/** Traders of a page with their ranks, and the number of all. */
async function page(asked: Partial<Parameters<typeof readLeaderPage>[1]>) {
  const { rows, itemCount } = await readLeaderPage(db, {
    period: 'all',
    category: '',
    sortBy: 'pnl',
    limit: 10,
    offset: 0,
    ...asked,
  })
  return { traders: rows.map(({ trader_id, rank }) => [trader_id, rank]), itemCount }
}

test.each([
  [
    'by volume',
    { sortBy: 'volume', limit: 2, offset: 2 },
    [
      [5, 3],
      [6, 4],
    ],
    6,
  ],
  [
    'of a category',
    { category: 'Sports' },
    [
      [5, 1],
      [6, 2],
    ],
    2,
  ],
  ['of a period', { period: '24h', limit: 1 }, [[7, 1]], 5],
  [
    'of at least a volume',
    { minVolume: '10' },
    [
      [1, 1],
      [2, 6],
    ],
    2,
  ],
  ['of at least a volume, its second page', { minVolume: '10', limit: 1, offset: 1 }, [[2, 6]], 2],
  [
    'of a name in any case',
    { search: 'ANN' },
    [
      [1, 1],
      [4, 3],
    ],
    2,
  ],
  ['of an address', { search: '0xA7' }, [[7, 2]], 1],
  ['of a name with signs of a pattern', { search: '50%_' }, [[5, 4]], 1],
] as const)('a page %s', async (_, asked, traders, itemCount) => {
  expect(await page(asked)).toEqual({ traders, itemCount })
})

test('traders by their ids keep their order, with the worth of what they hold', async () => {
  const found = await readLeaders(db, [4, 3, 1])
  expect(
    found.map((row) => [row.trader_id, row.rank, row.open_positions, Number(row.open_value_usd)]),
  ).toEqual([
    [4, 3, 1, 2],
    [1, 1, 1, 6],
  ])
})

test('a trader has places, sums and times of its own', async () => {
  expect((await readTraderPlaces(db, 1)).map((row) => [row.period, row.category, row.volume_usd])).toEqual([
    ['1m', '', '80'],
    ['1m', 'Crypto', '70'],
    ['1w', '', '80'],
    ['1w', 'Crypto', '70'],
    ['24h', '', '30'],
    ['24h', 'Crypto', '20'],
    ['all', '', '80'],
    ['all', 'Crypto', '70'],
  ])
  const none = {
    open_positions: 0,
    open_value_usd: '0',
    realized_usd: '0',
    unrealized_usd: '0',
    biggest_win: '0',
    biggest_loss: '0',
    first_at: null,
    last_at: null,
  }
  expect(await readTraderSums(db, 1)).toEqual({
    open_positions: 1,
    open_value_usd: '6.0',
    realized_usd: '6',
    unrealized_usd: '2.0',
    biggest_win: '5',
    biggest_loss: '-1',
    first_at: new Date('2026-06-08T01:00:00Z'),
    last_at: new Date('2026-06-09T01:00:00Z'),
  })
  expect(await readTraderSums(db, 6)).toEqual({ ...none, realized_usd: '1', biggest_win: '1' })
  expect(await readTraderSums(db, 3)).toEqual(none)
})
