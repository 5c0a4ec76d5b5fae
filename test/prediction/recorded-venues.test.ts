import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { createHttpClient } from '../../activities/http.ts'
import { createKalshi } from '../../activities/prediction/sources/kalshi.ts'
import { createPolymarketClob } from '../../activities/prediction/sources/polymarket-clob.ts'
import { createPolymarketGamma } from '../../activities/prediction/sources/polymarket-gamma.ts'
import type { Fixture } from '../../activities/record-fixture.ts'
import { realdata } from '../setup/realdata.ts'
import { startReplay } from '../setup/replay.ts'

const OPEN_GATE = { admit: async () => {}, succeeded: async () => {}, failed: async () => {} }

type Samples = Record<string, { json: Record<string, unknown> }[]>

describe.skipIf(realdata === null)('adapters on recorded responses of the venues', async () => {
  if (realdata === null) return
  const read = async (venue: string) =>
    JSON.parse(await readFile(join(realdata!, `ccxt-comment-samples/${venue}.json`), 'utf8')) as Samples
  const [polymarket, kalshi] = await Promise.all([read('polymarket'), read('kalshi')])
  const jkorf = await readFile(
    join(
      realdata,
      'jkorf/Polymarket.Net/Polymarket.Net.UnitTests/Endpoints/Clob/ExchangeData/GetPriceHistory.txt',
    ),
    'utf8',
  )
  const gammaMarket = polymarket['parseEventToMarkets']![0]!.json
  const clobBook = polymarket['fetchOrderBook']![0]!.json
  const tickerBook = polymarket['fetchTicker']![0]!.json['book'] as Record<string, unknown>
  const kalshiEvent = kalshi['parseEvent']![0]!.json
  const kalshiMarkets = [kalshi['parseMarket']![0]!.json, kalshi['fetchTicker']![0]!.json['market']]
  const fixture = (path: string, body: unknown): Fixture => ({
    source: 'any',
    method: 'GET',
    path,
    status: 200,
    contentType: 'application/json',
    text: typeof body === 'string' ? body : JSON.stringify(body),
  })
  const condition = gammaMarket['conditionId'] as string
  const replay = await startReplay([
    fixture('/events/keyset?closed=true&limit=100', {
      events: [{ id: '1', slug: 'trump-visits', title: 'Trump visits', markets: [gammaMarket] }],
    }),
    fixture(`/markets/keyset?closed=true&limit=100&condition_ids=${condition}`, { markets: [gammaMarket] }),
    fixture('/book?token_id=1', clobBook),
    fixture('/book?token_id=2', tickerBook),
    fixture('/prices-history?market=1&startTs=0&endTs=1&fidelity=60', polymarket['fetchOHLCV']![0]!.json),
    fixture('/prices-history?market=2&startTs=0&endTs=1&fidelity=60', jkorf.slice(jkorf.indexOf('{'))),
    fixture('/events?with_nested_markets=true&status=open&limit=200', { events: [kalshiEvent], cursor: '' }),
    fixture('/markets?tickers=a,b&limit=1000', { markets: kalshiMarkets, cursor: '' }),
    fixture('/historical/markets?tickers=a,b&limit=1000', { markets: [], cursor: '' }),
    fixture('/markets/trades?ticker=KXM-1&limit=1000', {
      trades: [{ taker_outcome_side: 'no' }, { taker_side: 'no' }, {}].map((side, i) => ({
        trade_id: String(i),
        created_time: '2026-04-30T00:00:00Z',
        count_fp: '10.50',
        yes_price_dollars: '0.3000',
        no_price_dollars: '0.7000',
        ...side,
      })),
      cursor: '',
    }),
    fixture('/markets/KXM-1/orderbook', kalshi['fetchOrderBook']![0]!.json),
    fixture(
      '/series/KXM/markets/KXM-1/candlesticks?start_ts=0&end_ts=1&period_interval=60',
      kalshi['fetchOHLCV']![0]!.json,
    ),
  ])
  const { url } = replay
  const names = ['polymarket-gamma', 'polymarket-data', 'polymarket-clob', 'kalshi']
  const sources = Object.fromEntries(names.map((name) => [name, { url }]))
  const http = createHttpClient({ gate: OPEN_GATE, sources, random: () => 0 })
  const gamma = createPolymarketGamma({ http, url })
  const clob = createPolymarketClob({ http, url })
  const now = () => new Date('2026-05-01T00:00:00Z')
  const trade = createKalshi({ http, url, now })
  afterAll(async () => {
    await http.close()
    replay.close()
  })

  test('reads a Polymarket market with lists in strings, an odd date and `active` after its end', async () => {
    const page = await gamma.events({ closed: true, cursor: null })
    expect([page.events.length, page.markets.length, page.quarantined, page.next]).toEqual([1, 1, [], null])
    expect(page.markets[0]).toMatchObject({
      venueMarketId: '604489',
      conditionId: condition,
      venueEventId: '1',
      slug: 'will-trump-visit-china-by-october-31',
      status: 'resolved',
      label: 'October 31, 2025',
      tickSize: '0.001',
      volumeTotalUsd: '549414.493468',
      volume7dUsd: '121949.66579699998',
      endAt: new Date('2025-10-31T00:00:00Z'),
      createdAt: new Date('2025-09-19T19:32:28.841Z'),
      resolvedAt: new Date('2025-11-01T06:28:08Z'),
      outcomes: [
        {
          venueOutcomeId: '45601394554497090173642354630373884477724604907691447337031201817815960365378',
          name: 'Yes',
          price: '0',
          payout: '0',
        },
        {
          venueOutcomeId: '102652665954921241745169157447280060113772926009745753029489061659654862632571',
          name: 'No',
          price: '1',
          payout: '1',
        },
      ],
    })
    const asked = await gamma.closedMarkets([condition])
    expect([asked.markets.length, asked.quarantined]).toEqual([1, []])
  })

  test('reads Polymarket order books, best level first, and price points', async () => {
    const book = await clob.orderBook('1')
    expect(book).toEqual({
      bids: [
        ['0.002', '1432.11'],
        ['0.001', '3147.19'],
      ],
      asks: [
        ['0.998', '7'],
        ['0.999', '73.68'],
      ],
      tickSize: '0.001',
      at: new Date(1777541385018),
    })
    expect(await clob.orderBook('2')).toMatchObject({ bids: [['0.46', '100']], asks: [['0.46', '150']] })
    const window = { fromMs: 0, toMs: 1000, minutes: 60 }
    expect(await clob.history({ tokenId: '1', ...window })).toEqual({
      points: [{ at: new Date(1776043119000), price: '0.265' }],
      quarantined: [],
    })
  })

  test('a price above 1, found in the example of another library, is quarantined', async () => {
    const { points, quarantined } = await clob.history({ tokenId: '2', fromMs: 0, toMs: 1000, minutes: 60 })
    expect([points.length, quarantined.length]).toEqual([0, 1])
    expect(quarantined[0]!.payload).toEqual({ t: 1697875200, p: 1800.75 })
  })

  test('reads Kalshi events and markets with dollar strings, fractional contracts and a time of the year 1', async () => {
    const page = await trade.events({ status: 'open', cursor: null })
    expect([page.events.length, page.markets.length, page.quarantined, page.next]).toEqual([1, 1, [], null])
    expect(page.events[0]).toMatchObject({ slug: 'kxbalance-29', category: 'Politics', updatedAt: null })
    expect(page.markets[0]).toMatchObject({
      slug: 'kxbalance-29',
      status: 'open',
      createdAt: null,
      updatedAt: null,
      tickSize: '0.01',
      bestBid: '0.1',
      bestAsk: '0.11',
      volumeTotalUsd: null,
      notionalTotalUsd: '40111',
      openInterestUsd: '16268',
      endAt: new Date('2029-07-01T14:00:00Z'),
    })
    const { markets, quarantined } = await trade.markets(['a', 'b'])
    expect([markets.length, quarantined]).toEqual([2, []])
    expect(markets[1]).toMatchObject({
      venueMarketId: 'KXGDPSHAREMANU-29',
      volumeTotalUsd: null,
      notionalTotalUsd: '19617.68',
      openInterestUsd: '11077.21',
      lastTradePrice: '0.198',
      bestBid: '0.111',
      strikeType: 'greater_or_equal',
      floorStrike: '13.1',
      outcomes: [
        { name: 'Yes', price: '0.198' },
        { name: 'No', price: '0.802' },
      ],
    })
  })

  test('a Kalshi trade counts at the price of its taker, by either name of the side or without one', async () => {
    const market = { venueMarketId: 'KXM-1', conditionId: null, outcomeIds: ['yes', 'no'], series: null }
    const { trades, quarantined } = await trade.trades({ market, cursor: null })
    expect(quarantined).toEqual([])
    expect(trades.map(({ outcome, price, size }) => [outcome, price, size])).toEqual([
      [1, '0.7', '10.5'],
      [1, '0.7', '10.5'],
      [0, '0.3', '10.5'],
    ])
  })

  test('reads Kalshi order books and candles', async () => {
    const market = { venueMarketId: 'KXM-1', conditionId: null, outcomeIds: ['yes', 'no'], series: null }
    const book = await trade.orderBook(market)
    expect(book.bids).toEqual([
      ['0.16', '101'],
      ['0.15', '100'],
    ])
    expect(book.asks).toEqual([
      ['0.84', '101'],
      ['0.85', '100'],
    ])
    const window = { fromMs: 0, toMs: 1000, minutes: 60, archived: false }
    expect(await trade.history({ market, ...window })).toEqual({
      points: [{ at: new Date(1776109260000), price: '0.56' }],
      quarantined: [],
    })
  })
})
