import { expect, test } from 'vitest'
import { pricesArea } from '../../../activities/prices/area.ts'
import { tickersArea } from '../../../activities/tickers/area.ts'
import { DAY_MS, HOUR_MS } from '../../../db/values/periods.ts'
import { testDatabase } from '../../setup/database.ts'
import { query } from '../../setup/query.ts'
import { type PriceDoubles, priceWorker, startPriceDoubles } from './price-doubles.ts'

// A day of the prices area at its schedules against doubles that keep the books.

const database = await testDatabase()
const MINUTE_MS = 60_000

type Worker = Awaited<ReturnType<typeof priceWorker>>

const everyMs = (id: string) => pricesArea.schedules.find((one) => one.id === id)!.everySeconds * 1_000

/** What the workflows of the area do, without Temporal: each at its interval, the first time at once. */
async function runDay({ prices }: Worker, { clock }: PriceDoubles): Promise<void> {
  const fill = async () => {
    for (const [resolution, days] of [
      ['day', 730],
      ['hour', 7],
    ] as const) {
      const stepMs = resolution === 'day' ? DAY_MS : HOUR_MS
      const toMs = Math.floor(clock.now() / stepMs) * stepMs
      const coinIds = await prices.listCoinsWithoutHistory({ resolution, limit: 200 })
      if (coinIds.length > 0)
        await prices.fillHistory({ resolution, coinIds, fromMs: toMs - days * DAY_MS, toMs })
    }
    await prices.describeCoins({ limit: 2_000 })
  }
  const runs: [id: string, run: () => Promise<unknown>][] = [
    [
      'refresh-coins',
      async () => {
        await prices.refreshQuotes()
        await prices.refreshTotals()
        await prices.refreshTokenQuotes()
      },
    ],
    [
      'refresh-listings',
      async () => {
        await prices.refreshListings()
        await prices.describeCoins({ limit: 100 })
      },
    ],
    ['backfill-prices', fill],
  ]
  const endMs = clock.now() + DAY_MS
  const due = new Map(runs.map(([id]) => [id, clock.now()]))
  while (clock.now() < endMs) {
    for (const [id, run] of runs) {
      if (clock.now() < due.get(id)!) continue
      due.set(id, due.get(id)! + everyMs(id))
      await run()
    }
    const next = Math.min(...due.values())
    if (next > clock.now()) clock.advance(Math.min(next - clock.now(), 15 * MINUTE_MS))
  }
}

async function world(demoKey: boolean) {
  const doubles = await startPriceDoubles({ coins: 520, demoKey })
  const worker = await priceWorker(database, { ...doubles, demoKey })
  return { doubles, worker }
}

/** Rows of rules that are about too many calls. */
const overLimit = ({ refused }: { refused: number[] }) => refused.filter((row) => [2, 6, 10].includes(row))

/** Changes of answers that are alarms. Each answer has the shape of its vendor, so there are none. */
async function drift({ deps }: Worker) {
  await deps.watch.idle()
  const learnt = await query<{ n: number }>(
    database.ownerUrl,
    `select count(*)::int as n from source_shapes where learnt = 10`,
  )
  expect(learnt[0]!.n).toBeGreaterThan(3)
  return query(database.ownerUrl, 'select * from operations.source_changes')
}

const quoted = async () =>
  (await query<{ n: number }>(database.ownerUrl, 'select count(*)::int as n from coin_quotes'))[0]!.n

test('with a free key a day takes less of CoinGecko than a thirty-first of its month, and nothing is refused', async () => {
  const { doubles, worker } = await world(true)
  await runDay(worker, doubles)
  const { everySeconds, input } = tickersArea.schedules[0]!
  const { exchanges, pages } = input as { exchanges: number; pages: number }
  const tickers = (86_400 / everySeconds) * (1 + exchanges * pages)
  // A hundred collections once a day: spec of the budget.
  const collections = 100
  console.log(
    `CoinGecko: ${doubles.coingecko.spent()} of prices, ${tickers} of tickers, ${collections} of NFTs`,
  )
  expect(doubles.coingecko.spent() + tickers + collections).toBeLessThanOrEqual(Math.floor(10_000 / 31))
  expect([doubles.coingecko, doubles.coinpaprika, doubles.defillama].map(overLimit)).toEqual([[], [], []])
  expect(await quoted()).toBeGreaterThanOrEqual(500)
  expect(await drift(worker)).toEqual([])
})

test('without keys a day stays within what every source gives for nothing', async () => {
  const { doubles, worker } = await world(false)
  await runDay(worker, doubles)
  console.log(
    `CoinGecko ${doubles.coingecko.spent()}, CoinPaprika ${doubles.coinpaprika.spent()}, DefiLlama ${doubles.defillama.asked.length}`,
  )
  expect(doubles.coingecko.spent()).toBeLessThanOrEqual(25)
  expect(doubles.coinpaprika.spent()).toBeLessThanOrEqual(Math.floor(20_000 / 31))
  expect([doubles.coingecko, doubles.coinpaprika, doubles.defillama].map(overLimit)).toEqual([[], [], []])
  expect(await quoted()).toBeGreaterThanOrEqual(500)
  expect(await drift(worker)).toEqual([])
})
