import { expect, test } from 'vitest'
import { pricesArea } from '../../activities/prices/area.ts'
import { priceRequests } from '../../activities/prices/requests.ts'
import type { PlanSettings } from '../../activities/requests.ts'
import { createRiskActivities } from '../../activities/risk/index.ts'
import { riskRequests } from '../../activities/risk/requests.ts'
import type { SourceConfig } from '../../activities/ingest-config.ts'
import type { RiskToken } from '../../db/risk/chains.ts'
import { DAY_MS } from '../../db/values/periods.ts'
import { testDatabase } from '../setup/database.ts'
import { query } from '../setup/query.ts'
import { stopLater } from './actors.ts'
import { createClock } from './double.ts'
import { liveWorker } from './live-worker.ts'
import { priceWorker, startPriceDoubles } from './prices/price-doubles.ts'
import { startGoPlus } from './small/goplus.ts'

// What areas declare to ask in a day, against what their activities ask of the doubles in one run.

const database = await testDatabase()

const settingsOf = (sources: Record<string, SourceConfig>): PlanSettings => ({
  planOf: (name) => sources[name]?.plan ?? null,
  isFollowed: () => true,
  nodeOf: () => null,
  schedule: (id) => pricesArea.schedules.find((one) => one.id === id)!,
})

test.each([false, true])('prices, with a key of CoinGecko: %s', async (demoKey) => {
  const doubles = await startPriceDoubles({ coins: 600, demoKey })
  const { deps, prices } = await priceWorker(database, { ...doubles, demoKey })
  const { coingecko, coinpaprika, defillama, clock } = doubles
  const declared = async () => (await priceRequests(deps.db, settingsOf(deps.config.sources))).askings
  /** Requests of one run of everything that is read at intervals. */
  const ofRun = async (source: string, reads: readonly string[]) =>
    (await declared())
      .filter((one) => one.source === source && reads.includes(one.what))
      .reduce((sum, { requests, seconds }) => sum + Math.round((requests * seconds!) / 86_400), 0)
  const run = async () => {
    await prices.refreshQuotes()
    await prices.refreshTotals()
    await prices.refreshTokenQuotes()
  }

  await run()
  const reads = ['quotes', 'market totals', 'prices of tokens']
  expect(coingecko.asked.length).toBe(await ofRun('coingecko', reads))
  expect(coinpaprika.asked.length).toBe(await ofRun('coinpaprika', reads))
  expect(defillama.asked.length).toBe(await ofRun('defillama', reads))

  // The pace that a free plan imposes on the schedule.
  const seconds = (await declared()).find(({ what }) => what === 'quotes')!.seconds!
  const before = coinpaprika.asked.length
  clock.advance(900_000)
  await prices.refreshQuotes()
  if (seconds > 900) {
    expect(coinpaprika.asked.length).toBe(before)
    clock.advance((seconds - 900) * 1_000)
    await prices.refreshQuotes()
  }
  expect(coinpaprika.asked.length).toBe(before + 1)

  clock.advance(3_600_000)
  const beforeList = coingecko.asked.length
  await prices.refreshListings()
  expect(coingecko.asked.length - beforeList).toBe(await ofRun('coingecko', ['the list of all coins']))
  const described = (await declared()).find(({ what }) => what.startsWith('descriptions'))!
  clock.advance(3_600_000)
  const beforeDescriptions = coingecko.asked.length
  // Four runs of the list in a day, and one of the histories.
  await prices.describeCoins({ limit: 100 })
  expect(coingecko.asked.length - beforeDescriptions).toBe(described.requests / 5)

  const past = async () => (await declared()).find(({ what }) => what === 'pasts of coins')!.requests
  const [beforePast, beforeCharts] = [await past(), defillama.asked.length]
  for (const [resolution, days] of [
    ['day', 730],
    ['hour', 7],
  ] as const) {
    const toMs = Math.floor(clock.now() / DAY_MS) * DAY_MS
    await prices.fillHistory({ resolution, coinIds: ['bitcoin'], fromMs: toMs - days * DAY_MS, toMs })
  }
  expect(beforePast - (await past())).toBe(defillama.asked.length - beforeCharts)
})

test('risks of tokens without a key', async () => {
  await query(database.ownerUrl, 'truncate token_risks, quarantine, coins cascade')
  const clock = createClock(Date.UTC(2026, 10, 2, 9))
  const double = stopLater(await startGoPlus({ clock }))
  const deps = await liveWorker(database, { clock, settings: { GOPLUS_URL: double.url } })
  const tokens = Array.from({ length: 25 }, (_, n): RiskToken => ({
    blockchain: 'ethereum',
    address: `0x${(n + 1).toString(16).padStart(40, '0')}`,
  }))
  await createRiskActivities(deps).checkTokens({ tokens })
  const { counts, askings } = await riskRequests(deps.db, settingsOf(deps.config.sources))
  expect(counts).toEqual({ 'tokens on EVM networks': 25, 'tokens on Solana': 0 })
  expect(askings.find(({ source }) => source === 'goplus')!.requests).toBe(double.asked.length)
})
