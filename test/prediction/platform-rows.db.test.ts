import { afterAll, beforeAll, expect, test } from 'vitest'
import { openReadonlyDb } from '../../db/connect.ts'
import { readPredictionAsOf } from '../../db/prediction/read-as-of.ts'
import { readCategories, readTagPage, readVolume } from '../../db/prediction/read-platform.ts'
import { testDatabase } from '../setup/database.ts'
import { insertRows } from './prediction-rows.ts'

const database = await testDatabase()
const { db, close } = openReadonlyDb({ url: database.apiUrl, maxConnections: 2, applicationName: 'test' })
afterAll(close)
const insert = (table: string, rows: readonly Record<string, unknown>[]) => insertRows(database, table, rows)
const at = (text: string) => new Date(`2026-06-${text}Z`)
const numbers = (row: object) =>
  Object.values(row).map((value) =>
    value instanceof Date ? value.toISOString().slice(8, 16) : Number(value),
  )

beforeAll(async () => {
  const period = (venue: string, category: string, interval: string, date: string, volume: number) => ({
    venue,
    category,
    interval,
    start_at: `2026-06-${date}T00:00:00Z`,
    volume_usd: volume,
    trades: volume + 1,
    active_traders: volume + 2,
  })
  await insert('prediction_venue_periods', [
    period('polymarket', '', 'daily', '01', 1),
    period('polymarket', '', 'daily', '02', 2),
    period('polymarket', '', 'daily', '03', 4),
    period('kalshi', '', 'daily', '03', 8),
    period('kalshi', '', 'weekly', '01', 16),
    period('polymarket', 'Crypto', 'daily', '01', 32),
    period('polymarket', 'Crypto', 'daily', '02', 64),
    period('kalshi', 'Crypto', 'daily', '02', 128),
    period('kalshi', 'Crypto', 'weekly', '02', 256),
    period('kalshi', 'Sports', 'daily', '02', 512),
  ])
  const count = (venue: string, status: string, category: string, items: number, kind = 'market') => ({
    kind,
    venue,
    status,
    category,
    items,
    open_interest_usd: 10 * items,
  })
  await insert('prediction_counts', [
    count('polymarket', 'open', 'Crypto', 1),
    count('kalshi', 'open', 'Crypto', 2),
    count('', 'open', 'Crypto', 3),
    count('kalshi', 'closed', 'Crypto', 4),
    count('kalshi', 'open', '', 5),
    count('kalshi', 'open', 'Politics', 6),
    count('kalshi', 'open', 'Politics', 7, 'event'),
  ])
  await insert('prediction_tags', [
    { slug: 'x', label: 'beta', markets_count: 2, volume_24h_usd: 1 },
    { slug: 'y', label: 'Alpha', markets_count: 2, events_count: 1, volume_24h_usd: 2 },
    { slug: 'z', label: 'gamma', events_count: 3, volume_24h_usd: 3 },
    { slug: 'none', label: 'A', markets_count: 0 },
  ])
  const sums = {
    volume_24h_usd: 0,
    volume_7d_usd: 0,
    volume_total_usd: 0,
    open_interest_usd: 0,
    liquidity_usd: 0,
    open_markets: 0,
    open_events: 0,
    active_traders_24h: 0,
    trades_24h: 0,
  }
  await insert('prediction_venues', [
    { venue: 'polymarket', ...sums, fetched_at: '2026-06-02T00:00:00Z' },
    { venue: 'kalshi', ...sums, fetched_at: '2026-06-01T00:00:00Z' },
  ])
})

test('the platform has volume of a venue or of all, by its interval and without categories', async () => {
  const read = async (asked: Partial<Parameters<typeof readVolume>[1]>) =>
    (await readVolume(db, { interval: 'daily', from: null, ...asked })).map(numbers)
  expect(await read({})).toEqual([
    ['01T00:00', 1, 2, 3],
    ['02T00:00', 2, 3, 4],
    ['03T00:00', 12, 14, 16],
  ])
  expect(await read({ venue: 'polymarket', from: at('02T00:00:00') })).toEqual([
    ['02T00:00', 2, 3, 4],
    ['03T00:00', 4, 5, 6],
  ])
  expect(await read({ venue: 'kalshi', interval: 'weekly' })).toEqual([['01T00:00', 16, 17, 18]])
})

test('the platform has categories by volume, also those with open markets or with trades alone', async () => {
  const read = async (venue: string | undefined, from: Date | null) =>
    (await readCategories(db, { venue, from })).map((row) => [
      row.category,
      Number(row.volume_usd),
      row.markets,
      Number(row.open_interest_usd),
    ])
  expect(await read(undefined, null)).toEqual([
    ['Sports', 512, 0, 0],
    ['Crypto', 224, 3, 30],
    ['Politics', 0, 6, 60],
  ])
  expect(await read('polymarket', at('02T00:00:00'))).toEqual([['Crypto', 64, 1, 10]])
})

test('the platform has tags that something has, the largest first', async () => {
  const read = async (sortBy: 'marketsCount' | 'volume24h' | 'label') => {
    const { rows, itemCount } = await readTagPage(db, { sortBy, limit: 10, offset: 0 })
    return [rows.map(({ slug }) => slug).join(''), itemCount]
  }
  expect(await Promise.all((['marketsCount', 'volume24h', 'label'] as const).map(read))).toEqual([
    ['xyz', 3],
    ['zyx', 3],
    ['yxz', 3],
  ])
})

test('what is served is as old as the venue that was read longest ago', async () => {
  expect(await readPredictionAsOf(db)).toEqual(at('01T00:00:00'))
  expect(await readPredictionAsOf(db, 'polymarket')).toEqual(at('02T00:00:00'))
  expect(await readPredictionAsOf(db, 'predictit')).toBeNull()
})
