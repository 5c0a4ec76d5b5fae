import { expect, onTestFinished, test } from 'vitest'
import { testDatabase } from '../setup/database.ts'
import { simulateWorkflows } from './simulated-workflow-api.ts'

/*
 * A day of all areas from an empty database on, with all activities, workflows and schedules, against strict doubles
 * that keep the books.
 * Not in it: Temporal itself, followers of heads, the loops of events, and wallets, which
 * test/live/day.live.test.ts has.
 * LIVE_HOURS: fewer hours of it.
 */

simulateWorkflows()
const { runAreasDay } = await import('./areas-day.ts')
const { countRows, report, staleSources } = await import('./areas-report.ts')

const hours = Number(process.env['LIVE_HOURS'] || 24)
const database = await testDatabase()

/** Areas that somebody has to fill: with wallets, accounts of exchanges, or portfolios. */
const OF_OWNERS = new Set(['chain', 'defi', 'events', 'exchanges', 'pnl', 'portfolios'])
/** What no source gives without a key. */
const NEEDS_KEY = {
  // A key of CoinGecko: markets of exchanges, and so their hourly prices.
  tickers: ['tickers', 'ticker_prices'],
  // A key of OpenSea or Alchemy.
  nft: [
    'nft_collections',
    'nft_points',
    'nft_gecko_records',
    'nft_assets',
    'nft_traits',
    'nft_listings',
    'nft_sales',
  ],
}

test(`${hours} hours without a key: all that needs none is filled and current, and nothing is refused`, async () => {
  const day = await runAreasDay({ database, hours, keys: {}, wallets: 0 })
  onTestFinished(day.stop)
  const counts = await countRows(database)
  await report(day, counts)
  const { world, worker, pool, clock } = day
  expect(worker.temporal.failures).toEqual([])
  for (const [source, { refused }] of Object.entries(world.doubles))
    expect({ source, refused }).toEqual({ source, refused: [] })
  const empty = counts.filter(({ area, rows }) => rows === 0 && !OF_OWNERS.has(area))
  expect(empty.map(({ table }) => table).sort()).toEqual(Object.values(NEEDS_KEY).flat().sort())
  expect(await staleSources({ pool, nowMs: clock.now() })).toEqual([])
})
