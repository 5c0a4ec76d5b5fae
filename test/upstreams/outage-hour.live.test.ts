import { describe, expect, test } from 'vitest'
import { isSourceError } from '../../activities/errors.ts'
import { DAY_MS, HOUR_MS } from '../../db/values/periods.ts'
import { predictionOf } from '../prediction/prediction-world.ts'
import { testDatabase } from '../setup/database.ts'
import { query } from '../setup/query.ts'
import { stopLater } from './actors.ts'
import { createClock } from './double.ts'
import type { DoubleServer, FakeClock } from './double.ts'
import { startKalshi } from './kalshi.ts'
import { createKalshiMarket } from './kalshi-market.ts'
import { liveWorker } from './live-worker.ts'
import { startPolymarketClob } from './polymarket-clob.ts'
import { startPolymarketData } from './polymarket-data.ts'
import { startPolymarketGamma } from './polymarket-gamma.ts'
import { createPolymarketMarket } from './polymarket-market.ts'
import { priceWorker, startPriceDoubles } from './prices/price-doubles.ts'

// One service refuses everything, or cuts every connection, for an hour: nothing is lost, it recovers by itself, and
// its line of `sluice sources` names the cause.

const QUARTER_MS = 15 * 60_000
const database = await testDatabase()
const rows = (text: string) => query(database.ownerUrl, text)

interface World {
  clock: FakeClock
  doubles: Record<string, DoubleServer>
  /** All that the schedules of the area do in a quarter of an hour. */
  refresh: () => Promise<void>
  /** What a consumer is served, without where it came from. */
  served: () => Promise<readonly object[][]>
}

interface Outage {
  source: string
  kind: 'refuses' | 'cuts'
}

/** An hour, an hour with the outage, and two hours; then the answers at one time of the clock. */
async function livedThrough({ clock, doubles, refresh, served }: World, outage: Outage | null) {
  const startMs = clock.now()
  const failures = new Set<string>()
  for (let atMs = startMs; atMs < startMs + 4 * HOUR_MS; atMs += QUARTER_MS) {
    if (atMs > clock.now()) clock.advance(atMs - clock.now())
    const isOut = atMs >= startMs + HOUR_MS && atMs < startMs + 2 * HOUR_MS
    if (outage) doubles[outage.source]!.outage.kind = isOut ? outage.kind : null
    await refresh()
    if (isOut && outage) failures.add(await lastFailure(outage.source))
  }
  clock.advance(startMs + 5 * HOUR_MS - clock.now())
  await refresh()
  return { answers: await served(), failures: [...failures].join('\n') }
}

/** What `sluice sources` prints as the last failure; empty: none. */
async function lastFailure(source: string): Promise<string> {
  const [state] = await rows(`select last_failure from source_states where source = '${source}'`)
  return (state?.['last_failure'] as string | undefined) ?? ''
}

/** As a workflow: the next run tries again. */
async function tried(work: () => Promise<unknown>): Promise<void> {
  try {
    await work()
  } catch (error) {
    if (!isSourceError(error)) throw error
  }
}

/** The first rows that only one of both has, for each list. */
function differencesOf(found: readonly object[][], wanted: readonly object[][]): string[] {
  if (wanted[0]!.length === 0 || wanted[1]!.length === 0) throw new Error('there is nothing to compare')
  return wanted.flatMap((list, i) => {
    const [had, has] = [list, found[i]!].map((one) => new Set(one.map((row) => JSON.stringify(row))))
    const lost = [...had!].filter((row) => !has!.has(row)).map((row) => `lost ${row}`)
    const added = [...has!].filter((row) => !had!.has(row)).map((row) => `added ${row}`)
    return [...lost.slice(0, 3), ...added.slice(0, 3)]
  })
}

const CAUSE = { refuses: /429/, cuts: /socket|closed|ECONNRESET|terminated/ } as const
const KINDS = ['refuses', 'cuts'] as const

async function losesNothing(world: () => Promise<World>, outage: Outage): Promise<void> {
  const undisturbed = await livedThrough(await world(), null)
  const disturbed = await livedThrough(await world(), outage)
  expect(differencesOf(disturbed.answers, undisturbed.answers)).toEqual([])
  expect(disturbed.failures).toMatch(CAUSE[outage.kind])
}

function outagesOf(sources: readonly string[]): Outage[] {
  return sources.flatMap((source) => KINDS.map((kind) => ({ source, kind })))
}

describe('prices', () => {
  async function world(): Promise<World> {
    const started = await startPriceDoubles({ coins: 520, demoKey: true })
    const { clock, coingecko, coinpaprika, defillama } = started
    // Those with a history at the end, four more in each run, so that some of them are read in the bad hour.
    const largest = new Set(started.coins.slice(0, 40).map(({ geckoId }) => geckoId))
    const { prices } = await priceWorker(database, { ...started, demoKey: true })
    const fill = async () => {
      const missing = await prices.listCoinsWithoutHistory({ resolution: 'day', limit: 500 })
      const coinIds = missing.filter((id) => largest.has(id)).slice(0, 4)
      const toMs = Math.floor(clock.now() / DAY_MS) * DAY_MS
      if (coinIds.length > 0)
        await prices.fillHistory({ resolution: 'day', coinIds, fromMs: toMs - 300 * DAY_MS, toMs })
    }
    return {
      clock,
      doubles: { coingecko, coinpaprika, defillama },
      refresh: async () => {
        for (const work of [prices.refreshQuotes, prices.refreshTotals, prices.refreshTokenQuotes, fill])
          await tried(work)
      },
      served: async () => [
        await rows('select coin_id, price_usd, at from coin_quotes order by coin_id'),
        await rows('select coin_id, at, usd from price_days order by coin_id, at'),
        await rows('select reason from quarantine'),
      ],
    }
  }

  test.each(outagesOf(['coingecko', 'coinpaprika', 'defillama']))('Y19 $source $kind for an hour', (outage) =>
    losesNothing(world, outage),
  )
})

describe('prediction markets', () => {
  async function world(): Promise<World> {
    await rows(
      `do $$ begin execute (select 'truncate ' || string_agg(relname, ', ') || ' cascade' from pg_class
         where relkind = 'r' and relnamespace = 'public'::regnamespace
           and (relname like 'prediction\\_%' or relname = 'quarantine')); end $$`,
    )
    const clock = createClock()
    const nowS = clock.now() / 1_000
    const markets = [1, 2, 3].map((number) =>
      createPolymarketMarket({ number, rows: 300, newestAt: nowS - number * 60 }),
    )
    const others = [1, 2].map((number) => createKalshiMarket({ number, trades: 250, newestAt: nowS - 60 }))
    const [data, gamma, clob, kalshi] = await Promise.all([
      startPolymarketData({ clock, markets }),
      startPolymarketGamma({ clock, markets }),
      startPolymarketClob({ clock, markets }),
      startKalshi({ clock, markets: others }),
    ])
    for (const double of [data, gamma, clob, kalshi]) stopLater(double)
    const settings = {
      POLYMARKET_DATA_URL: data.url,
      POLYMARKET_GAMMA_URL: gamma.url,
      POLYMARKET_CLOB_URL: clob.url,
      KALSHI_URL: kalshi.apiUrl,
    }
    const times = {
      get nowMs() {
        return clock.now()
      },
    }
    const { sync } = predictionOf(await liveWorker(database, { clock, settings }), times)
    return {
      clock,
      doubles: { 'polymarket-data': data, 'polymarket-gamma': gamma, 'polymarket-clob': clob, kalshi },
      refresh: async () => {
        for (const venue of ['polymarket', 'kalshi'] as const) await tried(() => sync(venue))
      },
      served: async () => [
        await rows('select venue_market_id, status, volume_total_usd from prediction_markets order by 1'),
        await rows(
          `select venue_market_id, t.at, outcome, price, size, t.id from prediction_trades t
           join prediction_markets m on m.id = t.market_id order by 1, 2, t.id`,
        ),
        await rows('select reason from quarantine'),
      ],
    }
  }

  test.each(outagesOf(['polymarket-data', 'polymarket-gamma', 'polymarket-clob', 'kalshi']))(
    'Y19 $source $kind for an hour',
    (outage) => losesNothing(world, outage),
  )
})
