import { expect, onTestFinished, test } from 'vitest'
import { AREAS } from '../../activities/all-areas.ts'
import { type TestDatabase, testDatabase } from '../setup/database.ts'
import { ALCHEMY_KEY } from '../upstreams/alchemy-transfers.ts'
import { BLOCKSCOUT_KEY } from '../upstreams/blockscout.ts'
import { ETHERSCAN_KEY } from '../upstreams/etherscan.ts'
import { DEMO_KEY } from '../upstreams/prices/coingecko.ts'
import { simulateWorkflows } from './simulated-workflow-api.ts'

/*
 * A day of all areas and ten wallets on six networks, from an empty database on, with all activities, workflows and
 * schedules, against strict doubles that keep the books.
 * Temporal itself is not in it.
 * LIVE_HOURS: fewer hours of it.
 */

simulateWorkflows()
const { runAreasDay } = await import('./areas-day.ts')
const { countRows, report, readAnswers, staleAreas } = await import('./areas-report.ts')

const hours = Number(process.env['LIVE_HOURS'] || 24)
const DAYS_OF_MONTH = 31
const databases = { zero: await testDatabase(), free: await testDatabase() }

/** Areas that somebody with an account has to fill: with keys of exchanges, portfolios, or alerts. */
const OF_OWNERS = new Set(['events', 'exchanges', 'portfolios'])
/** Tables of accounts; positions, which the wallets do not hold; and what both venues have, which is nothing here. */
const NEVER = [
  'portfolio_snapshots',
  'role_treatments',
  'transfer_matches',
  'defi_positions',
  'defi_assets',
  'prediction_event_matches',
  'prediction_matches',
]
/** What no source gives without a key: CoinGecko's for markets of exchanges, OpenSea's for collections. */
const NEED_COINGECKO = ['tickers', 'ticker_prices']
const NEED_OPENSEA = tablesOf('nft')

function tablesOf(area: string): readonly string[] {
  return AREAS.find(({ name }) => name === area)!.tables
}

test.each<
  [
    name: string,
    of: {
      keys: Record<string, string>
      empty: readonly string[]
      database: TestDatabase
      /** networks of wallets whose old history no source gives */
      gaps: readonly string[]
    },
  ]
>([
  [
    'without a key',
    {
      database: databases.zero,
      keys: {},
      empty: [...NEVER, ...NEED_COINGECKO, ...NEED_OPENSEA],
      gaps: ['arbitrum-wallet', 'base-wallet', 'binancesmartchain'],
    },
  ],
  [
    'with free keys',
    {
      database: databases.free,
      keys: {
        ETHERSCAN_API_KEY: ETHERSCAN_KEY,
        BLOCKSCOUT_API_KEY: BLOCKSCOUT_KEY,
        COINGECKO_API_KEY: DEMO_KEY,
        ALCHEMY_API_KEY: ALCHEMY_KEY,
        OPENSEA_API_KEY: 'instant',
      },
      empty: NEVER,
      gaps: [],
    },
  ],
])(
  `${hours} hours %s: what they give is filled and current, and nothing is refused`,
  async (_, { keys, empty, database, gaps }) => {
    const day = await runAreasDay({ database, hours, keys })
    onTestFinished(day.stop)
    const counts = await countRows(database)
    await report(day, counts)
    const { world, worker, pool, clock, held } = day
    // Locks would be held while a source does not answer.
    expect(held).toEqual([])
    expect(worker.temporal.failures).toEqual([])
    // Row 23: the free plan of Etherscan lacks Base and BNB, which are asked now and then.
    for (const [source, { refused }] of Object.entries(world.doubles))
      expect({ source, refused: refused.filter((row) => row !== 23) }).toEqual({ source, refused: [] })
    // A day does not break the quota of a month, so it may use its share only.
    const monthly = world.months()
    for (const { source, spent, quota } of monthly)
      expect(spent, source).toBeLessThanOrEqual(quota / DAYS_OF_MONTH)
    const found = counts.filter(({ area, rows }) => rows === 0 && !OF_OWNERS.has(area))
    expect(found.map(({ table }) => table).sort()).toEqual([...empty].sort())
    const lacking = await pool.query<{ network_id: string }>(
      'select distinct network_id from wallet_syncs where gap_from is not null or synced_at is null order by 1',
    )
    expect(lacking.rows.map(({ network_id }) => network_id)).toEqual(gaps)
    expect(staleAreas({ states: await readAnswers(pool), nowMs: clock.now() })).toEqual([])
  },
)
