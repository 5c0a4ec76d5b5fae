import { afterAll, beforeAll, expect, test } from 'vitest'
import { openDb } from '../../db/connect.ts'
import {
  lockDirtyTraders,
  readDailyPrices,
  readFilledMarkets,
  readTraderFills,
} from '../../db/prediction/read-fills.ts'
import { readWordedMarkets } from '../../db/prediction/read-for-matching.ts'
import { transact } from '../../db/transact.ts'
import { testDatabase } from '../setup/database.ts'
import { insertOutcomes, insertRows } from './prediction-rows.ts'

// What traders are computed from: their own fills, oldest first, and the markets of these.

const database = await testDatabase()
const { db, pool, close } = openDb({ url: database.ingestUrl, maxConnections: 1, applicationName: 'test' })
afterAll(close)
const insert = (table: string, rows: readonly Record<string, unknown>[]) => insertRows(database, table, rows)
const day = (n: number) => `2026-06-0${n}T00:00:00Z`

beforeAll(async () => {
  await insert('prediction_traders', [
    { id: 11, address: '0xc', dirty: true },
    { id: 12, address: '0xb', dirty: true },
    { id: 13, address: '0xa', dirty: true },
    { id: 14, address: '0x0', dirty: false },
  ])
  await insert('prediction_markets', [
    {
      id: 1,
      venue: 'polymarket',
      category: 'Crypto',
      status: 'resolved',
      resolved_at: day(1),
      end_at: day(2),
      updated_at: day(3),
    },
    {
      id: 2,
      venue: 'polymarket',
      category: null,
      status: 'cancelled',
      resolved_at: null,
      end_at: day(2),
      updated_at: day(3),
    },
    {
      id: 3,
      venue: 'polymarket',
      category: null,
      status: 'resolved',
      resolved_at: null,
      end_at: null,
      updated_at: day(3),
    },
    {
      id: 4,
      venue: 'polymarket',
      category: null,
      status: 'closed',
      resolved_at: null,
      end_at: day(2),
      updated_at: day(3),
    },
    { id: 5, venue: 'polymarket', category: null, status: 'open' },
  ])
  for (const id of [1, 2, 3, 4, 5]) await insertOutcomes(database, id, { Yes: 0.4, No: 0.6 })
  const fill = (n: number, trader_id: number, market_id: number, at: string) => ({
    id: `00000000-0000-4000-8000-00000000000${n}`,
    trader_id,
    market_id,
    at,
    outcome: 0,
    side: 'buy',
    price: 1,
    size: n,
    value_usd: n,
    is_block: false,
  })
  await insert('prediction_trades', [
    fill(1, 11, 2, day(3)),
    fill(2, 11, 1, day(2)),
    fill(3, 11, 2, day(1)),
    // Of one moment: by id.
    fill(5, 11, 1, day(1)),
    fill(4, 11, 1, day(1)),
    fill(6, 12, 1, day(1)),
    fill(7, 13, 1, day(1)),
  ])
  const price = (market_id: number, minutes: number, at: string, rest: number) => ({
    market_id,
    minutes,
    at,
    outcome: 0,
    price: rest,
  })
  await insert('prediction_prices', [
    price(2, 1440, day(1), 0.1),
    price(1, 1440, day(2), 0.2),
    price(1, 1440, day(1), 0.3),
    price(1, 60, day(1), 0.4),
    price(3, 1440, day(1), 0.5),
  ])
})

test('fills are those of the traders, by trader and market, oldest first', async () => {
  const sizes = async (ids: number[]) => (await readTraderFills(db, ids)).map(({ size }) => Number(size))
  expect(await sizes([11])).toEqual([4, 5, 2, 3, 1])
  expect(await sizes([12, 11])).toEqual([4, 5, 2, 3, 1, 6])
})

test('a market that is over has ended when it says so, else at its end, else at its last change', async () => {
  const ends = async (ids: number[]) =>
    (await readFilledMarkets(db, ids))
      .toSorted((a, b) => a.id - b.id)
      .map(({ id, category, resolvedAt }) => [id, category, resolvedAt?.getUTCDate() ?? null])
  expect(await ends([1])).toEqual([[1, 'Crypto', 1]])
  expect(await ends([1, 2, 3, 4])).toEqual([
    [1, 'Crypto', 1],
    [2, '', 2],
    [3, '', 3],
    [4, '', null],
  ])
  const { prices } = (await readFilledMarkets(db, [5]))[0]!
  expect(prices.map(Number)).toEqual([0.4, 0.6])
})

test('prices are the daily ones of the markets, oldest first', async () => {
  const prices = async (ids: number[]) => (await readDailyPrices(db, ids)).map(({ price }) => Number(price))
  expect(await prices([1])).toEqual([0.3, 0.2])
  expect(await prices([2, 1])).toEqual([0.3, 0.2, 0.1])
})

test('traders to be computed are taken by their address, so many at once', async () => {
  const take = (limit: number) => transact(pool, (trx) => lockDirtyTraders(trx, limit))
  expect(await take(9)).toEqual([13, 12, 11])
  expect(await take(2)).toEqual([13, 12])
})

test('the texts of markets are those of the markets that are asked for', async () => {
  const markets = await readWordedMarkets(db, [3, 1])
  expect(new Set(markets.map(({ id }) => id))).toEqual(new Set([1, 3]))
  expect(markets).toHaveLength(2)
})
