import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ActivityDeps } from '../../activities/deps.ts'
import { getEventCrossVenue } from '../../api/prediction/get-event-cross-venue.ts'
import { getMarketCrossVenue } from '../../api/prediction/get-market-cross-venue.ts'
import { getPredictionMarkets } from '../../api/prediction/get-markets.ts'
import { routes } from '../../api/routes.ts'
import { openDb } from '../../db/connect.ts'
import type { StoredMarket } from '../../db/prediction/market-columns.ts'
import { decideMatch } from '../../db/prediction/write-matches.ts'
import { storeMarkets } from '../../db/prediction/write-markets.ts'
import { transact } from '../../db/transact.ts'
import type { PredictionVenue } from '../../db/prediction/tables.ts'
import { PREDICTION_VENUES } from '../../db/values/prediction-venues.ts'
import { startApi } from '../setup/api.ts'
import { testDatabase } from '../setup/database.ts'
import { endpoint } from '../setup/endpoint.ts'
import { query } from '../setup/query.ts'
import { predictionOf } from './prediction-world.ts'

// One question at all four venues, and one that differs in its year at the last.

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
    { venueOutcomeId: 'yes', name: 'Yes', price: '0.3', payout: null },
    { venueOutcomeId: 'no', name: 'No', price: '0.7', payout: null },
  ],
})

beforeAll(async () => {
  // In an order that is not that of the venues, so that a pair is found from either side.
  for (const venue of PREDICTION_VENUES.toReversed()) {
    const years = venue === 'predictit' ? [2027, 2028] : [2027]
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
  expect(found.filter(({ second }) => second.endsWith('2028')).map(({ relation }) => relation)).toEqual([
    'different',
    'different',
    'different',
  ])
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
