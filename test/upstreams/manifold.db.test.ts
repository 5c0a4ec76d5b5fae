import { expect, onTestFinished, test } from 'vitest'
import { createHttpClient } from '../../activities/http.ts'
import { predictionArea } from '../../activities/prediction/area.ts'
import { createManifold } from '../../activities/prediction/sources/manifold.ts'
import { decimal, formatDecimal } from '../../db/values/decimal.ts'
import { stopLater } from './actors.ts'
import { createClock, startDouble } from './double.ts'
import { type ManifoldMarket, MOST_PER_MINUTE } from './manifold.ts'
import { predictionDatabase } from './prediction-doubles.ts'

// The prediction area against the strict double of Manifold.

const { select, manifold } = await predictionDatabase()
const NOW_MS = createClock().now()
const [HOUR_MS, DAY_MS] = [3_600_000, 86_400_000]

const market = (n: number, more: Partial<ManifoldMarket> = {}): ManifoldMarket => ({
  id: `m${n}`,
  question: `Will number ${n} happen?`,
  slug: `will-number-${n}-happen`,
  probability: 0.8958175225896258,
  bettors: 5_000 - n,
  createdAtMs: NOW_MS - 20 * DAY_MS + n,
  closesAtMs: NOW_MS + 30 * DAY_MS,
  volume: 241_000,
  bets: [],
  ...more,
})
const stored = () =>
  select<{
    id: string
    status: string
    price: string
    paid: string | null
    traders: number
    ends: Date | null
  }>(
    `select venue_market_id as id, status, traders_count as traders, end_at as ends, o.price::text, o.payout::float::text as paid
     from prediction_markets m join prediction_outcomes o on o.market_id = m.id and o.position = 0 order by m.traders_count desc`,
  )
const exact = (text: string) => formatDecimal(decimal(text))

test('one run reads the 2,000 open questions with most bettors, by yes and no, in mana', async () => {
  const many = Array.from({ length: 2_100 }, (_, i) => market(i + 1))
  const others = [
    market(0, { id: 'choice', outcomeType: 'MULTIPLE_CHOICE' }),
    market(0, { id: 'cash', token: 'CASH' }),
    market(0, { id: 'closed', closesAtMs: NOW_MS - 1 }),
  ]
  const { loadVenue, double } = await manifold([...many, ...others])
  expect(await loadVenue('manifold')).toBe(2_000)
  const rows = await stored()
  expect(rows.map(({ id }) => id)).toEqual(many.slice(0, 2_000).map(({ id }) => id))
  expect(rows[0]).toMatchObject({ status: 'open', traders: 4_999, ends: new Date(market(1).closesAtMs!) })
  expect(exact(rows[0]!.price)).toBe('0.8958175225896258')
  expect([double.asked.length, double.refused]).toEqual([2, []])
  expect(await select('select reason, payload from quarantine')).toEqual([])
})

test('nothing in mana is in a column of USD', async () => {
  const bets = [{ atMs: NOW_MS - DAY_MS, probBefore: 0.5, probAfter: 0.6 }]
  const { sync } = await manifold([market(1, { bets })])
  await sync('manifold')
  const columns = await select<{ table: string; column: string }>(
    `select table_name as "table", column_name as "column" from information_schema.columns
     where table_schema = 'public' and table_name like 'prediction\\_%'
       and (column_name like '%usd' or column_name like 'volume%' or column_name like 'notional%')`,
  )
  expect(columns.length).toBeGreaterThan(15)
  for (const { table, column } of columns) {
    const [row] = await select<{ sum: number }>(
      `select coalesce(sum(${column}), 0)::float as sum from ${table}`,
    )
    expect({ table, column, ...row }).toEqual({ table, column, sum: 0 })
  }
  expect(await select('select * from prediction_trades')).toEqual([])
})

test('what ends is asked for by its id: yes, no, at its price, cancelled, closed or deleted', async () => {
  const markets = [1, 2, 3, 4, 5, 6].map((n) => market(n))
  const { sync, double, clock } = await manifold(markets)
  await sync('manifold')
  const atMs = clock.now()
  const endings = ['YES', 'NO', 'MKT', 'CANCEL'] as const
  for (const [i, of] of endings.entries()) markets[i]!.resolution = { of, atMs, probability: 0.25 }
  markets[4]!.closesAtMs = atMs
  double.state.deleted.add('m6')
  clock.advance(2 * HOUR_MS)
  await sync('manifold')
  expect((await stored()).map(({ id, status, paid }) => [id, status, paid])).toEqual([
    ['m1', 'resolved', '1'],
    ['m2', 'resolved', '0'],
    ['m3', 'resolved', '0.25'],
    ['m4', 'cancelled', null],
    ['m5', 'closed', null],
    // The venue does not say what became of it.
    ['m6', 'open', null],
  ])
  const times = await select<{ at: Date | null }>(
    `select resolved_at as at from prediction_markets where venue_market_id = 'm1'`,
  )
  expect(times).toEqual([{ at: new Date(atMs) }])
  expect(double.refused).toEqual([])
})

test('prices of hours are those after the last bet, from every page of bets', async () => {
  // Five bets in each instant, so that a page ends within one.
  const bets = Array.from({ length: 2_503 }, (_, i) => ({
    atMs: NOW_MS - 10 * DAY_MS + Math.floor(i / 5) * 20 * 60_000,
    probBefore: i / 4_000,
    probAfter: (i + 1) / 4_000,
  }))
  const { sync, double, clock } = await manifold([market(1, { bets }), market(2)])
  await sync('manifold')
  const hours = () =>
    select<{ at: Date; price: number }>(
      'select at, price::float from prediction_prices where minutes = 60 and outcome = 0 order by at',
    )
  const expected = new Map<number, number>()
  for (const { atMs, probAfter } of bets) expected.set(Math.ceil(atMs / HOUR_MS) * HOUR_MS, probAfter)
  expect(await hours()).toEqual([...expected].map(([at, price]) => ({ at: new Date(at), price })))
  const [row] = await select<object>(
    `select price_change_24h is not null as has_changed from prediction_markets where venue_market_id = 'm1'`,
  )
  expect(row).toEqual({ has_changed: true })
  // Later only new bets are asked for.
  bets.push({ atMs: clock.now() - 1_000, probBefore: 0.6, probAfter: 0.7 })
  clock.advance(DAY_MS)
  const before = double.asked.length
  await sync('manifold')
  const asked = double.asked.slice(before).filter(({ path }) => path === '/v0/bets')
  expect(asked).toHaveLength(2)
  expect((await hours()).at(-1)!.price).toBe(0.7)
  expect(double.refused).toEqual([])
})

test('a row of another shape is quarantined, and the others stay', async () => {
  const odd = [market(1, { probability: 1.5 }), market(2), market(3, { closesAtMs: 8.64e15 })]
  const { sync } = await manifold(odd)
  await sync('manifold')
  expect((await stored()).map(({ id, ends }) => [id, ends === null])).toEqual([
    ['m2', false],
    // Nobody means the year 275760.
    ['m3', true],
  ])
  expect(await select('select source from quarantine')).toEqual([{ source: 'manifold' }])
})

test('the declared rate is below that of one address', () => {
  const { requestsPerSecond, burst } = predictionArea.sources.find(({ name }) => name === 'manifold')!
  expect(burst + 60 * requestsPerSecond).toBeLessThanOrEqual(MOST_PER_MINUTE)
})

test('the answers in its documents are read', async () => {
  // docs.manifold.markets/api, without the fields of the creator.
  const lite = {
    id: 'EvIhzcJXwhL0HavaszD7',
    createdTime: 1653850472294,
    closeTime: 1653893940000,
    question: 'Will I write a new blog post today?',
    url: 'https://manifold.markets/Austin/will-i-write-a-new-blog-post-today',
    pool: 146.73022894879944,
    probability: 0.8958175225896258,
    p: 0.08281474972181882,
    totalLiquidity: 102.65696071594805,
    outcomeType: 'BINARY',
    mechanism: 'cpmm-1',
    volume: 241,
    volume24Hours: 0,
    isResolved: true,
    resolution: 'YES',
    resolutionTime: 1653924077078,
  }
  const limitOrder = {
    isFilled: false,
    amount: 15.596681605353808,
    userId: 'IPTOzEqrpkWmEzh6hwvAyY9PqFb2',
    contractId: 'Tz5dA01GkK5QKiQfZeDL',
    probBefore: 0.5730753474948571,
    isCancelled: false,
    outcome: 'YES',
    fees: { creatorFee: 0, liquidityFee: 0, platformFee: 0 },
    shares: 31.193363210707616,
    limitProb: 0.5,
    id: 'yXB8lVbs86TKkhWA1FVi',
    loanAmount: 0,
    orderAmount: 100,
    probAfter: 0.5730753474948571,
    createdTime: 1659482775970,
    fills: [
      {
        timestamp: 1659483249648,
        matchedBetId: 'MfrMd5HTiGASDXzqibr7',
        amount: 15.596681605353808,
        shares: 31.193363210707616,
      },
    ],
  }
  const { url } = stopLater(
    await startDouble(({ path }) => ({ body: path === '/v0/bets' ? [limitOrder] : [lite] })),
  )
  const gate = { admit: async () => {}, succeeded: async () => {}, failed: async () => {} }
  const http = createHttpClient({ gate, sources: { manifold: { url } }, random: () => 0 })
  onTestFinished(() => http.close())
  const adapter = createManifold({ http, url, now: () => new Date() })
  const { events, markets, quarantined } = await adapter.openMarkets({ cursor: null })
  expect(quarantined).toEqual([])
  expect(events.map(({ slug }) => slug)).toEqual(['manifold-will-i-write-a-new-blog-post-today'])
  expect(markets).toMatchObject([
    {
      status: 'resolved',
      resolvedAt: new Date(1653924077078),
      endAt: new Date(1653893940000),
      outcomes: [{ payout: '1' }, { payout: '0' }],
    },
  ])
  const ref = {
    venueMarketId: limitOrder.contractId,
    conditionId: null,
    outcomeIds: ['YES', 'NO'],
    series: null,
  }
  expect(await adapter.history({ market: ref, fromMs: 1659482000000, toMs: 1659483000000 })).toEqual([
    { at: new Date(limitOrder.createdTime), price: '0.5730753474948571' },
  ])
})
