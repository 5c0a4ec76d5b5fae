import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openDb, openReadonlyDb } from '../../db/connect.ts'
import {
  readCandidates,
  readEventPairs,
  readMarketsToMatch,
  readVenuesInUse,
  readWordedMarkets,
} from '../../db/prediction/read-for-matching.ts'
import { listMatches, readEventMatches, readMarketMatches } from '../../db/prediction/read-matches.ts'
import { decideMatch, replaceEventMatches, replaceMatches } from '../../db/prediction/write-matches.ts'
import { transact } from '../../db/transact.ts'
import { testDatabase } from '../setup/database.ts'
import { insertOutcomes, insertRows, readRows } from './prediction-rows.ts'

// Which pairs of markets and events are compared, stored and served, of a few rows.

const database = await testDatabase()
const { db, pool, close } = openDb({ url: database.ingestUrl, maxConnections: 1, applicationName: 'test' })
afterAll(close)
const api = openReadonlyDb({ url: database.apiUrl, maxConnections: 1, applicationName: 'test' })
afterAll(api.close)
const insert = (table: string, rows: readonly Record<string, unknown>[]) => insertRows(database, table, rows)
const END = Date.UTC(2026, 5, 1)
const daysLater = (days: number) => new Date(END + days * 86_400_000).toISOString()

beforeAll(async () => {
  await insert('prediction_events', [
    { id: 1, venue: 'polymarket', title: 'P one' },
    { id: 2, venue: 'polymarket', title: 'P two' },
    { id: 11, venue: 'kalshi', title: 'K one' },
    { id: 12, venue: 'kalshi', title: 'K two' },
  ])
  const market = (id: number, event_id: number | null, rest: object = {}) => ({
    id,
    venue: id < 10 ? 'polymarket' : 'kalshi',
    event_id,
    ...rest,
  })
  await insert('prediction_markets', [
    market(1, 1, { end_at: daysLater(0), volume_total_usd: 1 }),
    market(2, 1, { volume_total_usd: 5 }),
    market(3, 2, { volume_total_usd: 9 }),
    market(11, 11, { end_at: daysLater(0) }),
    market(12, 11, { end_at: daysLater(100) }),
    market(13, 11, { end_at: daysLater(-10) }),
    market(14, null, { end_at: daysLater(400) }),
    market(15, 12),
    market(16, 12, { end_at: daysLater(5) }),
  ])
})

describe('pairs', () => {
  beforeAll(async () => {
    const pair = (
      polymarket_id: number,
      kalshi_id: number,
      status: string,
      relation: string,
      score: number,
      inverted = false,
    ) => ({
      polymarket_id,
      kalshi_id,
      status,
      relation,
      score,
      inverted,
      vetoes: [],
      method: 'test',
      decided_at: status === 'auto' ? null : 'now',
    })
    await insert('prediction_matches', [
      pair(1, 11, 'auto', 'same', 0.9),
      pair(1, 12, 'auto', 'different', 0.95),
      pair(1, 13, 'auto', 'same', 0.9, true),
      pair(2, 12, 'auto', 'same', 0.7),
      pair(2, 13, 'confirmed', 'different', 0.1, true),
      pair(3, 11, 'rejected', 'same', 1),
      pair(3, 14, 'auto', 'unclear', 0.8),
    ])
    const match = (polymarket_id: number, kalshi_id: number, score: number) => ({
      polymarket_id,
      kalshi_id,
      score,
      markets: 1,
      method: 'test',
    })
    await insert('prediction_event_matches', [match(1, 11, 0.8), match(1, 12, 0.9), match(2, 11, 0.85)])
  })

  test.each([
    ['the best first, what is not inverted before what is', [1], 0.8, ['1-11 0.9', '1-13 0.9 inverted']],
    ['one that an operator confirmed, whatever its score', [2], 0.8, ['2-13 1 inverted']],
    ['with a lower score', [2], 0.7, ['2-13 1 inverted', '2-12 0.7']],
    ['from the other side', [13], 0.8, ['13-2 1 inverted', '13-1 0.9 inverted']],
    ['not one that an operator rejected', [3], 0, ['3-14 0.8']],
    ['with the least score', [14], 0.8, ['14-3 0.8']],
    ['not with less', [14], 0.81, []],
    ['of several markets', [2, 3], 0.8, ['2-13 1 inverted', '3-14 0.8']],
  ] as const)('of a market: %s', async (_, ids, minScore, expected) => {
    const found = await readMarketMatches(api.db, { ids, minScore })
    expect(
      found.map((row) => `${row.id}-${row.otherId} ${Number(row.score)}${row.inverted ? ' inverted' : ''}`),
    ).toEqual(expected)
  })

  test('of an event, the best first, from either side', async () => {
    const read = async (id: number, minScore: number) =>
      (await readEventMatches(api.db, { id, minScore })).map(({ otherId }) => otherId)
    expect(await read(1, 0.8)).toEqual([12, 11])
    expect(await read(1, 0.81)).toEqual([12])
    expect(await read(11, 0.8)).toEqual([2, 1])
    expect(await read(12, 0.8)).toEqual([1])
  })

  test('for an operator by status and relation, the best first, then those with more volume', async () => {
    const list = async (status: string | null, relation: string | null, limit = 10) =>
      (await listMatches(db, { status, relation, limit })).map((row) =>
        `${row.polymarket_slug} ${row.kalshi_slug}`.replaceAll('market-', ''),
      )
    expect(await list(null, null)).toEqual(['3 11', '1 12', '1 11', '1 13', '3 14', '2 12', '2 13'])
    expect(await list('auto', 'same')).toEqual(['1 11', '1 13', '2 12'])
    expect(await list('confirmed', null)).toEqual(['2 13'])
    expect(await list(null, 'different', 1)).toEqual(['1 12'])
  })

  test('make pairs of events, with the mean score of those that count', async () => {
    expect(await readEventPairs(db, 0.8)).toEqual([
      {
        polymarketId: 1,
        kalshiId: 11,
        polymarketTitle: 'P one',
        kalshiTitle: 'K one',
        common: 2,
        fewest: 2,
        score: expect.closeTo((0.9 + 0.9 + 1) / 3, 6),
      },
    ])
    expect((await readEventPairs(db, 0.7))[0]).toMatchObject({ score: expect.closeTo(3.5 / 4, 6) })
  })

  test('are replaced where one of their markets was compared, but for decisions of an operator', async () => {
    const stamp = { method: 'new', source: 'computed', now: new Date() }
    const pair = { relation: 'same', inverted: false, score: 1, vetoes: [] } as const
    const replace = (marketIds: number[], pairs: { polymarketId: number; kalshiId: number }[] = []) =>
      transact(pool, (to) =>
        replaceMatches(to, { ...stamp, marketIds, pairs: pairs.map((ids) => ({ ...ids, ...pair })) }),
      )
    const left = async () =>
      (
        await readRows(
          database,
          `select polymarket_id || '-' || kalshi_id || ' ' || method as pair from prediction_matches order by 1`,
        )
      ).map((row) => row['pair'])
    await replace([14])
    expect(await left()).toEqual([
      '1-11 test',
      '1-12 test',
      '1-13 test',
      '2-12 test',
      '2-13 test',
      '3-11 test',
    ])
    await replace([1, 2], [{ polymarketId: 1, kalshiId: 11 }])
    expect(await left()).toEqual(['1-11 new', '2-13 test', '3-11 test'])
    await replace([3, 13])
    expect(await left()).toEqual(['1-11 new', '2-13 test', '3-11 test'])
  })

  test('that an operator decides are as decided, and inverted as computed or as they say', async () => {
    const decide = (
      [first, second]: [number, number],
      status: 'confirmed' | 'rejected',
      inverted: boolean | null = null,
    ) =>
      decideMatch(db, {
        slugs: [`market-${first}`, `market-${second}`],
        status,
        inverted,
        now: new Date(END),
      })
    const row = async () =>
      (
        await readRows(
          database,
          `select concat_ws(' ', polymarket_id || '-' || kalshi_id, status, relation, score::int, inverted, method) as pair
           from prediction_matches where decided_at = '${new Date(END).toISOString()}' order by 1`,
        )
      ).map((one) => one['pair'])
    expect(await decide([2, 15], 'confirmed')).toEqual({ inverted: false })
    expect(await decide([16, 3], 'rejected', true)).toEqual({ inverted: true })
    const other = '3-16 rejected different 0 t operator'
    expect(await row()).toEqual(['2-15 confirmed same 1 f operator', other])
    expect(await decide([2, 15], 'confirmed', true)).toEqual({ inverted: true })
    expect(await decide([15, 2], 'rejected')).toEqual({ inverted: true })
    expect(await row()).toEqual(['2-15 rejected same 1 t operator', other])
    // Of one venue, or of a market that does not exist.
    expect(await decide([2, 3], 'confirmed')).toBeNull()
    expect(await decide([2, 99], 'confirmed')).toBeNull()
    expect(await row()).toHaveLength(2)
  })

  test('of events are replaced as a whole', async () => {
    const stamp = { method: 'new', source: 'computed', now: new Date() }
    const pairs = [{ polymarketId: 2, kalshiId: 12, score: 0.5, common: 3 }]
    await transact(pool, (to) => replaceEventMatches(to, { ...stamp, pairs }))
    expect(
      await readRows(database, 'select polymarket_id, markets, method from prediction_event_matches'),
    ).toEqual([{ polymarket_id: 2, markets: 3, method: 'new' }])
  })
})

test('markets are compared again with another method or other texts, each after the one before', async () => {
  await insertOutcomes(database, 1, { Yes: 0.4, No: 0.6 })
  const texts = await readWordedMarkets(db, [1, 2, 3])
  const digests = new Map(texts.map(({ id, digest }) => [id, digest]))
  const state = (market_id: number, method: string, digest = digests.get(market_id)) => ({
    market_id,
    method,
    digest,
    keys: [],
  })
  await insert('prediction_match_states', [state(1, 'm'), state(2, 'old'), state(3, 'm', 'other')])
  const read = async (afterId: number, limit = 3) =>
    (await readMarketsToMatch(db, { method: 'm', afterId, limit })).map(({ id }) => id)
  expect(await read(0)).toEqual([2, 3, 11])
  expect(await read(2)).toEqual([3, 11, 12])
  expect(await read(2, 1)).toEqual([3])
  expect(texts.find(({ id }) => id === 1)).toMatchObject({
    eventTitle: 'P one',
    outcomes: ['Yes', 'No'],
    endsAt: new Date(END),
  })
})

test('candidates are those with most of the keys, then those that end closest, within 400 days', async () => {
  const state = (market_id: number, keys: string[]) => ({ market_id, keys, digest: '', method: 'm' })
  await insert('prediction_match_states', [
    state(11, ['a']),
    state(12, ['a', 'b', 'c']),
    state(13, ['a', 'c']),
    state(14, ['a', 'b']),
    state(15, ['b']),
    state(16, ['c']),
  ])
  const read = async (ids: readonly number[], most: number) =>
    (await readCandidates(db, { wanted: ids.map((id) => ({ id, keys: ['a', 'b'] })), most })).map(
      ({ id, otherId }) => `${id}-${otherId}`,
    )
  expect(await read([1], 10)).toEqual(['1-12', '1-11', '1-13', '1-15'])
  expect(await read([1], 2)).toEqual(['1-12', '1-11'])
  // Without an end of its own it takes any.
  expect((await read([2], 10)).toSorted()).toEqual(['2-11', '2-12', '2-13', '2-14', '2-15'])
})

test('venues are in use that have markets, in the given order', async () => {
  expect(await readVenuesInUse(db, ['limitless', 'kalshi', 'polymarket'])).toEqual(['kalshi', 'polymarket'])
})
