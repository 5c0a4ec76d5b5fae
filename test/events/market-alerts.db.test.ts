import { afterAll, describe, expect, test } from 'vitest'
import type { StoredMarket } from '../../db/prediction/market-columns.ts'
import { storeMarkets } from '../../db/prediction/write-markets.ts'
import { transact } from '../../db/transact.ts'
import { testDatabase } from '../setup/database.ts'
import { startAlertsWorld } from './alerts-world.ts'

// From the write of a prediction market to the charged event.

const database = await testDatabase()
const world = await startAlertsWorld(database)
const { api, ask, add, call, told, paid } = world
afterAll(world.close)
let markets = 0

/** A market with two outcomes that a test moves. */
async function newMarket(first = 0.5) {
  const slug = `market-${++markets}`
  async function move(price: number, changed: Partial<StoredMarket> = {}, payouts: (string | null)[] = []) {
    const at = new Date()
    const outcome = (name: string, position: number, usd: number) => ({
      venueOutcomeId: `${slug}-${position}`,
      name,
      price: usd.toFixed(3),
      payout: payouts[position] ?? null,
    })
    const market = {
      ...FIELDS,
      slug,
      venueMarketId: slug,
      updatedAt: at,
      outcomes: [outcome('No', 0, 1 - price), outcome('Yes', 1, price)],
      ...changed,
    }
    const input = {
      venue: 'polymarket',
      source: 'test',
      fetchedAt: at,
      events: [],
      markets: [market],
    } as const
    await transact(world.pool, (transaction) => storeMarkets(transaction, input))
  }
  await move(first)
  const [row] = await ask<{ id: number }>('select id from prediction_markets where slug = $1', [slug])
  return { id: String(row!.id), slug, move }
}

const FIELDS: Omit<StoredMarket, 'slug' | 'venueMarketId' | 'updatedAt' | 'outcomes'> = {
  conditionId: null,
  venueEventId: null,
  question: 'Will it?',
  label: null,
  url: 'https://example.com',
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
  lastTradePrice: null,
  bestBid: null,
  bestAsk: null,
  volume24hUsd: '0',
  volume7dUsd: null,
  volumeTotalUsd: '0',
  notional24hUsd: null,
  notionalTotalUsd: null,
  liquidityUsd: '0',
  openInterestUsd: null,
  startAt: null,
  endAt: null,
  resolvedAt: null,
  createdAt: null,
}

test('a market whose Yes reaches a probability is one event, and again half a point behind it', async () => {
  const { key, accountId } = await api.newAccount()
  const endpointId = await world.newEndpoint(accountId, ['market.price'])
  const { id, slug, move } = await newMarket()
  const { id: alertId } = await add(key, { type: 'market.price', marketId: id, above: 0.7 })
  for (const price of [0.69, 0.71, 0.696, 0.75, 0.695, 0.7]) await move(price)
  const events = await told(accountId)
  const yes = (price: number) => [
    { id: `${id}-0`, name: 'No', price: Number((1 - price).toFixed(3)), winner: null },
    { id: `${id}-1`, name: 'Yes', price, winner: null },
  ]
  const data = { alertId, marketId: id, slug, venue: 'polymarket', question: 'Will it?', status: 'open' }
  expect(events.map((event) => [event.type, event.data])).toEqual([
    ['market.price', { ...data, outcomes: yes(0.71), rule: { above: 0.7 } }],
    ['market.price', { ...data, outcomes: yes(0.7), rule: { above: 0.7 } }],
  ])
  expect(await paid(accountId, 'market.price')).toBe(2)
  expect(await world.deliveries(endpointId)).toEqual(['market.price', 'market.price'])
})

test('a rule may be about another outcome', async () => {
  const { key, accountId } = await api.newAccount()
  const { id, move } = await newMarket()
  await add(key, { type: 'market.price', marketId: id, outcomeId: `${id}-0`, below: 0.2 })
  await move(0.7)
  await move(0.8)
  expect((await told(accountId)).map(({ type }) => type)).toEqual(['market.price'])
})

test('the resolution of a market is one event of each account, charged once', async () => {
  const accounts = [await api.newAccount(), await api.newAccount()]
  const { id, move } = await newMarket()
  for (const { key } of accounts) await add(key, { type: 'market.resolved', marketId: id })
  await move(0.9, { status: 'closed' })
  await move(1, { status: 'resolved', resolvedAt: new Date() }, ['0', '1'])
  await move(1, { status: 'resolved', resolvedAt: new Date(), question: 'Did it?' }, ['0', '1'])
  for (const { accountId } of accounts) {
    const events = await told(accountId)
    expect(events).toMatchObject([
      {
        type: 'market.resolved',
        data: { status: 'resolved', rule: {}, outcomes: [{ winner: false }, { winner: true }] },
      },
    ])
    expect(await paid(accountId, 'market.resolved')).toBe(1)
  }
})

test('a market that is cancelled without a payout is resolved too', async () => {
  const { key, accountId } = await api.newAccount()
  const { id, move } = await newMarket()
  await add(key, { type: 'market.resolved', marketId: id })
  await move(0.5, { status: 'cancelled' })
  expect((await told(accountId)).map(({ data }) => data['status'])).toEqual(['cancelled'])
})

describe('POST /alerts refuses', () => {
  test.each([
    ['a market that does not exist', { marketId: '999999' }, 404, 'Market not found'],
    ['a market by its slug', { marketId: 'market-1' }, 404, 'Market not found'],
    ['no limit', { above: undefined }, 400, 'One of `above` and `below` is required'],
    ['a certain price', { above: 1 }, 400, 'above'],
    ['an outcome of another market', { outcomeId: '0-1' }, 400, 'outcomeId'],
  ])('%s', async (_name, fields, status, message) => {
    const { key } = await api.newAccount()
    const { id } = await newMarket()
    const alert = { type: 'market.price', marketId: id, above: 0.7, ...fields }
    const answer = await call(key, 'POST', '/alerts', alert)
    expect([answer.status, answer.body.message]).toEqual([status, expect.stringContaining(message)])
  })
})
