import { afterAll, expect, test } from 'vitest'
import { openDb } from '../../db/connect.ts'
import { closeOthers } from '../../db/prediction/close-others.ts'
import { touchMarkets, writeCursor } from '../../db/prediction/read-for-ingest.ts'
import { readQuarantinedAgain, storeWalk } from '../../db/prediction/walks.ts'
import {
  storeDetailState,
  storeHolders,
  storeOrderBooks,
  storePoints,
} from '../../db/prediction/write-details.ts'
import { clearMarketFailure, noteMarketFailure, storeTradeGap } from '../../db/prediction/write-failures.ts'
import { markOpenPositions, markTraders, replaceTraders } from '../../db/prediction/write-traders.ts'
import { storeTrades } from '../../db/prediction/write-trades.ts'
import { type Transaction, transact } from '../../db/transact.ts'
import { changedRows } from '../setup/changed-rows.ts'
import { testDatabase } from '../setup/database.ts'
import { insertOutcomes, insertRows, readRows } from './prediction-rows.ts'

// What is stored of one market or trader changes nothing of another.

const database = await testDatabase()
const { pool, close } = openDb({ url: database.ingestUrl, maxConnections: 1, applicationName: 'test' })
afterAll(close)
const insert = (table: string, rows: readonly Record<string, unknown>[]) => insertRows(database, table, rows)
const run = (work: (transaction: Transaction) => Promise<unknown>) => transact(pool, work)
const rows = (text: string) => readRows(database, text)

const AT = new Date('2026-06-10T12:00:00Z')
const stamp = { source: 'other', fetchedAt: AT }

/** One of everything: market 1 with trader 11, 2 with 12, and 3 with 13. All are alike, except that 3 is of Kalshi. */
for (const n of [1, 2, 3]) {
  const trader = 10 + n
  const venue = n === 3 ? 'kalshi' : 'polymarket'
  await insert('prediction_markets', [{ id: n, venue, category: 'Crypto', best_bid: 0.4, best_ask: 0.5 }])
  await insertOutcomes(database, n, { Yes: 0.4, No: 0.6 })
  await insert('prediction_traders', [{ id: trader, address: `0xa${n}`, name: 'Ann' }])
  const ofMarket = { market_id: n, outcome: 0 }
  await insert('prediction_trade_states', [
    { market_id: n, loaded_to: '2026-06-01T00:00:00Z', volume_usd: 1, has_quarantined: n !== 2 },
  ])
  await insert('prediction_trades', [
    {
      ...ofMarket,
      trader_id: trader,
      at: '2026-06-01T00:00:00Z',
      id: `00000000-0000-4000-8000-00000000000${n}`,
      side: 'buy',
      price: 1,
      size: 1,
      value_usd: 1,
      is_block: false,
    },
  ])
  await insert('prediction_trade_days', [
    { ...ofMarket, day: '2026-06-10T00:00:00Z', side: 'buy', trades: 1, volume_usd: 1 },
  ])
  await insert('prediction_prices', [{ ...ofMarket, minutes: 60, at: '2026-06-10T11:00:00Z', price: 0.5 }])
  await insert('prediction_books', [{ ...ofMarket, bids: [], asks: [], at: '2026-06-01T00:00:00Z' }])
  await insert('prediction_holders', [{ ...ofMarket, rank: 1, trader_id: trader, shares: 1 }])
  await insert('prediction_positions', [{ ...ofMarket, trader_id: trader, shares: 10 }])
  for (const day of ['2026-06-09', '2026-06-10'])
    await insert('prediction_trader_days', [
      {
        trader_id: trader,
        category: 'Crypto',
        day: `${day}T00:00:00Z`,
        cash_usd: 0,
        paid_usd: 0,
        open_value_usd: n === 1 ? 3 : 4,
        volume_usd: 0,
        trades: 0,
      },
    ])
  for (const part of ['trades', 'details'])
    await insert('prediction_failures', [
      { market_id: n, part, failure: 'no', failed_at: '2026-06-01T00:00:00Z' },
    ])
  for (const [from_at, to_at] of [
    [null, '2026-06-02T00:00:00Z'],
    ['2026-06-03T00:00:00Z', '2026-06-04T00:00:00Z'],
    ['2026-06-05T00:00:00Z', '2026-06-06T00:00:00Z'],
    ['2026-06-07T00:00:00Z', '2026-06-08T00:00:00Z'],
  ])
    await insert('prediction_trade_gaps', [{ market_id: n, from_at, to_at, reason: 'test' }])
}
await insert('prediction_cursors', [
  { name: 'a', cursor: 'x', at: 'now' },
  { name: 'b', cursor: 'x', at: 'now' },
])

/** SQL that names the market or trader of a row. */
const OWNERS = {
  prediction_markets: 'id',
  prediction_outcomes: 'market_id',
  prediction_traders: 'id',
  prediction_trade_states: 'market_id',
  prediction_trades: 'market_id',
  prediction_trade_days: 'market_id',
  prediction_prices: 'market_id',
  prediction_books: 'market_id',
  prediction_holders: 'market_id',
  prediction_positions: 'trader_id',
  prediction_trader_days: 'trader_id',
  prediction_failures: `market_id || ' ' || part`,
  prediction_trade_gaps: `market_id || ' ' || to_char(to_at at time zone 'UTC', 'DD')`,
  prediction_cursors: 'name',
}

const trader = { address: '0xa1', name: 'Bob', avatarUrl: null }
const fill = {
  key: 'new',
  at: new Date('2026-06-10T10:00:00Z'),
  outcome: 0,
  side: 'buy',
  price: '0.5',
  size: '4',
  txHash: null,
  isBlock: false,
} as const
const gap = (from: string | null, to: string) => ({
  marketId: 1,
  from: from === null ? null : new Date(`2026-06-${from}T00:00:00Z`),
  to: new Date(`2026-06-${to}T00:00:00Z`),
  reason: 'longer',
  ...stamp,
})

test.each<[what: string, work: (transaction: Transaction) => Promise<unknown>, changed: string[]]>([
  [
    'a new fill',
    (to) => storeTrades(to, { marketId: 1, trades: [{ ...fill, trader }], share: '0.5', ...stamp }),
    ['1', '11'],
  ],
  [
    'a fill that is there already',
    (to) => storeTrades(to, { marketId: 1, trades: [{ ...fill, trader }], share: '0.5', ...stamp }),
    [],
  ],
  [
    'the end of a walk',
    async ({ db }) => {
      const isStored = await storeWalk(db, {
        marketId: 1,
        loadedTo: AT,
        walkCursor: null,
        walkTo: null,
        statedVolume: '9',
        hasQuarantined: false,
        before: { loadedTo: new Date('2026-06-01T00:00:00Z'), walkCursor: null },
      })
      expect(isStored).toBe(true)
    },
    ['1'],
  ],
  [
    'a page of a walk that somebody began anew meanwhile',
    async ({ db }) => {
      const isStored = await storeWalk(db, {
        marketId: 1,
        loadedTo: null,
        walkCursor: 'c',
        walkTo: null,
        statedVolume: null,
        hasQuarantined: false,
        before: { loadedTo: AT, walkCursor: 'b' },
      })
      expect(isStored).toBe(false)
    },
    [],
  ],
  ['reading a venue again', ({ db }) => readQuarantinedAgain(db, 'polymarket'), ['1']],
  [
    'details',
    ({ db }) =>
      storeDetailState(db, {
        marketId: 1,
        statedVolume: '9',
        openInterestUsd: '7',
        detailAt: AT,
        pricesAt: AT,
      }),
    ['1'],
  ],
  [
    'an order book',
    ({ db }) =>
      storeOrderBooks(db, {
        marketId: 1,
        books: [{ outcome: 0, bids: [['0.4', '1']], asks: [], tickSize: null, at: AT }],
        ...stamp,
      }),
    ['1'],
  ],
  [
    'holders',
    (to) => storeHolders(to, { marketId: 1, holders: [{ outcome: 0, shares: '5', trader }], ...stamp }),
    ['1'],
  ],
  [
    'prices',
    (to) =>
      storePoints(to, {
        marketId: 1,
        isFirst: false,
        points: [{ outcome: 0, minutes: 60, at: new Date('2026-06-10T11:00:00Z'), price: '0.6' }],
        ...stamp,
      }),
    ['1'],
  ],
  [
    'a refusal',
    ({ db }) => noteMarketFailure(db, { marketId: 1, part: 'trades', failure: 'again', at: AT }),
    ['1 trades'],
  ],
  ['the end of a refusal', ({ db }) => clearMarketFailure(db, { marketId: 1, part: 'trades' }), ['1 trades']],
  // It begins where one of those inside does, and ends where the other does.
  ['a gap that contains two', ({ db }) => storeTradeGap(db, gap('03', '06')), ['1 04', '1 06']],
  ['a gap from the start', ({ db }) => storeTradeGap(db, gap(null, '07')), ['1 02', '1 06', '1 07']],
  // The one that begins before it stays.
  ['a gap that overlaps another', ({ db }) => storeTradeGap(db, gap('08', '09')), ['1 09']],
  ['prices of the past', (to) => markTraders(to, { marketId: 2, holders: [] }), ['12']],
  [
    'positions',
    (to) => replaceTraders(to, { traderIds: [12], positions: [], days: [] }),
    // It is computed, so it is no longer to be.
    ['12'],
  ],
  ['the worth of today', (to) => markOpenPositions(to, { now: AT, source: 'computed' }), ['11']],
  [
    'a list that has all markets',
    ({ db }) => closeOthers(db, { venue: 'polymarket', ids: ['market-2'], ...stamp }),
    ['1'],
  ],
  ['a check', ({ db }) => touchMarkets(db, { ids: [2], at: AT }), ['2']],
  ['the place in a list', ({ db }) => writeCursor(db, { name: 'a', cursor: null, at: AT }), ['a']],
])('%s changes no other', async (_, work, changed) => {
  expect([...new Set(await changedRows(database, OWNERS, () => run(work)))].toSorted()).toEqual(changed)
})

test('what they have changed is what is there', async () => {
  expect(
    await rows(
      `select market_id as market, trades, volume_usd as volume from prediction_trade_days order by 1, trades`,
    ),
  ).toEqual([
    // Of two sides that are both shown, each is a half: 0.5 x 4 / 2.
    { market: 1, trades: 2, volume: 2 },
    { market: 2, trades: 1, volume: 1 },
    { market: 3, trades: 1, volume: 1 },
  ])
  expect(await rows(`select id, name, dirty from prediction_traders where id < 20 order by id`)).toEqual([
    { id: 11, name: 'Bob', dirty: true },
    { id: 12, name: 'Ann', dirty: false },
    { id: 13, name: 'Ann', dirty: false },
  ])
  expect(await rows('select status, best_bid, best_ask from prediction_markets where id = 1')).toEqual([
    { status: 'closed', best_bid: null, best_ask: null },
  ])
  expect(
    await rows(
      `select trader_id as trader, extract(day from day)::int as day, open_value_usd as usd from prediction_trader_days
       order by 1, 2`,
    ),
  ).toEqual([
    { trader: 11, day: 9, usd: 3 },
    { trader: 11, day: 10, usd: 4 },
    { trader: 13, day: 9, usd: 4 },
    { trader: 13, day: 10, usd: 4 },
  ])
  expect(
    await rows(
      `select to_char(from_at at time zone 'UTC', 'DD') as from, to_char(to_at at time zone 'UTC', 'DD') as to
       from prediction_trade_gaps where market_id = 1 order by to_at`,
    ),
  ).toEqual([
    { from: null, to: '07' },
    { from: '07', to: '08' },
    { from: '08', to: '09' },
  ])
})

test('holders have their place by their shares, of each outcome', async () => {
  const holder = (n: number, outcome: number, shares: string) => ({
    outcome,
    shares,
    trader: { address: `0xb${n}`, name: null, avatarUrl: null },
  })
  await run((to) =>
    storeHolders(to, {
      marketId: 1,
      holders: [
        holder(1, 0, '5'),
        holder(2, 1, '7'),
        holder(3, 0, '10'),
        holder(4, 0, '6'),
        holder(5, 1, '9'),
      ],
      ...stamp,
    }),
  )
  const places = await rows(
    `select outcome || ' ' || rank || ' ' || address as place from prediction_holders
     join prediction_traders t on t.id = trader_id where market_id = 1 order by 1`,
  )
  expect(places.map((row) => row['place'])).toEqual([
    '0 1 0xb3',
    '0 2 0xb4',
    '0 3 0xb1',
    '1 1 0xb5',
    '1 2 0xb2',
  ])
})

test('an open interest that is unknown now stays', async () => {
  await run(({ db }) =>
    storeDetailState(db, {
      marketId: 1,
      statedVolume: '9',
      openInterestUsd: null,
      detailAt: AT,
      pricesAt: AT,
    }),
  )
  expect(await rows('select open_interest_usd as usd from prediction_markets where id = 1')).toEqual([
    { usd: 7 },
  ])
})
