import { beforeAll, describe, expect, test } from 'vitest'
import { routes } from '../../api/routes.ts'
import { startApi } from '../setup/api.ts'
import { testDatabase } from '../setup/database.ts'
import { endpoint } from '../setup/endpoint.ts'
import { query } from '../setup/query.ts'
import { insertOutcomes, insertRows } from './prediction-rows.ts'

// Comparisons of venues and order books, of a few rows by hand.

const database = await testDatabase()
const mine = routes.filter(({ path }) => path.startsWith('/prediction/'))
const api = await startApi({ database, routes: mine })
const { key } = await api.newAccount()
const insert = (table: string, rows: readonly Record<string, unknown>[]) => insertRows(database, table, rows)
const get = async (declared: string, path: string) => {
  const route = mine.find((one) => one.path === `/prediction${declared}`)!
  return (await endpoint(api, { route, key })(`/prediction${path}`)).body.data
}
const change = (text: string) => query(database.ownerUrl, text)

beforeAll(async () => {
  await insert('prediction_events', [
    { id: 1, venue: 'polymarket', volume_total_usd: 1.5 },
    { id: 2, venue: 'kalshi', volume_total_usd: 2 },
    { id: 3, venue: 'kalshi', volume_total_usd: 4 },
  ])
  await insert('prediction_markets', [
    {
      id: 1,
      venue: 'polymarket',
      event_id: 1,
      best_bid: 0.48,
      best_ask: 0.52,
      volume_24h_usd: 100,
      label: 'One',
    },
    // Two sides of one event, of which the second has more volume.
    { id: 2, venue: 'kalshi', event_id: 2, best_bid: 0.38, best_ask: 0.42 },
    { id: 3, venue: 'kalshi', event_id: 2, best_bid: 0.58, best_ask: 0.61, volume_24h_usd: 300 },
    { id: 4, venue: 'manifold', best_bid: 0.95, best_ask: 0.05 },
    { id: 5, venue: 'polymarket', event_id: 1, volume_total_usd: 9 },
    // Of an event that does not match.
    { id: 6, venue: 'kalshi', event_id: 3 },
  ])
  for (const [id, yes] of [
    [1, 0.5],
    [2, 0.4],
    [3, 0.6],
    [4, 0.9],
    [5, 0.7],
    [6, 0.1],
  ] as const)
    await insertOutcomes(database, id, { Yes: yes, No: 1 - yes })
  const pair = (polymarket_id: number, kalshi_id: number, score: number, inverted = false) => ({
    polymarket_id,
    kalshi_id,
    score,
    inverted,
    status: 'auto',
    relation: 'same',
    vetoes: [],
    method: 'test',
  })
  await insert('prediction_matches', [
    pair(1, 2, 0.95),
    pair(1, 3, 0.9),
    pair(1, 4, 0.85),
    pair(1, 6, 0.8, true),
  ])
  await insert('prediction_event_matches', [
    { polymarket_id: 1, kalshi_id: 2, score: 0.9, markets: 2, method: 'test' },
  ])
})

describe('a market and its matches', () => {
  const compare = (rest = '?minScore=0.85') =>
    get('/markets/{slug}/cross-venue', `/markets/market-1/cross-venue${rest}`)

  test('have one vote for each event of a venue, weighted by volume, and none of play money', async () => {
    const { venues, summary } = await compare()
    expect(
      venues.map((row: { marketSlug: string; matchScore: number; playMoney: boolean }) => [
        row.marketSlug,
        row.matchScore,
        row.playMoney,
      ]),
    ).toEqual([
      ['market-1', 1, false],
      ['market-2', 0.95, false],
      ['market-3', 0.9, false],
      ['market-4', 0.85, true],
    ])
    expect(summary).toEqual({
      venuesCount: 3,
      averagePrice: 0.55,
      weightedPrice: 0.575,
      priceGap: 0.2,
      lowestAsk: { venue: 'kalshi', price: 0.42 },
      highestBid: { venue: 'kalshi', price: 0.58 },
      arbitrage: true,
    })
  })

  test('are those of the opposite outcome where the other asks the opposite', async () => {
    const { venues } = await compare('?minScore=0.8')
    expect(venues.at(-1)).toMatchObject({ marketSlug: 'market-6', yesPrice: 0.9 })
  })

  test('allow no arbitrage at equal prices, nor within one venue', async () => {
    await change('update prediction_markets set best_bid = 0.42, best_ask = 0.58 where id = 1')
    expect((await compare()).summary).toMatchObject({ arbitrage: false })
    await change('update prediction_markets set best_ask = 0.57 where id = 1')
    expect((await compare()).summary).toMatchObject({ arbitrage: true })
  })
})

test('events list the outcomes that match before the others, with the gap of their prices', async () => {
  const { venues, outcomes, summary } = await get(
    '/events/{slug}/cross-venue',
    '/events/event-1/cross-venue?minScore=0.8',
  )
  expect(
    venues.map((row: { eventSlug: string; matchScore: number }) => [row.eventSlug, row.matchScore]),
  ).toEqual([
    ['event-1', 1],
    ['event-2', 0.9],
  ])
  expect(
    outcomes.map((row: { label: string; prices: { marketSlug: string }[]; priceGap: number }) => [
      row.label,
      row.prices.map(({ marketSlug }) => marketSlug).join(),
      row.priceGap,
    ]),
  ).toEqual([
    ['One', 'market-1,market-2,market-3', 0.2],
    ['Market 5', 'market-5', 0],
  ])
  expect(summary).toEqual({ venuesCount: 2, matchedOutcomes: 1, maxPriceGap: 0.2, totalVolume: 3.5 })
})

describe('an order book', () => {
  const level = (price: string, size: string) => [price, size]
  const store = async (bids: string[][], asks: string[][]) => {
    await change('delete from prediction_books')
    const book = { market_id: 1, outcome: 0, bids, asks, at: '2026-06-01T00:00:00Z' }
    await insert('prediction_books', [book])
  }
  const read = (rest = '') => get('/markets/{slug}/orderbook', `/markets/market-1/orderbook${rest}`)

  test('adds up its levels, and has a middle and a spread between its sides', async () => {
    await store([level('0.4', '10'), level('0.3', '0.5')], [level('0.5', '7')])
    expect(await read()).toMatchObject({
      outcome: 'Yes',
      bids: [
        { price: 0.4, size: 10, total: 10 },
        { price: 0.3, size: 0.5, total: 10.5 },
      ],
      asks: [{ price: 0.5, size: 7, total: 7 }],
      bestBid: 0.4,
      bestAsk: 0.5,
      midpoint: 0.45,
      spread: 0.1,
      updatedAt: '2026-06-01T00:00:00.000Z',
    })
    expect((await read('?depth=1')).bids).toHaveLength(1)
    expect(await read('?outcome=No')).toMatchObject({ outcome: 'No', bids: [], asks: [] })
  })

  test('of one side has neither, and none of a market that is not open', async () => {
    const none = { midpoint: null, spread: null }
    await store([level('0.4', '10')], [])
    expect(await read()).toMatchObject({ bestBid: 0.4, bestAsk: null, ...none })
    await store([], [level('0.4', '10')])
    expect(await read()).toMatchObject({ bestBid: null, bestAsk: 0.4, ...none })
    await change(`update prediction_markets set status = 'closed' where id = 1`)
    expect(await read()).toMatchObject({ bids: [], asks: [], bestBid: null, bestAsk: null, ...none })
  })
})
