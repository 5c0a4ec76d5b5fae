import { expect, test } from 'vitest'
import { openDb } from '../../db/connect.ts'
import { readMarketsToCheck, touchMarkets } from '../../db/prediction/read-for-ingest.ts'
import { testDatabase } from '../setup/database.ts'
import { query } from '../setup/query.ts'

const MINUTE_MS = 60_000
const database = await testDatabase()

// A venue may take weeks to resolve a market after its end.
test('overdue markets are checked more often, and do not keep the others from being checked', async () => {
  const startMs = Date.now()
  await query(
    database.ownerUrl,
    `insert into prediction_markets (slug, venue, venue_market_id, question, url, status, end_at, created_at,
       updated_at, source, fetched_at)
     select n::text, 'kalshi', n::text, '', '', 'open', now() + case when n <= 8 then -1 else 1 end * interval '1 year',
       now(), now(), 'test', now() - interval '1 hour' from generate_series(1, 12) as n`,
  )
  const { db, close } = openDb({ url: database.ownerUrl, maxConnections: 1, applicationName: 'test' })
  const times = new Map<string, number>()
  for (let run = 0; run < 60; run++) {
    const now = new Date(startMs + run * 5 * MINUTE_MS)
    const before = new Date(now.getTime() - MINUTE_MS)
    const markets = await readMarketsToCheck(db, { venue: 'kalshi', now, before, limit: 2 })
    for (const { venueMarketId } of markets) times.set(venueMarketId, (times.get(venueMarketId) ?? 0) + 1)
    await touchMarkets(db, { ids: markets.map(({ id }) => id), at: now })
  }
  await close()
  const timesOf = (ids: number[]) => ids.map((id) => times.get(String(id)) ?? 0)
  expect(Math.min(...timesOf([1, 2, 3, 4, 5, 6, 7, 8]))).toBeGreaterThanOrEqual(10)
  expect(Math.min(...timesOf([9, 10, 11, 12]))).toBeGreaterThanOrEqual(1)
})
