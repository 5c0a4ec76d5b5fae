import { describe, expect, test } from 'vitest'
import { createClock } from './double.ts'
import { createPolymarketMarket } from './polymarket-market.ts'
import { predictionDatabase } from './prediction-doubles.ts'

// The prediction area against the strict doubles of Polymarket, whose rows stand in the names.

const { select, polymarket } = await predictionDatabase()
const NOW = createClock().now() / 1_000

const rowsOf = async () =>
  Object.fromEntries(
    (
      await select<{ id: string; rows: number }>(
        `select venue_market_id as id, count(t.id)::int as rows from prediction_markets m
         left join prediction_trades t on t.market_id = m.id group by 1`,
      )
    ).map(({ id, rows }) => [id, rows]),
  )

const gaps = () =>
  select<{ id: string; from: Date | null; to: Date; reason: string }>(
    `select venue_market_id as id, from_at as from, to_at as to, reason
     from prediction_trade_gaps g join prediction_markets m on m.id = g.market_id order by 1, to_at`,
  )

describe('a busy market beside a quiet one', () => {
  const busy = createPolymarketMarket({ number: 1, rows: 4_200, newestAt: NOW - 60 })
  const quiet = createPolymarketMarket({ number: 2, rows: 30, newestAt: NOW - 600 })

  test('33: v2 is read whole by its cursors, with rows that are equal over the edge of a page', async () => {
    const { sync, data } = await polymarket([busy, quiet])
    await sync('polymarket')
    expect(await rowsOf()).toEqual({ [busy.id]: 4_200, [quiet.id]: 30 })
    expect(data.refused).toEqual([])
    expect(data.asked.some(({ path }) => path === '/trades')).toBe(false)
    expect(await gaps()).toEqual([])
  })

  test('32: the offset cap of v1 is an end: windows go on from the oldest second, and v2 knows the same fills', async () => {
    const { sync, data, clock } = await polymarket([busy, quiet])
    data.state.hasV2 = false
    await sync('polymarket')
    expect(await rowsOf()).toEqual({ [busy.id]: 4_200, [quiet.id]: 30 })
    expect(new Set(data.refused)).toEqual(new Set([32]))
    expect(data.asked.filter(({ path }) => path === '/v2/trades')).toHaveLength(1)
    expect(await gaps()).toEqual([])
    data.state.hasV2 = true
    clock.advance(3_600_000)
    await select('delete from prediction_trade_states')
    await sync('polymarket')
    expect(data.asked.at(-1)!.path).not.toBe('/trades')
    expect(await rowsOf()).toEqual({ [busy.id]: 4_200, [quiet.id]: 30 })
  })

  test('32: where windows are ignored, older fills are a stored gap and every market goes on', async () => {
    const { sync, data } = await polymarket([busy, quiet])
    Object.assign(data.state, { hasV2: false, honoursEnd: false })
    await sync('polymarket')
    const rows = await rowsOf()
    expect(rows[quiet.id]).toBe(30)
    expect(rows[busy.id]).toBeGreaterThan(3_400)
    expect(rows[busy.id]).toBeLessThan(3_501)
    const [gap, ...more] = await gaps()
    expect(more).toEqual([])
    expect(gap).toMatchObject({ id: busy.id, from: null, reason: expect.stringContaining('3500') })
    const [oldest] = await select<{ at: Date }>(
      `select min(at) as at from prediction_trades t join prediction_markets m on m.id = t.market_id where venue_market_id = '${busy.id}'`,
    )
    expect(gap!.to).toEqual(oldest!.at)
    const [prices] = await select<{ n: number }>(
      'select count(distinct market_id)::int as n from prediction_prices',
    )
    expect(prices!.n).toBe(2)
  })

  test('33: a cursor that was stored before the version changed makes the walk start over', async () => {
    const { sync, loadVenue, activities, data } = await polymarket([busy])
    await loadVenue('polymarket')
    const [{ id } = { id: 0 }] = await select<{ id: number }>('select id from prediction_markets')
    await select(
      `insert into prediction_trade_states (market_id, walk_cursor, walk_to) values (${id}, '{"v":2,"next":"b2xk.bm93","tail":{}}', now())`,
    )
    await activities.loadMarketTrades({ marketIds: [id] })
    expect(await rowsOf()).toEqual({ [busy.id]: 4_200 })
    expect(data.refused).toEqual([33])
    await sync('polymarket')
    expect(data.refused).toEqual([33])
  })
})

test('one market that is refused is set aside with its reason, and is asked again a day later', async () => {
  const markets = [1, 2, 3].map((number) =>
    createPolymarketMarket({ number, rows: 9, newestAt: NOW - number }),
  )
  const [first, second, third] = markets
  const { sync, data, clock } = await polymarket(markets)
  data.state.broken.add(second!.conditionId)
  await sync('polymarket')
  expect(await rowsOf()).toEqual({ [first!.id]: 9, [second!.id]: 0, [third!.id]: 9 })
  const failures = () =>
    select<{ id: string; failure: string | null }>(
      `select venue_market_id as id, failure from prediction_failures f join prediction_markets m on m.id = f.market_id
       where part = 'trades'`,
    )
  expect(await failures()).toEqual([{ id: second!.id, failure: expect.stringContaining('invalid market') }])
  const before = data.asked.length
  await sync('polymarket')
  expect(data.asked.slice(before).filter(({ query }) => query.has('condition'))).toEqual([])
  data.state.broken.clear()
  clock.advance(86_400_000)
  await sync('polymarket')
  expect((await rowsOf())[second!.id]).toBe(9)
  expect(await failures()).toEqual([])
})

test('34: markets of positions are read by their version; one of an unknown version is quarantined', async () => {
  const markets = [
    createPolymarketMarket({ number: 1, rows: 9, newestAt: NOW - 60 }),
    createPolymarketMarket({ number: 2, rows: 9, newestAt: NOW - 60, version: 'v2' }),
    createPolymarketMarket({ number: 3, rows: 9, newestAt: NOW - 60, version: 'v3' }),
  ]
  const { sync, clob } = await polymarket(markets)
  await sync('polymarket')
  expect(await rowsOf()).toEqual({ [markets[0]!.id]: 9, [markets[1]!.id]: 9 })
  const outcomes = await select<{ id: string }>(
    `select venue_outcome_id as id from prediction_outcomes o join prediction_markets m on m.id = o.market_id
     where venue_market_id = '${markets[1]!.id}' order by position`,
  )
  expect(outcomes.map(({ id }) => id)).toEqual(markets[1]!.tokens)
  const [held] = await select<{ reason: string }>('select distinct reason from quarantine')
  expect(held!.reason).toContain('version')
  expect(clob.refused).toEqual([])
})

test('34: 700 events are read by cursor, each once', async () => {
  const markets = Array.from({ length: 700 }, (_, i) =>
    createPolymarketMarket({
      number: i,
      rows: 3,
      newestAt: NOW - 60,
      state: i % 3 === 0 ? 'resolved' : 'open',
    }),
  )
  const { loadVenue, gamma } = await polymarket(markets)
  expect(await loadVenue('polymarket')).toBe(700)
  expect(gamma.refused).toEqual([])
})

test('35: the prices of three months are read in windows that the service accepts', async () => {
  const long = createPolymarketMarket({ number: 1, rows: 3, newestAt: NOW - 60 })
  long.startsAt = NOW - 90 * 86_400
  const even = createPolymarketMarket({ number: 2, rows: 3, newestAt: NOW - 86_400, state: 'even' })
  const { sync, clob } = await polymarket([long, even])
  await sync('polymarket')
  expect(clob.refused).toEqual([])
  const [days] = await select<{ n: number }>(
    `select count(*)::int as n from prediction_prices p join prediction_markets m on m.id = p.market_id
     where venue_market_id = '${long.id}' and minutes = 1440`,
  )
  expect(days!.n).toBeGreaterThanOrEqual(89)
  const [status] = await select<{ status: string }>(
    `select status from prediction_markets where venue_market_id = '${even.id}'`,
  )
  expect(status!.status).toBe('cancelled')
})
