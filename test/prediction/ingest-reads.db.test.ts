import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openDb } from '../../db/connect.ts'
import {
  readMarkets,
  readMarketsToCheck,
  readMarketsWithNewTrades,
  readMarketsWithOldDetail,
} from '../../db/prediction/read-for-ingest.ts'
import { testDatabase } from '../setup/database.ts'
import { insertOutcomes, insertRows } from './prediction-rows.ts'

// Which markets a run asks for. Each list has a venue of its own here.

const database = await testDatabase()
const { db, close } = openDb({ url: database.ingestUrl, maxConnections: 1, applicationName: 'test' })
afterAll(close)
const insert = (table: string, rows: readonly Record<string, unknown>[]) => insertRows(database, table, rows)

const NOW = new Date('2026-06-10T12:00:00Z')
const ago = (ms: number) => new Date(NOW.getTime() - ms).toISOString()
const DAY_MS = 86_400_000

test('fills are read of markets with a volume that differs from the one that was read, the busiest first', async () => {
  const market = (id: number, volume_24h_usd: number, volume_total_usd = 100) => ({
    id,
    venue: 'polymarket',
    volume_24h_usd,
    volume_total_usd,
  })
  await insert('prediction_markets', [
    market(1, 10),
    market(2, 90),
    market(3, 20),
    market(4, 30),
    market(5, 80, 0),
    { id: 6, venue: 'kalshi', volume_24h_usd: 70, volume_total_usd: 100 },
    market(7, 60),
    market(8, 40),
    market(9, 50),
    // As busy as the first one.
    market(10, 10, 101),
    market(11, 10),
  ])
  await insert('prediction_trade_states', [
    { market_id: 2, volume_usd: 100 },
    { market_id: 3, volume_usd: 90 },
    // Its walk is not at its end.
    { market_id: 4, volume_usd: 100, walk_cursor: 'x' },
  ])
  const failure = (market_id: number, part: string, failed_at: string) => ({
    market_id,
    part,
    failed_at,
    failure: 'refused',
  })
  await insert('prediction_failures', [
    failure(7, 'trades', ago(DAY_MS - 1000)),
    failure(8, 'trades', ago(DAY_MS)),
    failure(9, 'details', ago(1000)),
  ])
  const read = (limit: number) => readMarketsWithNewTrades(db, { venues: ['polymarket'], now: NOW, limit })
  expect(await read(20)).toEqual([9, 8, 4, 3, 10, 1, 11])
  expect(await read(2)).toEqual([9, 8])
})

test('of a venue that counts contracts the contracts decide', async () => {
  const market = (id: number, notional_total_usd: number, notional_24h_usd: number) => ({
    id,
    venue: 'kalshi',
    notional_total_usd,
    notional_24h_usd,
    // Summed from the fills that were read.
    volume_total_usd: 5,
    volume_24h_usd: 100 - id,
  })
  await insert('prediction_markets', [
    market(21, 50, 1),
    market(22, 50, 2),
    market(23, 50, 3),
    market(24, 0, 0),
  ])
  await insert('prediction_trade_states', [{ market_id: 22, volume_usd: 50 }])
  expect(await readMarketsWithNewTrades(db, { venues: ['kalshi'], now: NOW, limit: 2 })).toEqual([6, 23])
  expect((await readMarkets(db, [24, 21])).map(({ id, statedVolume }) => [id, statedVolume])).toEqual([
    [21, '50'],
    [24, '0'],
  ])
})

describe('details', () => {
  const BEFORE = new Date(NOW.getTime() - 900_000)

  beforeAll(async () => {
    const market = (id: number, volume_24h_usd: number, status = 'open') => ({
      id,
      venue: 'limitless',
      volume_24h_usd,
      volume_total_usd: 100,
      status,
    })
    await insert('prediction_markets', [
      market(31, 1),
      market(32, 2, 'closed'),
      market(33, 90),
      market(34, 80),
      market(35, 70, 'closed'),
      market(36, 60, 'closed'),
      market(37, 50, 'closed'),
      market(38, 40),
      market(39, 30),
      { id: 40, venue: 'polymarket' },
    ])
    const state = (market_id: number, detail_at: string | null, detail_volume_usd: number | null) => ({
      market_id,
      detail_at,
      detail_volume_usd,
    })
    const old = ago(900_001)
    await insert('prediction_trade_states', [
      state(32, null, 100),
      state(33, old, 100),
      state(34, BEFORE.toISOString(), 1),
      state(35, old, 100),
      state(36, old, 99),
      state(37, BEFORE.toISOString(), 99),
      state(38, old, 100),
      state(39, old, 100),
    ])
    await insert('prediction_failures', [
      { market_id: 38, part: 'details', failed_at: ago(1000), failure: 'refused' },
      { market_id: 39, part: 'trades', failed_at: ago(1000), failure: 'refused' },
    ])
  })

  test('are read of markets without any, then of old ones that trade or have traded, the busiest first', async () => {
    const read = (limit: number) =>
      readMarketsWithOldDetail(db, { venues: ['limitless'], now: NOW, before: BEFORE, limit })
    expect(await read(20)).toEqual([32, 31, 33, 36, 39])
    expect(await read(3)).toEqual([32, 31, 33])
  })
})

test('markets that are not settled are checked, those that are overdue ten times as soon', async () => {
  const market = (id: number, minutes: number, rest: Record<string, unknown> = {}) => ({
    id,
    venue: 'manifold',
    fetched_at: ago(minutes * 60_000),
    ...rest,
  })
  const past = { end_at: ago(1000) }
  await insert('prediction_markets', [
    market(51, 10),
    market(52, 11, { status: 'closed' }),
    market(53, 90, { status: 'resolved' }),
    market(54, 90, { status: 'cancelled' }),
    market(55, 2, past),
    market(56, 5),
    market(57, 6, { end_at: ago(-1000) }),
    market(58, 10),
    { id: 59, venue: 'predictit', fetched_at: ago(DAY_MS) },
  ])
  const read = async (limit: number) =>
    (
      await readMarketsToCheck(db, {
        venue: 'manifold',
        now: NOW,
        before: new Date(NOW.getTime() - 5 * 60_000),
        limit,
      })
    ).map(({ id }) => id)
  expect(await read(20)).toEqual([52, 51, 58, 57])
  await insert('prediction_markets', [market(60, 5.5, past)])
  expect(await read(2)).toEqual([60, 52])
})

test('a market is known with its outcomes in order, its series and how far it is loaded', async () => {
  await insert('prediction_events', [{ id: 71, venue: 'kalshi', venue_event_id: 'KXBTC-26JUN' }])
  await insert('prediction_markets', [
    {
      id: 71,
      venue: 'kalshi',
      event_id: 71,
      condition_id: '0xc',
      venue_market_id: 'OTHER-1',
      notional_total_usd: 3,
    },
    { id: 72, venue: 'kalshi', venue_market_id: 'KXETH-26JUN' },
  ])
  await insertOutcomes(database, 71, { Yes: 0.4, No: 0.6 })
  await insert('prediction_trade_states', [
    { market_id: 71, loaded_to: '2026-06-01T00:00:00Z', walk_cursor: 'w', walk_to: '2026-06-02T00:00:00Z' },
  ])
  const [known, bare] = await readMarkets(db, [72, 71])
  expect(known).toMatchObject({
    id: 71,
    conditionId: '0xc',
    outcomeIds: ['71-0', '71-1'],
    series: 'KXBTC',
    statedVolume: '3',
    loadedTo: new Date('2026-06-01T00:00:00Z'),
    walkCursor: 'w',
    walkTo: new Date('2026-06-02T00:00:00Z'),
  })
  expect(bare).toMatchObject({ id: 72, outcomeIds: [], series: 'KXETH', loadedTo: null, walkCursor: null })
})
