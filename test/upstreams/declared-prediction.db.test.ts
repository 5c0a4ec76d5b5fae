import { expect, test } from 'vitest'
import { predictionArea } from '../../activities/prediction/area.ts'
import { predictionRequests } from '../../activities/prediction/requests.ts'
import type { PredictionVenue } from '../../db/prediction/tables.ts'
import { PREDICTION_PACE } from '../../db/values/prediction-pace.ts'
import { createClock } from './double.ts'
import { createKalshiMarket } from './kalshi-market.ts'
import type { ManifoldMarket } from './manifold.ts'
import { createPolymarketMarket } from './polymarket-market.ts'
import { predictionDatabase } from './prediction-doubles.ts'

// What venues are planned to be asked in a day, against what a run asks of their doubles.

const { select, db, polymarket, kalshi, manifold } = await predictionDatabase()
/** those of one activity */
const MARKETS = PREDICTION_PACE.batch
const NEWEST_AT = createClock().now() / 1_000 - 60

const declared = () =>
  predictionRequests(db, {
    planOf: () => 'full',
    isFollowed: () => true,
    nodeOf: () => null,
    schedule: (id) => predictionArea.schedules.find((one) => one.id === id)!,
  })

/** Requests of one run in which everything is due, by source. */
async function ofRun(venue: PredictionVenue, without: readonly string[]) {
  const sums: Record<string, number> = {}
  const own = (await declared()).askings.filter(({ source }) => source.startsWith(venue))
  for (const { source, what, requests, seconds } of own)
    if (!without.includes(what))
      sums[source] = (sums[source] ?? 0) + Math.round((requests * seconds!) / 86_400)
  return sums
}

/** What a run asks after the first one, when everything is due again. */
async function askedBySecond(
  { sync, clock }: Pick<Awaited<ReturnType<typeof kalshi>>, 'sync' | 'clock'>,
  venue: PredictionVenue,
  doubles: Record<string, { asked: readonly unknown[]; refused: readonly unknown[] }>,
) {
  await sync(venue)
  clock.advance(PREDICTION_PACE.details.seconds * 1_000)
  const counts = () => Object.entries(doubles).map(([name, { asked }]) => [name, asked.length] as const)
  const before = Object.fromEntries(counts())
  await sync(venue)
  expect(Object.values(doubles).flatMap(({ refused }) => refused)).toEqual([])
  return Object.fromEntries(counts().map(([name, count]) => [name, count - before[name]!]))
}

test('Polymarket: what is planned is what a run asks', async () => {
  const markets = Array.from({ length: MARKETS }, (_, i) =>
    createPolymarketMarket({ number: i + 1, rows: 3, newestAt: NEWEST_AT }),
  )
  const { data, gamma, clob, ...world } = await polymarket(markets)
  const doubles = { 'polymarket-data': data, 'polymarket-gamma': gamma, 'polymarket-clob': clob }
  const asked = await askedBySecond(world, 'polymarket', doubles)
  expect(await ofRun('polymarket', ['new fills'])).toEqual(asked)
})

test('Kalshi: what is planned is what a run asks', async () => {
  const markets = Array.from({ length: MARKETS }, (_, i) =>
    createKalshiMarket({ number: i + 1, trades: 3, newestAt: NEWEST_AT }),
  )
  const { double, ...world } = await kalshi(markets)
  // Two requests at once are not apart on this clock, and one that is refused would be counted twice.
  double.state.rate = 'signed'
  const asked = await askedBySecond(world, 'kalshi', { kalshi: double })
  expect(await ofRun('kalshi', ['new fills', 'where the archive begins'])).toEqual(asked)
})

test('Manifold: what is planned is what a run asks', async () => {
  const nowMs = createClock().now()
  const markets = Array.from({ length: MARKETS }, (_, i): ManifoldMarket => ({
    id: `m${i}`,
    question: `Will number ${i} happen?`,
    slug: `will-number-${i}-happen`,
    probability: 0.5,
    bettors: i,
    createdAtMs: nowMs - 86_400_000,
    closesAtMs: nowMs + 86_400_000,
    volume: 0,
    bets: [],
  }))
  const { double, ...world } = await manifold(markets)
  const asked = await askedBySecond(world, 'manifold', { manifold: double })
  expect(await ofRun('manifold', [])).toEqual(asked)
})

test('new fills are planned by the runs that find some', async () => {
  await kalshi([])
  const run = `to_timestamp(floor(extract(epoch from now()) / 300) * 300)`
  await select(`insert into prediction_markets (slug, url, venue, venue_market_id, question, status, created_at, updated_at, source, fetched_at)
    select n::text, 'u', 'kalshi', n::text, 'q', 'open', now(), now(), 'test', now() from generate_series(1, 2) n`)
  const at = ["'10 minutes'", "'9 minutes'", "'20 minutes'", "'25 hours'"]
  for (const ago of at)
    await select(`insert into prediction_trades (market_id, id, at, outcome, side, price, size, value_usd, source, fetched_at)
      select id, gen_random_uuid(), ${run} - interval ${ago}, 0, 'buy', 0.5, 1, 0.5, 'test', now() from prediction_markets where venue_market_id = '1'`)
  const { counts, askings } = await declared()
  expect(counts).toMatchObject({ 'readings of new fills at Kalshi': 2, 'open markets of Kalshi': 2 })
  const fills = askings.find(({ source, what }) => source === 'kalshi' && what === 'new fills')
  expect(fills).toMatchObject({ requests: 2, seconds: 300 })
})
