import { afterAll, expect, test } from 'vitest'
import { refreshTraders } from '../../activities/prediction/refresh-traders.ts'
import { openDb } from '../../db/connect.ts'
import { testDatabase } from '../setup/database.ts'
import { insertOutcomes, insertRows, readRows } from './prediction-rows.ts'

const database = await testDatabase()
const { pool, close } = openDb({ url: database.ingestUrl, maxConnections: 1, applicationName: 'test' })
afterAll(close)
const insert = (table: string, rows: readonly Record<string, unknown>[]) => insertRows(database, table, rows)

let fills = 0
const fill = (
  trader_id: number,
  market_id: number,
  day: string,
  outcome: number,
  size: number,
  price: number,
  side = 'buy',
) => ({
  trader_id,
  market_id,
  at: `2026-06-${day}T12:00:00Z`,
  id: `00000000-0000-4000-8000-${String(++fills).padStart(12, '0')}`,
  outcome,
  side,
  size,
  price,
  value_usd: size * price,
  is_block: false,
})

test('a day ends with what is held at the last price before, first outcomes and others, and cash by category', async () => {
  await insert('prediction_markets', [
    { id: 1, venue: 'polymarket', category: 'Crypto' },
    { id: 2, venue: 'polymarket', category: 'Crypto', status: 'resolved', end_at: '2026-06-04T00:00:00Z' },
    // With prices of three outcomes.
    { id: 3, venue: 'polymarket' },
    { id: 4, venue: 'polymarket', category: 'Sports', status: 'closed', end_at: '2026-06-04T00:00:00Z' },
  ])
  await insertOutcomes(database, 1, { Yes: 0.4, No: 0.6 })
  await insertOutcomes(database, 3, { A: 0.5, B: 0.3, C: 0.2 })
  await insertOutcomes(database, 4, { Yes: 0.9, No: 0.1 })
  for (const [position, payout] of [1, 0].entries())
    await insert('prediction_outcomes', [
      { market_id: 2, position, name: `${position}`, price: payout, payout },
    ])
  const price = (market_id: number, outcome: number, minutes: number, day: string, usd: number) => ({
    market_id,
    outcome,
    minutes,
    at: `2026-06-${day}T00:00:00Z`,
    price: usd,
  })
  await insert('prediction_prices', [
    price(1, 0, 1440, '03', 0.2),
    price(1, 0, 1440, '04', 0.3),
    price(1, 0, 60, '04', 0.99),
    price(3, 0, 1440, '02', 0.7),
    price(3, 1, 1440, '02', 0.25),
  ])
  await insert('prediction_traders', [
    { id: 1, address: '0xb', dirty: true },
    { id: 2, address: '0xa', dirty: true },
    { id: 3, address: '0xc', dirty: false },
  ])
  await insert('prediction_trades', [
    fill(1, 1, '01', 0, 10, 0.5),
    fill(1, 1, '03', 1, 20, 0.3),
    fill(1, 2, '02', 0, 5, 0.4),
    fill(2, 3, '01', 1, 8, 0.5),
    fill(2, 4, '04', 0, 10, 0.8),
    fill(2, 4, '04', 0, 5, 0.9, 'sell'),
    fill(3, 1, '01', 0, 10, 0.5),
  ])
  const now = () => new Date('2026-06-05T12:00:00Z')
  // By their addresses, as many as asked for.
  expect(await refreshTraders({ pool, now }, { limit: 1 })).toBe(1)
  expect(await readRows(database, 'select id from prediction_traders where dirty')).toEqual([{ id: 1 }])
  expect(await refreshTraders({ pool, now }, { limit: 10 })).toBe(1)
  expect(await refreshTraders({ pool, now }, { limit: 10 })).toBe(0)

  const days = await readRows(
    database,
    `select concat_ws(' ', trader_id, category, to_char(day at time zone 'UTC', 'DD'), cash_usd::float8, paid_usd::float8,
       open_value_usd::float8, volume_usd::float8, trades) as line
     from prediction_trader_days order by trader_id, category, day`,
  )
  expect(days.map(({ line }) => line)).toEqual([
    // Before the first known price it counts. The market that is resolved has no price but its current one, of 1.
    '1 Crypto 01 -5 5 2 5 1',
    '1 Crypto 02 -2 2 7 2 1',
    '1 Crypto 03 -6 6 22 6 1',
    // It pays when it ends.
    '1 Crypto 04 5 0 17 0 0',
    // Of today the current price counts.
    '1 Crypto 05 0 0 16 0 0',
    '2  01 -4 4 2 4 1',
    '2  02 0 0 2 0 0',
    '2  03 0 0 2.4 0 0',
    '2  04 0 0 2.4 0 0',
    '2  05 0 0 2.4 0 0',
    '2 Sports 04 -3.5 8 4.5 12.5 2',
    '2 Sports 05 0 0 4.5 0 0',
  ])
  const positions = await readRows(
    database,
    `select concat_ws(' ', trader_id, market_id, outcome, status, to_char(closed_at at time zone 'UTC', 'DD')) as line
     from prediction_positions order by trader_id, market_id, outcome`,
  )
  expect(positions.map(({ line }) => line)).toEqual([
    '1 1 0 open',
    '1 1 1 open',
    '1 2 0 won 04',
    '2 3 1 open',
    '2 4 0 open',
  ])
})
