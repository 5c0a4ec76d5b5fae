import type pg from 'pg'
import { expect, test } from 'vitest'
import { HOUR_MS } from '../../db/values/periods.ts'
import { type TestDatabase, testDatabase } from '../setup/database.ts'
import { query } from '../setup/query.ts'
import type { AreasWorld } from './areas-world.ts'
import { simulateWorkflows } from './simulated-workflow-api.ts'

/*
 * Each service but those of prices and of EVM and Bitcoin wallets is away for an hour of its own, with all workflows
 * and schedules, from an empty database on: nothing is lost, all recovers by itself, no other source is read later, and
 * the service names the cause in `sluice sources`.
 */

simulateWorkflows()
const { runAreasDay } = await import('./areas-day.ts')
const { readAnswers } = await import('./areas-report.ts')
const databases = { undisturbed: await testDatabase(), disturbed: await testDatabase() }

/** By hour from the start: services that refuse every request, and those that cut every connection. */
const AWAY: readonly Record<Kind, readonly string[]>[] = [
  { refuses: ['goplus', 'polymarket-gamma'], cuts: ['ipfs'] },
  { refuses: ['coindesk', 'binance-klines'], cuts: ['coinpaprika', 'kraken-ohlc'] },
  { refuses: ['polymarket-data'], cuts: ['cointelegraph', 'opensea', 'coinbase-candles'] },
  { refuses: ['decrypt'], cuts: ['polymarket-clob', 'solana'] },
  // Rates are read each four hours.
  { refuses: ['frankfurter'], cuts: ['theblock'] },
  { refuses: ['kalshi', 'bitcoinmagazine'], cuts: ['alternative-me', 'rugcheck'] },
  { refuses: ['thedefiant'], cuts: ['cryptoslate'] },
  { refuses: ['cryptonews'], cuts: ['beincrypto'] },
]
/** Other tests take these away: test/upstreams/outage-hour.live.test.ts and test/live/wallet-outages.live.test.ts. */
const ELSEWHERE = ['coingecko', 'defillama', 'esplora', 'routescan']
const CALM_HOURS = 2
const HOURS = AWAY.length + CALM_HOURS
const CAUSE = { refuses: /429/, cuts: /socket|closed|ECONNRESET|terminated/ } as const
type Kind = keyof typeof CAUSE
const KINDS = Object.keys(CAUSE) as Kind[]
/** A run that begins later, or waits for its turn, is no run that another source delayed. */
const TOLERANCE_MS = 20 * 60_000

/** Order books are stored together with holders, which another service has. */
const TOGETHER: Record<string, string> = { 'polymarket-clob': 'polymarket-data' }

const kindAt = (hour: number, source: string): Kind | null =>
  KINDS.find((kind) => AWAY[hour]?.[kind].includes(source)) ?? null

/** What is there once and for all, by its natural key: each list is of one column. */
const STORED: Record<string, string> = {
  coins: 'select id from coins',
  quotes: 'select coin_id from coin_quotes',
  hours: `select coin_id || ' ' || at from price_hours`,
  days: `select coin_id || ' ' || at from price_days`,
  rates: `select currency || ' ' || at || ' ' || per_usd from fx_rates`,
  'fear and greed': `select source || ' ' || at || ' ' || value from fear_greed`,
  news: 'select link from news_items',
  risks: `select blockchain || ' ' || address || ' ' || known from token_risks`,
  exchanges: 'select id from ticker_exchanges',
  collections: `select network_id || ' ' || address from nft_collections`,
  transactions: 'select hash from transactions',
  markets: `select venue || ' ' || venue_market_id || ' ' || status from prediction_markets`,
  trades: 'select id::text from prediction_trades',
}

async function readStored({ ownerUrl }: TestDatabase): Promise<Record<string, Set<string>>> {
  const lists: Record<string, Set<string>> = {}
  for (const [name, sql] of Object.entries(STORED)) {
    const rows = await query<{ text: string }>(ownerUrl, `select * from (${sql}) as list (text)`)
    lists[name] = new Set(rows.map(({ text }) => text))
  }
  return lists
}

/** The state of each source is read at the end of each hour. */
async function live(database: TestDatabase, away: (hour: number, source: string) => Kind | null) {
  const ends: { states: Awaited<ReturnType<typeof readAnswers>>; nowMs: number }[] = []
  async function onHour(hour: number, { world, pool }: { world: AreasWorld; pool: pg.Pool }) {
    if (hour > 0) ends.push({ states: await readAnswers(pool), nowMs: world.clock.now() })
    for (const [source, { outage }] of Object.entries(world.doubles)) outage.kind = away(hour, source)
  }
  const keys = { OPENSEA_API_KEY: 'instant' }
  const day = await runAreasDay({ database, hours: HOURS, keys, networks: ['solana'], onHour })
  try {
    return {
      ends,
      doubles: Object.keys(day.world.doubles),
      failures: day.worker.temporal.failures,
      stored: await readStored(database),
    }
  } finally {
    await day.stop()
  }
}

test('Y19 each service is away for an hour', async () => {
  const undisturbed = await live(databases.undisturbed, () => null)
  const disturbed = await live(databases.disturbed, kindAt)
  const lost = Object.entries(undisturbed.stored).flatMap(([list, had]) =>
    [...had].filter((key) => !disturbed.stored[list]!.has(key)).map((key) => `${list}: ${key}`),
  )
  expect(lost).toEqual([])
  expect(undisturbed.failures).toEqual([])

  const services = AWAY.flatMap((hour) => KINDS.flatMap((kind) => hour[kind]))
  const never = disturbed.doubles.filter((name) => !services.includes(name))
  expect(never.sort()).toEqual(ELSEWHERE)
  for (const { name, reason } of disturbed.failures)
    expect(
      services.filter((service) => reason.includes(`${service}:`)),
      `${name} ${reason}`,
    ).not.toEqual([])

  const late: string[] = []
  for (const [hour, { states, nowMs }] of disturbed.ends.entries())
    for (const { source, at, failure } of states) {
      const kind = kindAt(hour, source)
      if (kind) expect(failure, `${source} in hour ${hour}`).toMatch(CAUSE[kind])
      if (kindAt(hour, TOGETHER[source] ?? '')) continue
      const awayIn = AWAY.findIndex((_, h) => kindAt(h, source))
      const startMs = nowMs - (hour + 1) * HOUR_MS
      const hasRecovered = awayIn === -1 || awayIn > hour || +at! > startMs + (awayIn + 1) * HOUR_MS
      // Until its next turn it may wait; in the end all are back.
      if (!hasRecovered && hour < HOURS - 1) continue
      const was = undisturbed.ends[hour]!.states.find((one) => one.source === source)
      if (was?.at && +at! < +was.at - TOLERANCE_MS)
        late.push(`${source} in hour ${hour}: ${at?.toISOString()}, undisturbed ${was.at.toISOString()}`)
    }
  expect(late).toEqual([])
})
