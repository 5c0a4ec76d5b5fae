import ccxt from 'ccxt'
import { describe, expect, onTestFinished, test } from 'vitest'
import { decimal, formatDecimal } from '../../db/values/decimal.ts'
import { createClock } from './double.ts'
import type { LimitlessMarket, LimitlessTrade } from './limitless.ts'
import { predictionDatabase } from './prediction-doubles.ts'

// The prediction area against the strict double of Limitless, and both against CCXT's adapter.

const { select, limitless } = await predictionDatabase()
const NOW_MS = createClock().now()
const [HOUR_MS, DAY_MS] = [3_600_000, 86_400_000]
const exact = (text: string | number) => formatDecimal(decimal(String(text)))

const trades = (count: number, apartMs = 60_000): LimitlessTrade[] =>
  Array.from({ length: count }, (_, i) => ({
    // Two fills of one transaction differ in their amounts alone.
    txHash: `0x${Math.floor(i / 2)
      .toString(16)
      .padStart(64, 'f')}`,
    atMs: NOW_MS - HOUR_MS - Math.floor(i / 2) * apartMs,
    outcome: i % 3 === 0 ? 'no' : 'yes',
    side: i % 4 === 1 ? 1 : 0,
    price: i % 3 === 0 ? 0.668 : 0.332,
    matchedSize: String(2_500_000 + i),
    makerAmount: String(19_996_200 + i),
    takerAmount: '830000',
  }))

const market = (id: number, more: Partial<LimitlessMarket> = {}): LimitlessMarket => ({
  id,
  slug: `will-${id}-happen-${1_768_933_068_297 + id}`,
  title: `💎 Will ${id} happen?`,
  status: 'FUNDED',
  winner: null,
  prices: [0.164, 0.836],
  createdAtMs: NOW_MS - 20 * DAY_MS + id,
  expiresAtMs: NOW_MS + 30 * DAY_MS,
  trades: [],
  ...more,
})

const stored = () =>
  select<{ slug: string; status: string; event: string | null; volume: string; label: string | null }>(
    `select m.venue_market_id as slug, m.status, m.label, e.venue_event_id as event, m.volume_total_usd::text as volume
     from prediction_markets m left join prediction_events e on e.id = m.event_id order by m.venue_market_id`,
  )

test('every page of markets and groups is read, and other money than USDC is left out', async () => {
  const many = Array.from({ length: 60 }, (_, i) => market(i + 1))
  const group = market(900, {
    title: 'Who wins?',
    children: [market(901, { title: 'Ann' }), market(902, { title: 'Bob' })],
  })
  const { sync, double } = await limitless([...many, group, market(950, { collateral: 'WETH' })])
  await sync('limitless')
  const rows = await stored()
  expect(rows).toHaveLength(62)
  expect(rows.filter(({ event }) => event === group.slug).map(({ label }) => label)).toEqual(['Ann', 'Bob'])
  const [ann] = await select<object>(
    `select question, description, mutually_exclusive, e.tags from prediction_markets m
     join prediction_events e on e.id = m.event_id where m.label = 'Ann'`.replace(
      'description',
      'm.description',
    ),
  )
  expect(ann).toEqual({
    question: 'Who wins? Ann',
    description: `This market resolves to Yes if ${group.children![0]!.slug} happens & to No otherwise.`,
    mutually_exclusive: true,
    // Without the venue's tag for itself.
    tags: ['politics', 'elections'],
  })
  expect(double.refused).toEqual([])
  expect(await select('select reason, payload from quarantine')).toEqual([])
})

test('fills of both outcomes are read from every page, each once, at their price', async () => {
  const one = market(1, { trades: trades(250) })
  const { sync, double, clock } = await limitless([one])
  await sync('limitless')
  const fills = () =>
    select<{ outcome: number; side: string; price: string; size: string }>(
      `select outcome, side, price::text, size::text from prediction_trades order by at desc, size`,
    )
  const expected = one.trades.map(({ outcome, side, price, matchedSize }) => ({
    outcome: outcome === 'yes' ? 0 : 1,
    side: side === 0 ? 'buy' : 'sell',
    price: exact(price),
    size: exact(Number(matchedSize) / 1e6),
  }))
  expect(await fills()).toEqual(expected)
  // New fills shift the pages.
  one.trades.unshift({
    ...trades(1)[0]!,
    txHash: `0x${'1'.repeat(64)}`,
    atMs: clock.now(),
    matchedSize: '7000000',
  })
  await sync('limitless')
  expect(await fills()).toHaveLength(251)
  expect(double.refused).toEqual([])
  const [{ day, total }] = (await select<{ day: string; total: string }>(
    'select volume_24h_usd::text as day, volume_total_usd::text as total from prediction_markets',
  )) as [{ day: string; total: string }]
  const sum = (await fills()).reduce((usd, { price, size }) => usd + Number(price) * Number(size), 0)
  // All fills are of the last day, and the venue rounds each to a millionth.
  expect(Number(day)).toBeCloseTo(sum, 3)
  expect(Number(total)).toBeCloseTo(sum, 3)
})

describe('what stops trading', () => {
  test('is asked for by its name: resolved, closed without a result, or removed', async () => {
    const group = market(900, { title: 'Who wins?', children: [market(5), market(6)] })
    const markets = [market(1), market(2), market(3), market(4), group]
    const { sync, double, clock } = await limitless(markets)
    await sync('limitless')
    Object.assign(markets[0]!, { status: 'RESOLVED', winner: 1, expired: true })
    Object.assign(markets[1]!, { status: 'RESOLVED', winner: 0, expired: true })
    Object.assign(markets[2]!, { expired: true })
    double.state.removed.add(markets[3]!.slug)
    Object.assign(group.children![0]!, { status: 'RESOLVED', winner: 0 })
    clock.advance(2 * HOUR_MS)
    await sync('limitless')
    const payouts = await select<{
      slug: string
      status: string
      payouts: (string | null)[]
      event: boolean
    }>(
      `select split_part(venue_market_id, '-', 2) as slug, status, event_id is not null as event,
         array(select payout::float::text from prediction_outcomes o where o.market_id = m.id order by position) as payouts
       from prediction_markets m order by 1`,
    )
    expect(
      payouts.map(({ slug, status, payouts: paid, event }) => [slug, status, paid.join(), event]),
    ).toEqual([
      ['1', 'resolved', '0,1', true],
      ['2', 'resolved', '1,0', true],
      ['3', 'closed', ',', true],
      // The venue does not say what became of it.
      ['4', 'open', ',', true],
      ['5', 'resolved', '1,0', true],
      ['6', 'open', ',', true],
    ])
    expect(double.refused).toEqual([])
  })
})

test.each(['data', 'prices'] as const)(
  'prices of hours come from `%s`, and a pool has no order book',
  async (shape) => {
    const markets = [market(1, { trades: trades(80, HOUR_MS) }), market(2, { isPool: true })]
    const { sync, double } = await limitless(markets)
    double.state.historyShape = shape
    await sync('limitless')
    const hours = await select<{ price: string }>(
      `select price::text from prediction_prices p join prediction_markets m on m.id = p.market_id
     where minutes = 60 and venue_market_id = '${markets[0]!.slug}'`,
    )
    expect(hours.length).toBeGreaterThan(30)
    expect(new Set(hours.map(({ price }) => exact(price)))).toEqual(new Set(['0.332']))
    const books = await select<{ slug: string; outcome: number; bids: unknown; asks: unknown }>(
      `select m.venue_market_id as slug, outcome, bids, asks from prediction_books b join prediction_markets m on m.id = b.market_id
     order by outcome`,
    )
    expect(books.map(({ slug }) => slug)).toEqual([markets[0]!.slug, markets[0]!.slug])
    expect(JSON.stringify(books[0]!.bids)).toContain('12360.33')
    expect(await select('select * from prediction_failures')).toEqual([])
  },
)

test('CCXT reads the same markets, results, order books and fills from the double', async () => {
  const group = market(900, { title: 'Who wins?', children: [market(901), market(902)] })
  const markets = [market(1, { trades: trades(40) }), market(2, { expired: true, winner: 0 }), group]
  const { loadVenue, activities, double } = await limitless(markets)
  double.state.isPaced = false
  await loadVenue('limitless')
  const marketIds = await activities.listMarketsWithNewTrades({ venue: 'limitless', limit: 10 })
  await activities.loadMarketTrades({ marketIds })
  await activities.loadMarketDetails({ marketIds })

  const exchange = new (
    ccxt as unknown as { prediction: { limitless: new (o: object) => any } }
  ).prediction.limitless({})
  onTestFinished(() => exchange.close?.())
  exchange.urls.api.limitless = double.url
  const theirs: any[] = await exchange.fetchMarkets()
  const ours = await select<{ slug: string; active: boolean; ids: string[]; ends: Date }>(
    `select venue_market_id as slug, status = 'open' as active, end_at as ends,
       array(select venue_outcome_id from prediction_outcomes o where o.market_id = m.id order by position) as ids
     from prediction_markets m order by 1`,
  )
  expect(
    theirs
      .map(({ id, active, outcomes, expiry }) => ({
        slug: id,
        active,
        ids: outcomes.map((one: any) => one.outcomeId),
        ends: new Date(expiry),
      }))
      .toSorted((a, b) => (a.slug < b.slug ? -1 : 1)),
  ).toEqual(ours)

  const yes = theirs.find(({ id }) => id === markets[0]!.slug).outcomes[0].outcome
  await exchange.loadMarkets()
  const book = await exchange.fetchOrderBook(yes)
  const [own] = await select<{ bids: [string, string][]; asks: [string, string][] }>(
    'select bids, asks from prediction_books where outcome = 0',
  )
  const numbers = (levels: readonly (readonly [string, string])[]) => levels.map((pair) => pair.map(Number))
  expect([numbers(own!.bids), numbers(own!.asks)]).toEqual([book.bids, book.asks])

  const fills: any[] = await exchange.fetchTrades(yes, undefined, 100)
  const ownFills = await select<{ at: Date; side: string; price: number; amount: number }>(
    `select at, side, price::float as price, size::float as amount from prediction_trades where outcome = 0 order by at, size desc`,
  )
  const plain = (rows: readonly any[]) =>
    rows.map(({ at, side, price, amount }) => JSON.stringify([at, side, price, amount])).toSorted()
  expect(plain(ownFills.map((row) => ({ ...row, at: row.at.getTime() })))).toEqual(
    plain(fills.map((row) => ({ ...row, at: row.timestamp }))),
  )
  expect(fills.length).toBeGreaterThan(20)
})

test('over its rate Limitless refuses, and the declared rate stays below', async () => {
  const { predictionArea } = await import('../../activities/prediction/area.ts')
  const { requestsPerSecond, burst } = predictionArea.sources.find(({ name }) => name === 'limitless')!
  expect([burst, requestsPerSecond * 0.3 <= 1]).toEqual([1, true])
  const { activities, double } = await limitless([market(1)])
  for (let i = 0; i < 3; i++) await fetch(`${double.url}/markets/active?limit=25`)
  const ask = () => activities.loadMarketPage({ venue: 'limitless', list: 'active', cursor: null })
  // The client tries again later.
  expect(await ask()).toMatchObject({ markets: 1 })
  expect(double.refused).toContain('Too Many Requests')
})
