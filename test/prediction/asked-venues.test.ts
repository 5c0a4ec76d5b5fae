import { describe, expect, test } from 'vitest'
import { SourceRejected, SourceUnavailable } from '../../activities/errors.ts'
import { createKalshi } from '../../activities/prediction/sources/kalshi.ts'
import { createLimitless } from '../../activities/prediction/sources/limitless.ts'
import { createManifold, PAGE } from '../../activities/prediction/sources/manifold.ts'
import { createPolymarketClob } from '../../activities/prediction/sources/polymarket-clob.ts'
import { createPolymarketData } from '../../activities/prediction/sources/polymarket-data.ts'
import { createPolymarketGamma } from '../../activities/prediction/sources/polymarket-gamma.ts'
import { answering } from './answering.ts'

// What each venue is asked, where its lists go on and end, and which refusal is an answer.

const url = 'http://venue.test'
const NOW = Date.UTC(2026, 5, 1)
const now = () => new Date(NOW)
const market = { venueMarketId: 'KXA-1', conditionId: '0xc', outcomeIds: ['11', '12'], series: null }
const refusal = (status: number) => () => {
  throw new SourceRejected('venue', `status ${status}`)
}
const outage = () => {
  throw new SourceUnavailable('venue', 'status 404 of a proxy')
}

describe('Kalshi', () => {
  const kalshiOf = (answer: (path: string) => unknown, clock = now) => {
    const { http, asked } = answering(answer)
    return { kalshi: createKalshi({ http, url, now: clock }), asked }
  }

  test.each([
    [null, '/markets/trades?ticker=KXA-1&limit=1000', 'x', 'x'],
    ['x', '/markets/trades?ticker=KXA-1&limit=1000&cursor=x', 'y', 'y'],
    ['y', '/markets/trades?ticker=KXA-1&limit=1000&cursor=y', '', 'archive:'],
    ['archive:', '/historical/trades?ticker=KXA-1&limit=1000', 'z', 'archive:z'],
    ['archive:z', '/historical/trades?ticker=KXA-1&limit=1000&cursor=z', '', null],
  ])('fills go on from %s', async (cursor, path, given, next) => {
    const { kalshi, asked } = kalshiOf(() => ({ trades: [], cursor: given }))
    expect((await kalshi.trades({ market, cursor })).next).toBe(next)
    expect(asked).toEqual([path])
  })

  test('a fill is at the price of its side, which is what yes leaves if it is not stated', async () => {
    const fill = {
      trade_id: '1',
      created_time: '2026-01-01T00:00:00Z',
      count_fp: '2',
      yes_price_dollars: '0.3',
    }
    const { kalshi } = kalshiOf(() => ({
      trades: [
        { ...fill, taker_outcome_side: 'no', taker_side: 'yes', no_price_dollars: '0.69' },
        { ...fill, taker_side: 'no', is_block_trade: true },
        { ...fill, taker_outcome_side: 'yes' },
      ],
    }))
    const { trades } = await kalshi.trades({ market, cursor: null })
    expect(trades.map(({ outcome, price, isBlock }) => [outcome, price, isBlock])).toEqual([
      [1, '0.69', false],
      [1, '0.7', true],
      [0, '0.3', false],
    ])
  })

  test('the price of a period is that of its last trade, else between offers, else the one before', async () => {
    const side = (close: string | null) => ({ close_dollars: close })
    const candle = (price: object | null, bid: string | null, ask: string | null) => ({
      end_period_ts: 1_780_000_000,
      price,
      yes_bid: side(bid),
      yes_ask: side(ask),
    })
    const before = { previous_dollars: '0.1' }
    const { kalshi, asked } = kalshiOf(() => ({
      candlesticks: [
        candle({ ...side('0.5'), ...before }, '0.2', '0.4'),
        candle({ close: '0.6000' }, null, null),
        candle(before, '0.2', '0.4'),
        candle({ previous: '0.7' }, null, '0.4'),
        candle(before, '0.2', null),
        candle(before, '0.0', '0.4'),
        candle(before, '0.2', '1.0'),
        // Cents of former times, and nothing at all.
        candle({ close: 60 }, null, null),
        candle(null, null, null),
      ],
    }))
    const span = { market, fromMs: 1_999, toMs: 3_999, minutes: 60 }
    const { points } = await kalshi.history({ ...span, archived: false })
    expect(points.map(({ price }) => price)).toEqual(['0.5', '0.6', '0.3', '0.7', '0.1', '0.1', '0.1'])
    await kalshi.history({ ...span, archived: true })
    const query = 'candlesticks?start_ts=1&end_ts=3&period_interval=60'
    expect(asked).toEqual([`/series/KXA/markets/KXA-1/${query}`, `/historical/markets/KXA-1/${query}`])
  })

  test('the archive is asked for markets that are not live, and a live one counts once', async () => {
    const row = (ticker: string) => ({ ticker, event_ticker: 'KXA', status: 'finalized', result: 'yes' })
    const { kalshi, asked } = kalshiOf((path) => ({
      markets: path.startsWith('/historical') ? [row('one'), row('two')] : [row('one'), null],
    }))
    const page = await kalshi.markets(['one', 'two'])
    // One that is archived has its result, even without its time.
    expect(page.markets.map(({ venueMarketId, status }) => [venueMarketId, status])).toEqual([
      ['one', 'closed'],
      ['two', 'resolved'],
    ])
    expect(page.quarantined).toHaveLength(1)
    expect(asked).toHaveLength(2)
    await kalshi.markets(['one'])
    expect(asked).toHaveLength(3)
  })

  test('lists go on from their cursor until there is none', async () => {
    const { kalshi, asked } = kalshiOf((path) => ({
      events: [],
      markets: [],
      cursor: path.includes('cursor=') ? '' : 'c',
    }))
    expect((await kalshi.events({ status: 'open', cursor: null })).next).toBe('c')
    expect((await kalshi.events({ status: 'open', cursor: 'c' })).next).toBeNull()
    expect((await kalshi.archivedMarkets({ cursor: null })).next).toBe('c')
    expect((await kalshi.archivedMarkets({ cursor: 'c' })).next).toBeNull()
    expect(asked).toEqual([
      '/events?with_nested_markets=true&status=open&limit=200',
      '/events?with_nested_markets=true&status=open&limit=200&cursor=c',
      '/historical/markets?limit=1000&mve_filter=exclude',
      '/historical/markets?limit=1000&mve_filter=exclude&cursor=c',
    ])
  })

  test('a market of the archive is final without a time of settlement, one of a list is not', async () => {
    const row = { ticker: 'one', event_ticker: 'KXA', title: 'A', status: 'finalized', result: 'yes' }
    const { kalshi } = kalshiOf(() => ({ markets: [row], events: [{ ...row, markets: [row] }] }))
    expect((await kalshi.archivedMarkets({ cursor: null })).markets).toMatchObject([{ status: 'resolved' }])
    const listed = await kalshi.events({ status: 'settled', cursor: null })
    expect(listed.markets).toMatchObject([{ status: 'closed' }])
  })

  test('where the archive begins is asked every ten minutes, and at once after a refusal', async () => {
    let [ms, isDown] = [NOW, true]
    const { kalshi, asked } = kalshiOf(
      () => (isDown ? outage() : { market_settled_ts: '2026-01-01T00:00:00Z' }),
      () => new Date(ms),
    )
    await expect(kalshi.cutoff()).rejects.toThrow()
    isDown = false
    expect(await kalshi.cutoff()).toEqual({ tradesAt: null, settledAt: new Date('2026-01-01T00:00:00Z') })
    ms += 599_999
    await kalshi.cutoff()
    expect(asked).toHaveLength(2)
    ms += 1
    await kalshi.cutoff()
    expect(asked).toHaveLength(3)
  })
})

describe('Limitless', () => {
  const limitlessOf = (answer: (path: string) => unknown) => {
    const { http, asked } = answering(answer)
    return { limitless: createLimitless({ http, url, now }), asked }
  }

  test('a list of markets ends with a page that is not full', async () => {
    const pages = async (rows: number, cursor: string | null) =>
      (
        await limitlessOf(() => ({ data: Array.from({ length: rows }, () => null) })).limitless.activeMarkets(
          {
            cursor,
          },
        )
      ).next
    expect([await pages(25, null), await pages(25, '2'), await pages(24, '2')]).toEqual(['2', '3', null])
  })

  const fill = {
    createdAt: '2026-01-01T00:00:00Z',
    matchedSize: '2500000',
    price: '0.4',
    side: 1,
    tokenId: '12',
    txHash: `0x${'A'.repeat(64)}`,
  }
  test('fills end with the last page, or with an empty one', async () => {
    const next = async (answer: object, cursor: string | null = null) =>
      (await limitlessOf(() => answer).limitless.trades({ market, cursor })).next
    expect(await next({ events: [fill], totalPages: 2 })).toBe('2')
    expect(await next({ events: [fill], totalPages: 2 }, '2')).toBeNull()
    expect(await next({ events: [fill] })).toBeNull()
    expect(await next({ events: [], totalPages: 9 })).toBeNull()
  })

  test('fills are of the outcomes of the market, in shares', async () => {
    const { limitless } = limitlessOf(() => ({
      events: [fill, { ...fill, side: 0, tokenId: '11' }, { ...fill, tokenId: '99' }],
    }))
    const { trades, quarantined } = await limitless.trades({ market, cursor: null })
    expect(trades).toMatchObject([
      {
        outcome: 1,
        side: 'sell',
        size: '2.5',
        price: '0.4',
        txHash: fill.txHash.toLowerCase(),
        isBlock: false,
      },
      { outcome: 0, side: 'buy' },
    ])
    expect(quarantined).toHaveLength(1)
  })

  test('prices are those of the window, its ends included', async () => {
    const point = (timestamp: number | string) => ({ timestamp, price: '0.5' })
    const { limitless } = limitlessOf(() => ({
      data: [point(NOW - 1), point(NOW), point(String(NOW + 1))],
      prices: [point(new Date(NOW + 2).toISOString()), point(NOW + 3), point(0)],
    }))
    const { points, quarantined } = await limitless.history({ market, fromMs: NOW, toMs: NOW + 2 })
    expect(points.map(({ at }) => at.getTime() - NOW)).toEqual([0, 1, 2])
    expect(quarantined).toHaveLength(1)
  })

  test('a market without a book or that is gone is no failure, an outage is', async () => {
    for (const status of [400, 404])
      expect(await limitlessOf(refusal(status)).limitless.orderBook(market)).toBeNull()
    await expect(limitlessOf(refusal(403)).limitless.orderBook(market)).rejects.toThrow('403')
    await expect(limitlessOf(outage).limitless.orderBook(market)).rejects.toThrow('proxy')
    const gone = await limitlessOf(refusal(404)).limitless.markets([market])
    expect([gone.markets, gone.quarantined]).toEqual([[], []])
    const odd = await limitlessOf(() => ({ odd: true })).limitless.markets([market, market])
    expect(odd.quarantined).toHaveLength(2)
    await expect(limitlessOf(refusal(400)).limitless.markets([market])).rejects.toThrow('400')
  })
})

describe('Manifold', () => {
  const manifoldOf = (answer: (path: string) => unknown) => {
    const { http, asked } = answering(answer)
    return { manifold: createManifold({ http, url, now }), asked }
  }

  test('the list ends with a page that is not full, or where no page begins any more', async () => {
    const next = async (rows: number, cursor: string | null) =>
      (await manifoldOf(() => Array.from({ length: rows }, () => null)).manifold.openMarkets({ cursor })).next
    expect(await next(PAGE, null)).toBe('1000')
    expect(await next(PAGE - 1, null)).toBeNull()
    expect(await next(PAGE, '1000')).toBeNull()
  })

  test('a question that was deleted is left out', async () => {
    const { manifold, asked } = manifoldOf(refusal(404))
    expect(await manifold.markets([market])).toMatchObject({ markets: [], quarantined: [] })
    expect(asked).toEqual(['/v0/market/KXA-1?lite=true'])
    await expect(manifoldOf(outage).manifold.markets([market])).rejects.toThrow('proxy')
  })

  test('bets are read from the last instant of a page on, even if it is of one instant', async () => {
    const bets = (ms: number, count: number) =>
      Array.from({ length: count }, () => ({ createdTime: ms, probAfter: 0.5 }))
    const from = NOW - 10_000
    const pages = [
      [...bets(from, PAGE - 1), ...bets(from + 500, 1)],
      bets(from + 500, PAGE),
      bets(from + 500, PAGE),
      bets(from + 900, 2),
    ]
    const { manifold, asked } = manifoldOf(() => pages.shift())
    const points = await manifold.history({ market, fromMs: from, toMs: NOW })
    expect(points).toHaveLength(3 * PAGE + 2)
    const afters = asked.map((path) => Number(/afterTime=(\d+)/.exec(path)![1]) - from)
    expect(afters).toEqual([-1, 499, 500, 501])
    expect(asked[0]).toContain(`beforeTime=${NOW + 1}&`)
  })
})

describe('Polymarket', () => {
  test('a token without a book is no failure, another refusal and an outage are', async () => {
    const book = (answer: () => unknown) =>
      createPolymarketClob({ http: answering(answer).http, url }).orderBook('1')
    expect(await book(refusal(404))).toBeNull()
    await expect(book(refusal(400))).rejects.toThrow('400')
    await expect(book(outage)).rejects.toThrow('proxy')
  })

  test('holders are of the outcomes of the market, by their name or pseudonym', async () => {
    const holder = (n: number, name: string | null) => ({
      proxyWallet: `0x${String(n).repeat(40)}`,
      amount: n,
      name,
      pseudonym: 'Wise Owl',
    })
    const { http } = answering(() => [
      { token: '12', holders: [holder(1, 'Ann'), holder(2, null), { bad: true }] },
      { token: '99', holders: [holder(3, 'Bob')] },
      { token: '11', holders: null },
    ])
    const holders = await createPolymarketData({ http, url, now }).holders(market)
    expect(holders.map(({ outcome, shares, trader }) => [outcome, shares, trader.name])).toEqual([
      [1, '1', 'Ann'],
      [1, '2', 'Wise Owl'],
    ])
  })

  test('events are asked for by whether they are closed, and from the cursor on', async () => {
    const { http, asked } = answering((path) => ({
      events: [],
      markets: [],
      next_cursor: path.includes('after_cursor') ? '' : 'c',
    }))
    const gamma = createPolymarketGamma({ http, url })
    expect((await gamma.events({ closed: false, cursor: null })).next).toBe('c')
    expect((await gamma.events({ closed: true, cursor: 'c' })).next).toBeNull()
    await gamma.closedMarkets(['0x1', '0x2'])
    expect(asked).toEqual([
      '/events/keyset?closed=false&limit=100',
      '/events/keyset?closed=true&limit=100&after_cursor=c',
      '/markets/keyset?closed=true&limit=100&condition_ids=0x1&condition_ids=0x2',
    ])
  })
})
