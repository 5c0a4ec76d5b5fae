import { afterAll, beforeAll, expect, test } from 'vitest'
import { refreshTraders } from '../../activities/prediction/refresh-traders.ts'
import { openDb } from '../../db/connect.ts'
import { storeMarkets } from '../../db/prediction/write-markets.ts'
import { transact } from '../../db/transact.ts'
import { testDatabase } from '../setup/database.ts'
import { query } from '../setup/query.ts'
import { whileUncommitted } from '../setup/while-uncommitted.ts'

const database = await testDatabase()
const { pool, close } = openDb({ url: database.ingestUrl, maxConnections: 2, applicationName: 'test' })
afterAll(close)

/** A buy of ten shares at a half. */
const fill = (minute: number) =>
  `insert into prediction_trades (market_id, at, id, outcome, side, price, size, value_usd, trader_id, source, fetched_at)
   select m.id, '2026-01-01T00:0${minute}:00Z', gen_random_uuid(), 0, 'buy', 0.5, 10, 5, t.id, 'test', now()
   from prediction_markets m, prediction_traders t`

beforeAll(() =>
  query(
    database.ownerUrl,
    `with market as (
       insert into prediction_markets (slug, venue, venue_market_id, question, url, status, created_at, updated_at, source, fetched_at)
       values ('rain', 'polymarket', '1', 'Rain?', 'https://venue.example', 'open', now(), now(), 'test', now()) returning id
     ), trader as (
       insert into prediction_traders (address, source, fetched_at) values ('0xa1', 'test', now())
     )
     insert into prediction_outcomes (market_id, position, venue_outcome_id, name, price, source, fetched_at)
     select id, position, position, name, 0.5, 'test', now() from market, (values (0, 'Yes'), (1, 'No')) as o (position, name)`,
  ),
)

test('includes a fill that arrives while the positions of its trader are computed', async () => {
  await query(database.ownerUrl, fill(1))
  await whileUncommitted(
    database.ownerUrl,
    `update prediction_traders set name = 'Ann'; ${fill(2)};
     update prediction_traders set dirty = true where not dirty`,
    () => refreshTraders({ pool, now: () => new Date('2026-01-02T00:00:00Z') }, { limit: 10 }),
  )
  expect(await query(database.ownerUrl, 'select shares::float8 as shares from prediction_positions')).toEqual(
    [{ shares: 20 }],
  )
})

test('Y18 a market that resolves while the positions of its traders are computed closes them', async () => {
  const at = new Date('2026-01-02T00:00:00Z')
  const outcome = (name: string, position: number, payout: string) => ({
    venueOutcomeId: String(position),
    name,
    price: payout,
    payout,
  })
  const market = {
    venueMarketId: '1',
    venueEventId: null,
    conditionId: null,
    slug: 'rain',
    label: null,
    question: 'Rain?',
    url: 'https://venue.example',
    description: null,
    imageUrl: null,
    category: null,
    tags: [],
    status: 'resolved' as const,
    resolutionSource: null,
    strikeType: null,
    floorStrike: null,
    capStrike: null,
    tickSize: null,
    lastTradePrice: null,
    bestBid: null,
    bestAsk: null,
    openInterestUsd: null,
    volume24hUsd: '0',
    volume7dUsd: null,
    volumeTotalUsd: '0',
    notional24hUsd: null,
    notionalTotalUsd: null,
    liquidityUsd: '0',
    startAt: null,
    endAt: null,
    createdAt: null,
    updatedAt: at,
    resolvedAt: at,
    outcomes: [outcome('Yes', 0, '1'), outcome('No', 1, '0')],
  }
  const now = () => at
  // The rows written after the payout come from a read before it.
  await query(
    database.ownerUrl,
    'delete from prediction_positions; update prediction_traders set dirty = true',
  )
  await whileUncommitted(
    database.ownerUrl,
    `select from prediction_traders for no key update;
     insert into prediction_positions (trader_id, market_id, outcome, shares, cost_usd, bought_shares, bought_usd,
       realized_usd, status, opened_at, source, fetched_at)
     select t.id, m.id, 0, 20, 10, 20, 10, 0, 'open', now(), 'test', now() from prediction_markets m, prediction_traders t;
     update prediction_traders set dirty = false`,
    () =>
      transact(pool, (transaction) =>
        storeMarkets(transaction, {
          venue: 'polymarket',
          source: 'test',
          fetchedAt: at,
          events: [],
          markets: [market],
        }),
      ),
  )
  await refreshTraders({ pool, now }, { limit: 10 })
  const positions = 'select status, realized_usd::float8 as realized from prediction_positions'
  expect(await query(database.ownerUrl, positions)).toEqual([{ status: 'won', realized: 10 }])
})
