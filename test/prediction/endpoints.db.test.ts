import { beforeAll, expect, test } from 'vitest'
import { routes } from '../../api/routes.ts'
import { createPredictionWorld } from '../../sandbox/prediction/prediction-world.ts'
import { startApi } from '../setup/api.ts'
import { endpoint, refusal } from '../setup/endpoint.ts'
import { query } from '../setup/query.ts'
import { startFilledPredictionWorld } from './prediction-world.ts'

const { database, sync, clock } = await startFilledPredictionWorld()
const mine = routes.filter(({ path }) => path.startsWith('/prediction/'))
const api = await startApi({ database, routes: mine })
const { key } = await api.newAccount()
const anchor = Math.floor(clock.nowMs / 86_400_000) * 86_400
const { markets } = createPredictionWorld({ seed: 7, anchor })
const seconds = clock.nowMs / 1000
const began = (venue: 'polymarket' | 'kalshi') => markets[venue].filter(({ startsAt }) => startsAt <= seconds)
const count = async (sql: string) =>
  (await query<{ n: number }>(database.ownerUrl, `select count(*)::int as n from ${sql}`))[0]!.n

/** The response of the endpoint that serves a path. */
async function get(path: string) {
  const [bare] = path.slice('/prediction'.length).split('?')
  const route = mine.find(({ path: declared }) =>
    new RegExp(`^${declared.replace(/\{\w+\}/g, '[^/]+')}$`).test(`/prediction${bare}`),
  )!
  return endpoint(api, { route, key })(path)
}

interface Quote {
  bestBid: number | null
  bestAsk: number | null
}

beforeAll(() => sync('kalshi'))

test('stores every market and every fill of the venues exactly once', async () => {
  for (const venue of ['polymarket', 'kalshi'] as const)
    expect(await count(`prediction_markets where venue = '${venue}'`)).toBe(began(venue).length)
  const shown = (venue: 'polymarket' | 'kalshi') =>
    began(venue).flatMap((market) =>
      market.fills().filter(({ at, taker }) => at <= seconds && (taker || venue === 'polymarket')),
    ).length
  expect(await count(`prediction_trades where source = 'polymarket-data'`)).toBe(shown('polymarket'))
  expect(await count(`prediction_trades where source = 'kalshi'`)).toBe(shown('kalshi'))
  expect(await count('quarantine')).toBe(0)
  // A second sync changes nothing.
  const before = await count('prediction_trades')
  await sync('polymarket')
  expect(await count('prediction_trades')).toBe(before)
})

test('filters, sorts and pages of markets are consistent', async () => {
  const { body, credits, headers } = await get('/prediction/markets?status=all&limit=100')
  expect(credits).toBe(2)
  expect(headers.get('x-data-as-of')).toMatch(/^20/)
  const total = began('polymarket').length + began('kalshi').length
  expect(body.meta).toMatchObject({ itemCount: total, pageCount: Math.ceil(total / 100) })
  const volumes = body.data.map((market: { volume24h: number }) => market.volume24h)
  expect(volumes).toEqual(volumes.toSorted((a: number, b: number) => b - a))
  for (const sort of [
    'volumeTotal',
    'liquidity',
    'openInterest',
    'endDate',
    'createdAt',
    'priceChange24h',
    'volume24h',
  ]) {
    const slugs: string[] = []
    for (let page = 1; page <= Math.ceil(total / 60); page++)
      slugs.push(
        ...(await get(`/prediction/markets?status=all&limit=60&sortBy=${sort}&page=${page}`)).body.data.map(
          ({ slug }: { slug: string }) => slug,
        ),
      )
    expect(new Set(slugs).size).toBe(total)
    const asc = (await get(`/prediction/markets?status=all&limit=60&sortBy=${sort}&sortDir=asc`)).body.data
    expect(asc.map(({ slug }: { slug: string }) => slug)).toEqual(slugs.toReversed().slice(0, 60))
  }
  const crypto = (
    await get('/prediction/markets?status=all&category=crypto&tag=crypto&minVolume24h=1&limit=100')
  ).body
  expect(crypto.meta.itemCount).toBeGreaterThan(5)
  for (const market of crypto.data) expect(market).toMatchObject({ category: 'Crypto' })
  const found = (await get('/prediction/markets?search=bitcoin&status=all&limit=100')).body
  expect(found.meta.itemCount).toBeGreaterThan(15)
  for (const { question } of found.data) expect(question).toMatch(/Bitcoin/)
  expect((await get('/prediction/markets?page=2147483647')).body.data).toEqual([])
})

test('an ended market is resolved although the venue calls it active; a cancelled one has no winner', async () => {
  const resolved = (await get('/prediction/markets?status=resolved&venue=polymarket&limit=100')).body.data
  expect(resolved.length).toBeGreaterThan(20)
  for (const market of resolved) {
    const winners = market.outcomes.filter(({ winner }: { winner: boolean }) => winner)
    expect(winners).toHaveLength(market.status === 'resolved' ? 1 : 0)
    expect(market.resolvedAt).toMatch(/^20/)
    expect(market.resolution === null).toBe(market.status === 'cancelled')
  }
  const byName = new Map(markets.polymarket.map((market) => [market.question, market]))
  const flipped = resolved.filter(
    (market: { outcomes: { name: string }[] }) => market.outcomes[0]!.name === 'No',
  )
  expect(flipped.length).toBeGreaterThan(0)
  for (const market of flipped.filter(({ status }: { status: string }) => status === 'resolved'))
    expect(market.outcomes[0].winner).toBe(byName.get(market.question)!.result)
})

test('a market has an order book, trades, holders and a price history', async () => {
  const [market] = (await get('/prediction/markets?venue=polymarket&sortBy=volumeTotal')).body.data
  const path = `/prediction/markets/${market.slug}`
  expect((await get(path)).body.data).toEqual(market)
  const book = (await get(`${path}/orderbook?depth=5&outcome=${market.outcomes[1].name}`)).body.data
  expect(book.bids[0].price).toBe(book.bestBid)
  expect(book.bids.length).toBeLessThanOrEqual(5)
  expect(book.bids.at(-1).price).toBeLessThan(book.bestBid)
  expect(book.asks[0].price).toBeGreaterThan(book.bestBid)
  expect(book.bids[1].total).toBeCloseTo(book.bids[0].size + book.bids[1].size)

  const all: { id: string; date: string; side: string; value: number }[] = []
  const first = (await get(`${path}/trades?limit=20`)).body
  for (let page = 1; page <= first.meta.pageCount; page++)
    all.push(...(await get(`${path}/trades?limit=20&page=${page}`)).body.data)
  expect(all.length).toBe(first.meta.itemCount)
  expect(new Set(all.map(({ id }) => id)).size).toBe(all.length)
  expect(all.map(({ date }) => date)).toEqual(
    all
      .map(({ date }) => date)
      .toSorted()
      .toReversed(),
  )
  const large = (await get(`${path}/trades?side=buy&minValue=100`)).body
  expect(large.meta.itemCount).toBe(all.filter(({ side, value }) => side === 'buy' && value >= 100).length)

  const holders = (await get(`${path}/holders?limit=3`)).body.data
  expect(holders[0].holders.map(({ rank }: { rank: number }) => rank)).toEqual([1, 2, 3])
  expect(holders[0].holders[0].avgPrice).toBeGreaterThan(0)

  const week = (await get(`${path}/history`)).body.data
  expect(week.interval).toBe('1h')
  expect(week.series[0].points.length).toBeGreaterThan(100)
  const [a, b] = week.series.map(({ points }: { points: { price: number }[] }) => points[5]!.price)
  expect(a + b).toBeCloseTo(1)
  const days = (await get(`${path}/history?range=all`)).body.data
  const traded = days.series
    .flatMap(({ points }: { points: { volume: number }[] }) => points)
    .reduce((sum: number, { volume }: { volume: number }) => sum + volume, 0)
  expect(traded).toBeGreaterThan(0)
  expect((await get(`${path}/history?range=24h`)).body.data.series[0].points.length).toBeGreaterThan(100)
})

test('Kalshi markets have prices, trades and history but no traders', async () => {
  const [market] = (await get('/prediction/markets?venue=kalshi&sortBy=volumeTotal')).body.data
  expect(market.slug).toBe(market.venueMarketId.toLowerCase())
  expect(market.tradersCount).toBeNull()
  const [trade] = (await get(`/prediction/markets/${market.slug}/trades`)).body.data
  expect(trade).toMatchObject({ trader: null, txHash: null, venue: 'kalshi' })
  expect(
    (await get(`/prediction/markets/${market.slug}/holders`)).body.data.map(
      ({ holders }: { holders: unknown[] }) => holders,
    ),
  ).toEqual([[], []])
  // Near its end a market may have no bids or no asks.
  const { body: listed } = await get('/prediction/markets?venue=kalshi&sortBy=volumeTotal&limit=100')
  const quoted = listed.data.find(
    ({ bestBid, bestAsk }: Quote) => bestBid !== null && bestBid > 0.1 && bestAsk !== null && bestAsk < 0.9,
  )
  const book = (await get(`/prediction/markets/${quoted.slug}/orderbook`)).body.data
  expect(book.bestAsk).toBeGreaterThan(book.bestBid)
  expect(
    (await get(`/prediction/markets/${market.slug}/history`)).body.data.series[1].points.length,
  ).toBeGreaterThan(100)
  // Settled more than three months ago, so it comes from the archive.
  const archived = (await get('/prediction/markets?venue=kalshi&status=resolved&search=rainfall')).body.data
  expect(archived.length).toBe(4)
  expect((await get(`/prediction/markets/${archived[0].slug}/trades`)).body.meta.itemCount).toBeGreaterThan(0)
})

test('events contain their markets and sum their volume', async () => {
  const { body } = await get('/prediction/events?status=all&limit=100&sortBy=volumeTotal')
  expect(body.meta.itemCount).toBe(await count('prediction_events'))
  for (const { slug } of body.data.slice(0, 3)) {
    const event = (await get(`/prediction/events/${slug}`)).body.data
    expect(event.markets).toHaveLength(event.marketsCount)
    const volume = event.markets.reduce(
      (sum: number, { volumeTotal }: { volumeTotal: number }) => sum + volumeTotal,
      0,
    )
    expect(event.volumeTotal).toBeCloseTo(volume, 4)
    const inEvent = (await get(`/prediction/markets?eventSlug=${slug}&status=all`)).body
    expect(inEvent.meta.itemCount).toBe(event.marketsCount)
    const { marketSlug, price } = event.topOutcome
    expect(price).toBe(Math.max(...event.markets.map(yesOf)))
    expect(yesOf(event.markets.find((market: { slug: string }) => market.slug === marketSlug))).toBe(price)
  }
})

test('an event of Kalshi, which dates markets only, spans its markets', async () => {
  const { data } = (await get('/prediction/events?venue=kalshi&status=all&limit=20')).body
  expect(data.length).toBeGreaterThan(5)
  for (const { slug } of data) {
    const { startDate, endDate, markets } = (await get(`/prediction/events/${slug}`)).body.data
    const [starts, ends] = ['startDate', 'endDate'].map((name) =>
      markets.flatMap((market: Record<string, string | null>) => market[name] ?? []).toSorted(),
    )
    expect([slug, startDate, endDate]).toEqual([slug, starts![0] ?? null, ends!.at(-1) ?? null])
  }
})

interface Listed {
  slug: string
  outcomes: { name: string; price: number }[]
}
const yesOf = ({ outcomes }: Listed) =>
  (outcomes.find(({ name }) => name.toLowerCase() === 'yes') ?? outcomes[0])!.price

test('markets of an event are sorted by the price of Yes, at whichever place Yes stands', async () => {
  const [event] = await query<{ slug: string; id: number }>(
    database.ownerUrl,
    `select e.slug, e.id from prediction_events e join prediction_markets m on m.event_id = e.id
     join prediction_outcomes o on o.market_id = m.id and lower(o.name) = 'yes'
     group by e.id having count(distinct o.price) > 1 order by e.id limit 1`,
  )
  const turn = () =>
    query(
      database.ownerUrl,
      `update prediction_outcomes o set name = other.name, price = other.price
       from prediction_outcomes other join prediction_markets m on m.id = other.market_id
       where m.event_id = $1 and o.market_id = m.id and (o.position, other.position) in ((0, 1), (1, 0))`,
      [event!.id],
    )
  const listed = async (): Promise<Listed[]> =>
    (await get(`/prediction/events/${event!.slug}`)).body.data.markets
  const slugs = (await listed()).map(({ slug }) => slug)
  await turn()
  try {
    const turned = await listed()
    expect(turned.map(({ slug }) => slug)).toEqual(slugs)
    const prices = turned.map(yesOf)
    expect(prices).toEqual(prices.toSorted((a, b) => b - a))
  } finally {
    await turn()
  }
})

test('ranks, positions, trades and P&L of traders are consistent', async () => {
  const board = (await get('/prediction/traders?period=all&limit=100')).body
  expect(board.data.map(({ rank }: { rank: number }) => rank)).toEqual(
    board.data.map((_: unknown, i: number) => i + 1),
  )
  for (const sort of ['volume', 'roi', 'winRate', 'tradesCount']) {
    const values = (await get(`/prediction/traders?sortBy=${sort}`)).body.data.map(
      (row: Record<string, number>) => row[sort],
    )
    expect(values).toEqual(values.toSorted((a: number, b: number) => b - a))
  }
  for (const { address, pnl, tradesCount } of board.data.slice(0, 5)) {
    const trader = (await get(`/prediction/traders/${address}`)).body.data
    // The same figure in two ways: cash and value by day, and cost by position.
    expect(trader.realizedPnl + trader.unrealizedPnl).toBeCloseTo(pnl, 6)
    expect(trader.pnlByPeriod.all).toBe(pnl)
    for (const period of ['24h', '1w', '1m']) {
      const { points } = (await get(`/prediction/traders/${address}/pnl?range=${period}`)).body.data
      const sum = points.reduce((total: number, point: { pnl: number }) => total + point.pnl, 0)
      expect([period, sum]).toEqual([period, expect.closeTo(trader.pnlByPeriod[period], 6)])
    }
    const trades = (await get(`/prediction/traders/${address}/trades?limit=1`)).body
    expect(trades.meta.itemCount).toBe(tradesCount)
    const points = (await get(`/prediction/traders/${address}/pnl?range=all&interval=weekly`)).body.data
    expect(points.points.at(-1).cumulativePnl).toBeCloseTo(pnl, 6)
    const open = (await get(`/prediction/traders/${address}/positions?limit=100`)).body
    expect(open.meta.itemCount).toBe(trader.openPositions)
    // Positions grow with the clock, and may fill more than one page.
    const rows = [...open.data]
    for (let page = 2; page <= open.meta.pageCount; page++)
      rows.push(...(await get(`/prediction/traders/${address}/positions?limit=100&page=${page}`)).body.data)
    const value = rows.reduce((sum: number, row: { value: number }) => sum + row.value, 0)
    expect(value).toBeCloseTo(trader.openValue, 6)
    expect(
      (await get(`/prediction/traders/${address}/pnl?range=24h&interval=hourly`)).body.data.points.length,
    ).toBeGreaterThan(20)
  }
  const { address, name } = board.data.find((row: { name: string | null }) => row.name)
  expect(
    (await get(`/prediction/traders?period=all&search=${name.slice(0, 6)}`)).body.data.map(
      (row: { address: string }) => row.address,
    ),
  ).toContain(address)
})

test('platform totals, search counts and tags match the stored rows', async () => {
  const { totals, venues } = (await get('/prediction/platform/overview')).body.data
  expect(totals.volumeTotal).toBeCloseTo(venues[0].volumeTotal + venues[1].volumeTotal, 4)
  expect(totals.openMarkets).toBe(await count(`prediction_markets where status = 'open'`))
  expect(totals.activeTraders24h).toBeGreaterThan(10)
  for (const interval of ['daily', 'weekly', 'monthly']) {
    const { points } = (await get(`/prediction/platform/volume?range=all&interval=${interval}`)).body.data
    const trades = points.reduce((sum: number, point: { tradesCount: number }) => sum + point.tradesCount, 0)
    expect(trades).toBe(await count('prediction_trades'))
  }
  const categories = (await get('/prediction/platform/categories?range=all')).body.data
  expect(
    categories.reduce((sum: number, row: { volumeShare: number }) => sum + row.volumeShare, 0),
  ).toBeCloseTo(100)
  const found = (await get('/prediction/search?q=bitcoin%20pri&limit=5')).body
  expect(found.data.markets.length).toBeGreaterThan(0)
  for (const { question } of found.data.markets) expect(question).toMatch(/Bitcoin price/)
  expect(found.meta.counts.events).toBeGreaterThan(0)
  const tags = (await get('/prediction/tags')).body.data
  const crypto = tags.find(({ slug }: { slug: string }) => slug === 'crypto')
  expect(crypto.marketsCount).toBe(await count(`prediction_markets where tags @> '{crypto}'`))
})

test('unknown and malformed parameters return an error and cost nothing', async () => {
  const nobody = `0x${'1'.repeat(40)}`
  const cases: [path: string, status: number, message: string][] = [
    ['/markets/no-such-market', 404, 'Market not found'],
    ['/markets/no-such-market/trades', 404, 'Market not found'],
    ['/events/no-such-event', 404, 'Event not found'],
    [`/traders/${nobody}`, 404, 'Trader not found'],
    ['/traders/0x123', 400, 'Invalid parameter: address'],
    ['/traders/0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAeD/pnl', 400, 'Invalid parameter: address'],
    ['/markets?limit=101', 400, 'Invalid parameter: limit'],
    ['/markets?page=0', 400, 'Invalid parameter: page'],
    ['/markets?venue=augur', 400, 'Invalid parameter: venue'],
    ['/markets?sortBy=volume24h;drop', 400, 'Invalid parameter: sortBy'],
    ['/markets?minVolume24h=-1', 400, 'Invalid parameter: minVolume24h'],
    ['/markets?minVolume24h=NaN', 400, 'Invalid parameter: minVolume24h'],
    ['/markets?tag=a,,b', 400, 'Invalid parameter: tag'],
    ['/markets?endsAfter=2026-13-01', 400, 'Invalid parameter: endsAfter'],
    ['/markets?status=open&status=closed', 400, 'Invalid parameter: status'],
    ['/markets?search=%00', 400, 'Invalid query string'],
    ['/search?q=a', 400, 'Invalid parameter: q'],
    ['/search', 400, 'Invalid parameter: q'],
    ['/search?q=ab&limit=51', 400, 'Invalid parameter: limit'],
    ['/traders?period=1y', 400, 'Invalid parameter: period'],
  ]
  for (const [path, status, message] of cases) {
    const response = await api.get(`/prediction${path}`, key)
    expect(response.headers.get('x-credits-cost') ?? '0', path).toBe('0')
    expect([path, ...(await refusal(response))]).toEqual([path, status, message])
  }
  const [{ slug }] = (await get('/prediction/markets')).body.data
  expect(await refusal(await api.get(`/prediction/markets/${slug}/orderbook?outcome=Perhaps`, key))).toEqual([
    400,
    'Invalid parameter: outcome',
  ])
  expect(
    await refusal(await api.get(`/prediction/markets/${slug}/trades?from=2026-02-01&to=2026-01-01`, key)),
  ).toEqual([400, 'Invalid parameter: to'])
  expect(
    await refusal(await api.get(`/prediction/markets/${slug}/history?interval=5m&range=1y`, key)),
  ).toEqual([400, 'Invalid parameter: interval'])
  // Search texts with special characters.
  for (const text of [
    `'; drop table prediction_markets --`,
    '%',
    `" or`,
    ':*',
    '&|!',
    'the',
    '🙂🙂',
    'a'.repeat(100),
  ])
    expect((await get(`/prediction/search?q=${encodeURIComponent(text.padEnd(2))}`)).body.success).toBe(true)
})

test('counts of a search follow every change', async () => {
  const counted = async () => {
    const list = (await get('/prediction/markets?search=bitcoin&status=all')).body
    const search = (await get('/prediction/search?q=bitcoin&status=all&type=markets')).body
    return [list.meta.itemCount, search.meta.counts.markets]
  }
  const [before] = await counted()
  expect(before).toBeGreaterThan(0)
  const { ownerUrl } = database
  await query(
    ownerUrl,
    `with market as (
       insert into prediction_markets (slug, venue, venue_market_id, question, url, status, created_at, updated_at, source, fetched_at)
       values ('one-more', 'kalshi', 'one-more', 'Bitcoin once more', 'https://venue.example', 'open', now(), now(), 'test', now())
       returning id
     ) insert into prediction_outcomes (market_id, position, venue_outcome_id, name, price, source, fetched_at)
     select id, 0, 'one-more', 'Yes', 0.5, 'test', now() from market`,
  )
  expect(await counted()).toEqual([before + 1, before + 1])
})

test('pages of a long search result return the right rows, also in the middle', async () => {
  await query(
    database.ownerUrl,
    `with market as (
       insert into prediction_markets (slug, venue, venue_market_id, question, url, status, created_at, updated_at, source, fetched_at,
         liquidity_usd)
       select 'zebra-' || n, 'kalshi', 'zebra-' || n, 'A zebra of many', 'https://venue.example', 'open', now(), now(), 'test', now(),
         n * 7919 % 100
       from generate_series(1, 2450) as n returning id
     ) insert into prediction_outcomes (market_id, position, venue_outcome_id, name, price, source, fetched_at)
     select id, 0, 'zebra-' || id, 'Yes', 0.5, 'test', now() from market`,
  )
  await query(database.ownerUrl, `update prediction_venues set fetched_at = fetched_at + interval '1 second'`)
  const numbers = Array.from({ length: 2450 }, (_, index) => index + 1)
  const liquidityOf = (n: number) => (n * 7919) % 100
  for (const sortDir of ['asc', 'desc']) {
    const sign = sortDir === 'asc' ? 1 : -1
    const sorted = numbers.toSorted((a, b) => sign * (liquidityOf(a) - liquidityOf(b) || a - b))
    // The first page, pages around the middle, where most rows are skipped, and the last page.
    for (const page of [1, 11, 12, 13, 14, 15, 25]) {
      const path = `/prediction/markets?search=zebra&sortBy=liquidity&sortDir=${sortDir}&limit=100&page=${page}`
      const slugs = (await get(path)).body.data.map(({ slug }: { slug: string }) => slug)
      expect(slugs).toEqual(sorted.slice((page - 1) * 100, page * 100).map((n) => `zebra-${n}`))
    }
  }
})
