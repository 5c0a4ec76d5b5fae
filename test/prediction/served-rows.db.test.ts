import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openReadonlyDb } from '../../db/connect.ts'
import {
  readHistory,
  readHistoryVolume,
  readHolders,
  readOrderBook,
} from '../../db/prediction/read-details.ts'
import { readPositionPage, readTraderDays, readTraderHours } from '../../db/prediction/read-positions.ts'
import { readTradePage, type TradeFilter } from '../../db/prediction/read-trades.ts'
import { testDatabase } from '../setup/database.ts'
import { insertOutcomes, insertRows } from './prediction-rows.ts'

// What is served of a few rows: those of one market or trader among those of others, and at the edges of a window.

const database = await testDatabase()
const { db, close } = openReadonlyDb({ url: database.apiUrl, maxConnections: 2, applicationName: 'test' })
afterAll(close)
const insert = (table: string, rows: readonly Record<string, unknown>[]) => insertRows(database, table, rows)
const at = (text: string) => new Date(`2026-06-${text}Z`)
const price = (market_id: number, outcome: number, minutes: number, time: string, usd: number) => ({
  market_id,
  outcome,
  minutes,
  at: `2026-06-${time}Z`,
  price: usd,
})
const numbers = (row: object) =>
  Object.values(row).map((value) =>
    value instanceof Date ? value.toISOString().slice(8, 16) : Number(value),
  )

beforeAll(async () => {
  await insert('prediction_markets', [
    { id: 1, venue: 'polymarket', open_interest_usd: 100 },
    { id: 2, venue: 'polymarket' },
  ])
  for (const id of [1, 2]) await insertOutcomes(database, id, { Yes: 0.4, No: 0.6 })
  await insert(
    'prediction_traders',
    [1, 2].map((id) => ({ id, address: `0xa${id}` })),
  )
})

describe('details of a market', () => {
  beforeAll(async () => {
    const book = { bids: [], asks: [], at: '2026-06-01T00:00:00Z' }
    await insert('prediction_books', [
      { market_id: 1, outcome: 0, ...book, tick_size: 0.01 },
      { market_id: 1, outcome: 1, ...book, tick_size: 0.02 },
      { market_id: 2, outcome: 1, ...book, tick_size: 0.03 },
    ])
    const holder = (market_id: number, outcome: number, rank: number, trader_id: number, shares: number) => ({
      market_id,
      outcome,
      rank,
      trader_id,
      shares,
    })
    await insert('prediction_holders', [
      holder(1, 0, 1, 1, 30),
      holder(1, 0, 2, 2, 20),
      holder(1, 0, 3, 2, 10),
      holder(1, 1, 1, 2, 400),
      holder(2, 0, 1, 1, 6),
      holder(2, 0, 2, 2, 2),
    ])
    const bought = (trader_id: number, market_id: number, outcome: number, shares: number, usd: number) => ({
      trader_id,
      market_id,
      outcome,
      bought_shares: shares,
      bought_usd: usd,
    })
    await insert('prediction_positions', [
      bought(1, 1, 0, 10, 5),
      bought(1, 1, 1, 10, 9),
      bought(1, 2, 0, 10, 1),
      // Got its shares without a purchase.
      bought(2, 1, 0, 0, 0),
    ])
    await insert('prediction_prices', [
      price(1, 0, 60, '01T05:00:00', 0.1),
      price(1, 0, 60, '01T06:00:00', 0.2),
      price(1, 0, 60, '01T07:00:00', 0.3),
      price(1, 0, 60, '01T12:00:00', 0.4),
      price(1, 0, 60, '01T18:00:00', 0.5),
      price(1, 0, 5, '01T12:00:00', 0.6),
      price(1, 1, 60, '01T12:00:00', 0.7),
      price(2, 0, 60, '01T12:00:00', 0.8),
    ])
    const day = (market_id: number, date: string, outcome: number, side: string, volume_usd: number) => ({
      market_id,
      day: `2026-05-${date}T00:00:00Z`,
      outcome,
      side,
      trades: 1,
      volume_usd,
    })
    await insert('prediction_trade_days', [
      day(1, '01', 0, 'buy', 1),
      day(1, '02', 0, 'buy', 2),
      day(1, '03', 0, 'buy', 4),
      day(1, '03', 0, 'sell', 8),
      day(1, '03', 1, 'buy', 16),
      day(1, '04', 0, 'buy', 32),
      day(2, '03', 0, 'buy', 64),
    ])
  })

  test('an order book is that of one outcome', async () => {
    expect((await readOrderBook(db, { marketId: 1, outcome: 1 }))?.tick_size).toBe('0.02')
    expect(await readOrderBook(db, { marketId: 2, outcome: 0 })).toBeUndefined()
  })

  test('holders have their share of the larger of all shares and the open interest', async () => {
    const holders = async (marketId: number, outcomes: number[]) =>
      (await readHolders(db, { marketId, outcomes, limit: 2 })).map((row) => [
        row.outcome,
        row.rank,
        row.address,
        Number(row.shares),
        Number(row.share),
        row.average_price && Number(row.average_price),
      ])
    expect(await holders(1, [0, 1])).toEqual([
      [0, 1, '0xa1', 30, 0.3, 0.5],
      [0, 2, '0xa2', 20, 0.2, null],
      [1, 1, '0xa2', 400, 1, null],
    ])
    expect(await holders(1, [1])).toEqual([[1, 1, '0xa2', 400, 1, null]])
    expect(await holders(2, [0])).toEqual([
      [0, 1, '0xa1', 6, 0.75, 0.1],
      [0, 2, '0xa2', 2, 0.25, null],
    ])
  })

  test('a history has the ends of its periods, with both edges of its window', async () => {
    const window = { marketId: 1, outcome: 0, stored: 60, minutes: 360, to: at('01T18:00:00') }
    const prices = async (from: Date | null, to = window.to) =>
      (await readHistory(db, { ...window, from, to })).map(numbers)
    expect(await prices(at('01T06:00:00'), at('01T12:00:00'))).toEqual([
      ['01T06:00', 0.2],
      ['01T12:00', 0.4],
    ])
    expect(await prices(at('01T06:00:01'))).toEqual([
      ['01T12:00', 0.4],
      ['01T18:00', 0.5],
    ])
    expect(await prices(null)).toHaveLength(3)
  })

  test('the volume of a day is dated at its end, and counts from the day that ends where the window starts', async () => {
    const volumes = async (from: Date | null, to: Date) =>
      (await readHistoryVolume(db, { marketId: 1, share: '1', minutes: 1440, from, to }))
        .map((row) => numbers(row).join(' '))
        .toSorted()
    const day = (date: string) => new Date(`2026-05-${date}T00:00:00Z`)
    expect(await volumes(day('03'), day('04'))).toEqual(['0 03T00:00 2', '0 04T00:00 12', '1 04T00:00 16'])
    expect(await volumes(null, day('02'))).toEqual(['0 02T00:00 1'])
  })
})

describe('trades', () => {
  const trade = (n: number, market_id: number, time: string, rest: object) => ({
    market_id,
    at: `2026-06-${time}Z`,
    id: `00000000-0000-4000-8000-00000000000${n}`,
    outcome: 0,
    side: 'buy',
    price: 0.5,
    size: 2 * n,
    value_usd: n,
    trader_id: 1,
    is_block: false,
    ...rest,
  })
  beforeAll(async () => {
    await insert(
      'prediction_markets',
      [5, 6].map((id) => ({ id, venue: 'polymarket' })),
    )
    for (const id of [5, 6]) await insertOutcomes(database, id, { Yes: 0.4, No: 0.6 })
    await insert('prediction_trades', [
      trade(1, 5, '20T10:00:00', {}),
      trade(2, 5, '20T10:00:00', { side: 'sell' }),
      trade(3, 5, '20T10:59:59', { outcome: 1 }),
      trade(4, 5, '20T11:00:00', { trader_id: 2 }),
      trade(5, 5, '21T11:00:00', { trader_id: null }),
      trade(6, 6, '20T10:30:00', {}),
    ])
    const day = (market_id: number, date: string, outcome: number, side: string, trades: number) => ({
      market_id,
      day: `2026-06-${date}T00:00:00Z`,
      outcome,
      side,
      trades,
      volume_usd: 0,
    })
    await insert('prediction_trade_days', [
      day(5, '20', 0, 'buy', 2),
      day(5, '20', 0, 'sell', 1),
      day(5, '20', 1, 'buy', 1),
      day(5, '21', 0, 'buy', 1),
      day(6, '20', 0, 'buy', 1),
    ])
  })

  test.each([
    ['of a market, newest first', { marketId: 5 }, [5, 4, 3, 2, 1]],
    ['of a trader', { traderId: 1 }, [3, 6, 2, 1]],
    ['of a trader in a market', { traderId: 1, marketId: 5 }, [3, 2, 1]],
    ['of an outcome', { marketId: 5, outcome: 1 }, [3]],
    ['of a side', { marketId: 5, side: 'sell' }, [2]],
    ['of the first outcome and a side', { marketId: 5, outcome: 0, side: 'buy' }, [5, 4, 1]],
    ['of a value and more', { marketId: 5, minValue: '3' }, [5, 4, 3]],
    ['from an instant on', { marketId: 5, from: at('20T10:59:59') }, [5, 4, 3]],
    ['before an instant', { marketId: 5, to: at('20T11:00:00') }, [3, 2, 1]],
  ] satisfies [string, TradeFilter, number[]][])('%s', async (_, filter, expected) => {
    const read = async (limit: number, offset: number) => {
      const { rows, itemCount } = await readTradePage(db, { ...filter, limit, offset })
      return [rows.map((row) => Number(row.value_usd)), itemCount]
    }
    expect(await read(10, 0)).toEqual([expected, expected.length])
    // From any place on.
    for (const offset of expected.keys())
      expect(await read(2, offset)).toEqual([expected.slice(offset, offset + 2), expected.length])
    expect(await read(2, expected.length)).toEqual([[], expected.length])
  })

  test('their volume by the hour is dated at its end, and a venue that shows both sides counts half', async () => {
    const volumes = async (from: Date | null, to: Date) =>
      (await readHistoryVolume(db, { marketId: 5, share: '0.5', minutes: 60, from, to }))
        .map((row) => numbers(row).join(' '))
        .toSorted()
    expect(await volumes(at('20T11:00:00'), at('20T12:00:00'))).toEqual([
      '0 20T11:00 1.5',
      '0 20T12:00 2',
      '1 20T11:00 1.5',
    ])
    expect(await volumes(at('20T11:00:01'), at('20T11:00:00'))).toEqual(['1 20T11:00 1.5'])
    expect(await volumes(null, at('20T11:00:00'))).toHaveLength(2)
  })
})

describe('a trader', () => {
  beforeAll(async () => {
    await insert('prediction_markets', [
      { id: 3, venue: 'polymarket' },
      { id: 4, venue: 'polymarket' },
    ])
    for (const id of [3, 4]) await insertOutcomes(database, id, { Yes: 0.4, No: 0.6 })
    await insert('prediction_traders', [
      { id: 8, address: '0xa8' },
      { id: 9, address: '0xa9' },
    ])
    const position = (trader_id: number, market_id: number, outcome: number, rest: object) => ({
      trader_id,
      market_id,
      outcome,
      opened_at: `2026-06-0${market_id + outcome}T00:00:00Z`,
      ...rest,
    })
    await insert('prediction_positions', [
      position(8, 3, 0, { shares: 100, cost_usd: 50 }),
      position(8, 3, 1, {
        shares: 10,
        cost_usd: 1,
        status: 'won',
        realized_usd: 2,
        closed_at: '2026-06-10T09:00:00Z',
      }),
      position(8, 4, 1, { shares: 20, cost_usd: 1, realized_usd: 1 }),
      position(9, 3, 0, { shares: 1000 }),
    ])
    const day = (
      trader_id: number,
      category: string,
      date: string,
      cash: number,
      open: number,
      volume: number,
    ) => ({
      trader_id,
      category,
      day: `2026-06-${date}T00:00:00Z`,
      cash_usd: cash,
      open_value_usd: open,
      volume_usd: volume,
      paid_usd: 0,
      trades: 0,
    })
    await insert('prediction_trader_days', [
      day(8, 'Crypto', '01', 1, 2, 3),
      day(8, 'Crypto', '02', 4, 5, 6),
      day(8, 'Sports', '02', 7, 8, 9),
      day(8, 'Crypto', '03', 10, 11, 12),
      day(9, 'Crypto', '02', 100, 100, 100),
    ])
    const fill = (n: number, trader_id: number, market_id: number, time: string, rest: object) => ({
      market_id,
      trader_id,
      at: `2026-06-${time}Z`,
      id: `00000000-0000-4000-8000-00000000009${n}`,
      outcome: 0,
      side: 'buy',
      price: 0.5,
      size: 2 * n,
      value_usd: n,
      is_block: false,
      ...rest,
    })
    await insert('prediction_trades', [
      fill(1, 8, 3, '10T07:59:59', {}),
      fill(2, 8, 3, '10T08:00:00', {}),
      fill(3, 8, 3, '10T09:30:00', { side: 'sell' }),
      fill(4, 8, 4, '10T09:30:00', { outcome: 1 }),
      fill(5, 8, 3, '10T10:30:00', {}),
      fill(6, 9, 3, '10T09:30:00', {}),
    ])
    await insert('prediction_prices', [
      price(3, 0, 60, '10T08:00:00', 0.1),
      price(3, 0, 60, '10T09:00:00', 0.2),
      price(3, 0, 60, '10T10:00:00', 0.3),
      price(3, 0, 5, '10T09:00:00', 0.9),
      price(3, 1, 60, '10T09:00:00', 0.95),
    ])
  })

  test.each([
    ['open', 'value', ['3-0', '4-1']],
    ['open', 'pnl', ['4-1', '3-0']],
    ['closed', 'value', ['3-1']],
    ['all', 'value', ['3-0', '4-1', '3-1']],
    // The cost of a closed position is no loss.
    ['all', 'pnl', ['4-1', '3-1', '3-0']],
    ['all', 'date', ['4-1', '3-1', '3-0']],
  ] as const)('has %s positions, sorted by %s', async (status, sortBy, expected) => {
    const read = (limit: number, offset: number) =>
      readPositionPage(db, { traderId: 8, status, sortBy, limit, offset })
    const names = ({ rows }: Awaited<ReturnType<typeof read>>) =>
      rows.map((row) => `${row.market_id}-${row.outcome}`)
    const all = await read(10, 0)
    expect([names(all), all.itemCount]).toEqual([expected, expected.length])
    expect(names(await read(1, 1))).toEqual(expected.slice(1, 2))
  })

  test('has days over all categories, from one day before a window', async () => {
    const read = async (from: Date | null) =>
      (await readTraderDays(db, { traderId: 8, from })).map((row) => numbers(row))
    expect(await read(at('03T00:00:00'))).toEqual([
      ['02T00:00', 11, 13, 15],
      ['03T00:00', 10, 11, 12],
    ])
    expect(await read(null)).toHaveLength(3)
  })

  test('has hours with their cash, and what was held at their ends at the price of that hour', async () => {
    const hours = async (from: string) =>
      (await readTraderHours(db, { traderId: 8, from: at(`10T${from}`), to: at('10T10:30:00') })).map((row) =>
        numbers(row),
      )
    const both = [
      ['10T09:00', -2, 2, 36.4],
      ['10T10:00', -1, 7, 49],
    ]
    // 102 Yes at 0.1, 10 No at 0.9, and 12 No of the market without prices at 0.6, before the fills.
    expect(await hours('08:00:00')).toEqual([['10T08:00', 0, 0, 26.4], ...both])
    expect(await hours('09:00:00')).toEqual([['10T09:00', 0, 0, 36.4], both[1]])
    // What was closed before the window is not in it.
    expect(await hours('10:00:00')).toEqual([['10T10:00', 0, 0, 42]])
  })
})
