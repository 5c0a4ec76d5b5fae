import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ActivityDeps } from '../../activities/deps.ts'
import { getEventCrossVenue } from '../../api/prediction/get-event-cross-venue.ts'
import { getMarketCrossVenue } from '../../api/prediction/get-market-cross-venue.ts'
import { getPredictionEvents } from '../../api/prediction/get-events.ts'
import { getPredictionMarkets } from '../../api/prediction/get-markets.ts'
import { getPlatformOverview } from '../../api/prediction/get-platform-overview.ts'
import { routes } from '../../api/routes.ts'
import { openDb } from '../../db/connect.ts'
import type { StoredMarket } from '../../db/prediction/market-columns.ts'
import { decideMatch } from '../../db/prediction/write-matches.ts'
import { storeMarkets } from '../../db/prediction/write-markets.ts'
import { transact } from '../../db/transact.ts'
import type { PredictionVenue } from '../../db/prediction/tables.ts'
import { PLAY_MONEY_VENUES, PREDICTION_VENUES } from '../../db/values/prediction-venues.ts'
import { startApi } from '../setup/api.ts'
import { testDatabase } from '../setup/database.ts'
import { endpoint } from '../setup/endpoint.ts'
import { query } from '../setup/query.ts'
import { predictionOf } from './prediction-world.ts'

// One question at all venues, and one that differs in its year at PredictIt.

const database = await testDatabase()
const { db, pool, close } = openDb({ url: database.ingestUrl, maxConnections: 3, applicationName: 'test' })
afterAll(close)
const api = await startApi({ database, routes })
const { key } = await api.newAccount()
const NOW = new Date('2027-03-01T12:00:00Z')
const deps = {
  db,
  pool,
  now: () => NOW,
  config: { sources: {} },
  log: pino({ level: 'silent' }),
  heartbeat() {},
}
const { match, activities } = predictionOf(deps as unknown as ActivityDeps, { nowMs: NOW.getTime() })

const isPlay = (venue: PredictionVenue) => PLAY_MONEY_VENUES.includes(venue)
/** Of play money, far from the others. */
const priceAt = (venue: PredictionVenue) => (isPlay(venue) ? '0.9' : '0.3')

const marketOf = (venue: PredictionVenue, year: number): StoredMarket => ({
  venueMarketId: `${venue}-${year}`,
  conditionId: null,
  venueEventId: `${venue}-event-${year}`,
  slug: `${venue}-btc-${year}`,
  question: `Will Bitcoin reach $250,000 by December 31, ${year}?`,
  label: null,
  url: 'https://venue.example',
  description: null,
  imageUrl: null,
  category: null,
  tags: [],
  status: 'open',
  resolutionSource: null,
  strikeType: null,
  floorStrike: null,
  capStrike: null,
  tickSize: null,
  lastTradePrice: '0.3',
  bestBid: null,
  bestAsk: null,
  volume24hUsd: '10',
  volume7dUsd: null,
  volumeTotalUsd: '100',
  notional24hUsd: null,
  notionalTotalUsd: null,
  liquidityUsd: '0',
  openInterestUsd: null,
  startAt: null,
  endAt: new Date(`${year}-12-31T23:59:59Z`),
  resolvedAt: null,
  createdAt: NOW,
  updatedAt: NOW,
  outcomes: [
    { venueOutcomeId: 'yes', name: 'Yes', price: priceAt(venue), payout: null },
    { venueOutcomeId: 'no', name: 'No', price: isPlay(venue) ? '0.1' : '0.7', payout: null },
  ],
})

beforeAll(async () => {
  // In an order that is not that of the venues, so that a pair is found from either side.
  for (const venue of PREDICTION_VENUES.toReversed()) {
    const years = { predictit: [2027, 2028], manifold: [2027, 2029] }[venue as string] ?? [2027]
    const markets = years.map((year) => marketOf(venue, year))
    const events = markets.map((market) => ({
      ...market,
      venueEventId: market.venueEventId!,
      slug: `${market.slug}-event`,
      title: market.question,
      mutuallyExclusive: false,
    }))
    await transact(pool, (transaction) =>
      storeMarkets(transaction, { venue, events, markets, source: venue, fetchedAt: NOW }),
    )
    await match()
  }
  await activities.summarisePrediction()
})

const pairs = () =>
  query<{ first: string; second: string; relation: string }>(
    database.ownerUrl,
    `select a.slug as first, b.slug as second, x.relation from prediction_matches x
     join prediction_markets a on a.id = x.polymarket_id join prediction_markets b on b.id = x.kalshi_id order by 1, 2`,
  )

test('each venue is compared with each other one, the earlier venue first, and a year is a veto', async () => {
  const found = await pairs()
  const same = found.filter(({ relation }) => relation !== 'different')
  const names = PREDICTION_VENUES.map((venue) => `${venue}-btc-2027`)
  const expected = names.flatMap((first, i) => names.slice(i + 1).map((second) => ({ first, second })))
  expect(same.map(({ first, second }) => `${first} ${second}`).toSorted()).toEqual(
    expected.map(({ first, second }) => `${first} ${second}`).toSorted(),
  )
  const ofOtherYear = found.filter(({ first, second }) => /202[89]/.test(`${first} ${second}`))
  expect(new Set(ofOtherYear.map(({ relation }) => relation))).toEqual(new Set(['different']))
})

test('a market and an event show those of all other venues', async () => {
  const market = endpoint(api, { route: getMarketCrossVenue, key })
  const event = endpoint(api, { route: getEventCrossVenue, key })
  for (const venue of PREDICTION_VENUES) {
    const { body } = await market(`/prediction/markets/${venue}-btc-2027/cross-venue`)
    expect(body.data.venues.map((one: { venue: string }) => one.venue).toSorted()).toEqual(
      [...PREDICTION_VENUES].toSorted(),
    )
    const answer = await event(`/prediction/events/${venue}-btc-2027-event/cross-venue`)
    expect(JSON.stringify(answer.body)).toContain(`"${venue === 'kalshi' ? 'polymarket' : 'kalshi'}-btc-2027`)
  }
})

test('lists take each venue as a filter', async () => {
  const markets = endpoint(api, { route: getPredictionMarkets, key })
  for (const venue of PREDICTION_VENUES) {
    const { body } = await markets(`/prediction/markets?venue=${venue}`)
    expect(new Set(body.data.map((one: { venue: string }) => one.venue))).toEqual(new Set([venue]))
  }
})

test('an operator decides on a pair of any two venues, in either order, and not within one', async () => {
  const decide = (slugs: [string, string]) =>
    decideMatch(db, { slugs, status: 'rejected', inverted: null, now: NOW })
  expect(await decide(['predictit-btc-2027', 'limitless-btc-2027'])).toEqual({ inverted: false })
  expect(await decide(['predictit-btc-2027', 'predictit-btc-2028'])).toBeNull()
  expect(await decide(['predictit-btc-2027', 'nowhere'])).toBeNull()
  await match()
  const [row] = await query<{ status: string }>(
    database.ownerUrl,
    `select x.status from prediction_matches x join prediction_markets a on a.id = x.polymarket_id
     join prediction_markets b on b.id = x.kalshi_id where a.slug = 'limitless-btc-2027' and b.slug = 'predictit-btc-2027'`,
  )
  expect(row).toEqual({ status: 'rejected' })
})

describe('play money', () => {
  type Marked = { venue: PredictionVenue; playMoney: boolean }
  const marked = (rows: readonly Marked[]) =>
    Object.fromEntries(rows.map(({ venue, playMoney }) => [venue, playMoney]))
  const MARKS = Object.fromEntries(PREDICTION_VENUES.map((venue) => [venue, venue === 'manifold']))
  const market = endpoint(api, { route: getMarketCrossVenue, key })
  const event = endpoint(api, { route: getEventCrossVenue, key })
  const overview = endpoint(api, { route: getPlatformOverview, key })

  test('each market, event and venue says whether it is play money, and USD has none of it', async () => {
    const markets = endpoint(api, { route: getPredictionMarkets, key })
    const { body } = await markets('/prediction/markets')
    expect(marked(body.data)).toEqual(MARKS)
    const play = body.data.filter(({ playMoney }: Marked) => playMoney)
    expect(play).toHaveLength(2)
    // The rows that were stored have volumes.
    expect(play[0]).toMatchObject({ volume24h: null, volume7d: null, volumeTotal: null, notionalTotal: null })
    expect(play[0]).toMatchObject({ liquidity: 0, openInterest: 0 })
    const events = endpoint(api, { route: getPredictionEvents, key })
    expect(marked((await events('/prediction/events')).body.data)).toEqual(MARKS)
    const { venues, totals } = (await overview('/prediction/platform/overview')).body.data
    expect(marked(venues)).toEqual(MARKS)
    const ofPlay = venues.find(({ playMoney }: Marked) => playMoney)
    expect(ofPlay).toMatchObject({
      volume24h: 0,
      volumeTotal: 0,
      liquidity: 0,
      openInterest: 0,
      openMarkets: 2,
    })
    const real = venues.filter(({ playMoney }: Marked) => !playMoney)
    expect(totals.volumeTotal).toBe(real.reduce((sum: number, one: any) => sum + one.volumeTotal, 0))
    expect(totals.volumeTotal).toBeGreaterThan(0)
  })

  test('it is shown beside real money, and no figure of the comparison counts it', async () => {
    for (const venue of ['polymarket', 'manifold']) {
      const { body } = await market(`/prediction/markets/${venue}-btc-2027/cross-venue`)
      const { venues, summary } = body.data
      expect(marked(venues)).toEqual(MARKS)
      expect(venues.find(({ playMoney }: Marked) => playMoney)).toMatchObject({
        yesPrice: 0.9,
        volume24h: null,
      })
      expect(summary).toMatchObject({ venuesCount: 5, averagePrice: 0.3, weightedPrice: 0.3, priceGap: 0 })
      const answer = (await event(`/prediction/events/${venue}-btc-2027-event/cross-venue`)).body.data
      expect(marked(answer.outcomes[0].prices)).toEqual(MARKS)
      expect([answer.outcomes[0].priceGap, answer.summary.maxPriceGap]).toEqual([0, 0])
      const usd = answer.venues.filter(({ playMoney }: Marked) => !playMoney)
      expect(answer.summary.totalVolume).toBe(usd.reduce((sum: number, one: any) => sum + one.volumeTotal, 0))
    }
  })

  test('without a match in real money its own price is the average', async () => {
    const { body } = await market('/prediction/markets/manifold-btc-2029/cross-venue')
    expect(marked(body.data.venues)).toEqual({ manifold: true })
    expect(body.data.summary).toMatchObject({ averagePrice: 0.9, weightedPrice: 0.9, priceGap: 0 })
  })
})
