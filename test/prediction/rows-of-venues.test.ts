import { describe, expect, test } from 'vitest'
import { readKalshiEvents, readKalshiMarkets } from '../../activities/prediction/sources/kalshi-market.ts'
import { readLimitlessRows } from '../../activities/prediction/sources/limitless-market.ts'
import { createManifold } from '../../activities/prediction/sources/manifold.ts'
import { createPolymarketGamma } from '../../activities/prediction/sources/polymarket-gamma.ts'
import { createPredictIt } from '../../activities/prediction/sources/predictit.ts'
import type { MarketRow } from '../../activities/prediction/venue-data.ts'
import { answering } from './answering.ts'

// What the rows of each venue mean: whether a market is open, who has won, what it costs, and which event it is of.

type Row = Record<string, unknown>
const url = 'http://venue.test'
const at = (text: string) => new Date(`${text}Z`)
/** Status, what the first outcome pays, and when that was known. */
const endOf = ({ status, outcomes, resolvedAt }: MarketRow) => [
  status,
  outcomes[0]!.payout,
  outcomes[1]!.payout,
  resolvedAt && resolvedAt.toISOString().slice(5, 10),
]
const pricesOf = ({ outcomes }: MarketRow) => outcomes.map(({ price }) => price)

describe('Kalshi', () => {
  const row = {
    ticker: 'KXA-1-T5',
    event_ticker: 'KXA-1',
    title: 'Will it?',
    status: 'active',
    close_time: '2026-03-01T00:00:00Z',
    yes_bid_dollars: '0.4000',
    yes_ask_dollars: '0.6000',
    last_price_dollars: '0.5500',
    volume_fp: '10.00',
    volume_24h_fp: '4.00',
    open_interest_fp: '3.00',
  }
  const read = (changes: Row = {}, archived = false) =>
    readKalshiMarkets([{ ...row, ...changes }], { event: null, ...(archived && { archived }) }).markets[0]!
  const settled = { status: 'finalized', settlement_ts: '2026-03-02T00:00:00Z' }

  test.each<[what: string, changes: Row, archived: boolean, end: unknown[]]>([
    ['active', {}, false, ['open', null, null, null]],
    ['closed', { status: 'closed' }, false, ['closed', null, null, null]],
    ['yes', { ...settled, result: 'yes' }, false, ['resolved', '1', '0', '03-02']],
    ['no', { ...settled, result: 'no' }, false, ['resolved', '0', '1', '03-02']],
    [
      'also called settled',
      { ...settled, status: 'settled', result: 'no' },
      false,
      ['resolved', '0', '1', '03-02'],
    ],
    [
      'a part',
      { ...settled, result: 'scalar', settlement_value_dollars: '0.3000' },
      false,
      ['resolved', '0.3', '0.7', '03-02'],
    ],
    [
      'void',
      { ...settled, result: 'void', settlement_value_dollars: '0.3000' },
      false,
      ['cancelled', null, null, '03-02'],
    ],
    ['provisional', { ...settled, result: 'yes', is_provisional: true }, false, ['closed', null, null, null]],
    [
      'said not to be provisional',
      { ...settled, result: 'yes', is_provisional: false },
      false,
      ['resolved', '1', '0', '03-02'],
    ],
    [
      'without a time of settlement',
      { status: 'finalized', result: 'yes' },
      false,
      ['closed', null, null, null],
    ],
    ['that is archived', { status: 'finalized', result: 'yes' }, true, ['resolved', '1', '0', '03-01']],
    ['archived with a time', { ...settled, result: 'yes' }, true, ['resolved', '1', '0', '03-02']],
    ['determined', { ...settled, status: 'determined', result: 'yes' }, false, ['closed', null, null, null]],
  ])('a market %s', (_, changes, archived, end) => {
    expect(endOf(read(changes, archived))).toEqual(end)
  })

  test('offers are those of an open market, of which 0 and 1 are none', () => {
    const offers = (changes: Row) => {
      const { bestBid, bestAsk } = read(changes)
      return [bestBid, bestAsk]
    }
    expect(offers({})).toEqual(['0.4', '0.6'])
    expect(offers({ yes_bid_dollars: '0.0000', yes_ask_dollars: '1.0000' })).toEqual([null, null])
    expect(offers({ status: 'closed' })).toEqual([null, null])
  })

  test('the price is that of the last trade, else in the middle of the offers; a result is the price', () => {
    const prices = (changes: Row) => [read(changes).lastTradePrice, ...pricesOf(read(changes))]
    expect(prices({})).toEqual(['0.55', '0.55', '0.45'])
    expect(prices({ last_price_dollars: '0.0000' })).toEqual([null, '0.5', '0.5'])
    expect(prices({ last_price_dollars: null, yes_ask_dollars: null })).toEqual([null, '0.7', '0.3'])
    expect(prices({ ...settled, result: 'no' })).toEqual(['0.55', '0', '1'])
  })

  test('contracts count by what they pay at most, and are no volume', () => {
    const sums = (changes: Row) => {
      const { notional24hUsd, notionalTotalUsd, openInterestUsd, volumeTotalUsd } = read(changes)
      return [notional24hUsd, notionalTotalUsd, openInterestUsd, volumeTotalUsd]
    }
    expect(sums({})).toEqual(['4', '10', '3', null])
    expect(sums({ notional_value_dollars: '0.5000' })).toEqual(['2', '5', '1.5', null])
  })

  test('events and the markets inside them; those inside a bad event are of none', () => {
    const event = { event_ticker: 'KXA-1', title: 'All of it' }
    const page = readKalshiEvents([
      { ...event, markets: [row, { ticker: 'bad' }] },
      {
        ...event,
        event_ticker: 'KXB-1',
        series_ticker: 'KXSERIES',
        category: 'World Politics',
        mutually_exclusive: true,
        settlement_sources: [{ name: 'AP', url: 'https://ap.test' }],
        markets: [{ ...row, title: null }],
      },
      { markets: [{ ...row, title: null }] },
      { ...event, event_ticker: 'KXC', settlement_sources: [{ name: 'AP', url: null }], markets: 'none' },
    ])
    expect(page.events).toMatchObject([
      {
        url: 'https://kalshi.com/markets/kxa',
        category: null,
        tags: [],
        mutuallyExclusive: false,
        resolutionSource: null,
      },
      {
        url: 'https://kalshi.com/markets/kxseries',
        category: 'World Politics',
        tags: [{ slug: 'world-politics', label: 'World Politics' }],
        mutuallyExclusive: true,
        resolutionSource: 'https://ap.test',
      },
      { venueEventId: 'KXC', resolutionSource: 'AP' },
    ])
    expect(page.markets).toMatchObject([
      { question: 'Will it?', url: 'https://kalshi.com/markets/kxa/kxa-1-t5', tags: [] },
      {
        question: 'All of it',
        url: 'https://kalshi.com/markets/kxseries/kxa-1-t5',
        category: 'World Politics',
      },
      { question: 'KXA-1-T5', url: 'https://kalshi.com/markets/kxa/kxa-1-t5', category: null },
    ])
    expect(page.quarantined).toHaveLength(2)
  })
})

describe('Limitless', () => {
  const row = {
    slug: 'one',
    title: 'Will it?',
    createdAt: '2026-01-01T00:00:00Z',
    updatedAt: '2026-02-02T00:00:00Z',
    expirationTimestamp: Date.UTC(2026, 1, 1),
    status: 'FUNDED',
    collateralToken: { symbol: 'USDC' },
    tokens: { yes: '11', no: '12' },
    prices: ['0.3', '0.6'],
  }
  const group = { ...row, slug: 'all', title: 'Which?', categories: ['Crypto'], description: 'Of all' }
  const read = (changes: Row = {}) => readLimitlessRows([{ ...row, ...changes }]).markets[0]!

  test.each<[what: string, changes: Row, end: unknown[]]>([
    ['funded', {}, ['open', null, null, null]],
    ['said not to be expired', { expired: false }, ['open', null, null, null]],
    ['expired', { expired: true }, ['closed', null, null, null]],
    ['locked', { status: 'LOCKED' }, ['closed', null, null, null]],
    ['won by the first', { winningOutcomeIndex: 0 }, ['resolved', '1', '0', '02-01']],
    ['won by the second', { winningOutcomeIndex: 1, status: 'RESOLVED' }, ['resolved', '0', '1', '02-01']],
    [
      'won without an end',
      { winningOutcomeIndex: 1, expirationTimestamp: null },
      ['resolved', '0', '1', '02-02'],
    ],
  ])('a market that is %s', (_, changes, end) => {
    expect(endOf(read(changes))).toEqual(end)
  })

  test('what the outcomes cost, or pay', () => {
    expect(pricesOf(read())).toEqual(['0.3', '0.6'])
    expect(pricesOf(read({ winningOutcomeIndex: 1 }))).toEqual(['0', '1'])
  })

  test('a market alone is an event of its own, those of a group are of the group, and one that hides its group of none', () => {
    const page = readLimitlessRows([
      row,
      {
        ...group,
        markets: [
          { ...row, slug: 'two' },
          { ...row, slug: 'three', title: 'Which?' },
        ],
      },
      { ...row, slug: 'hidden', negRiskRequestId: '0x1' },
    ])
    expect(page.quarantined).toEqual([])
    expect(page.events.map(({ slug, mutuallyExclusive }) => [slug, mutuallyExclusive])).toEqual([
      ['one', false],
      ['all', true],
    ])
    const site = 'https://limitless.exchange/markets'
    expect(page.markets).toMatchObject([
      {
        venueEventId: 'one',
        question: 'Will it?',
        label: null,
        url: `${site}/one`,
        category: null,
        description: null,
      },
      {
        venueEventId: 'all',
        question: 'Which? Will it?',
        label: 'Will it?',
        url: `${site}/all`,
        category: 'Crypto',
        description: 'Of all',
      },
      { venueEventId: 'all', question: 'Which?', label: null, url: `${site}/all` },
      { venueEventId: null, url: `${site}/hidden` },
    ])
  })

  test('markets in other money are left out, and a group that has only such', () => {
    const other = { ...row, collateralToken: { symbol: 'WETH' } }
    expect(readLimitlessRows([other, { ...group, markets: [other] }])).toEqual({
      events: [],
      markets: [],
      quarantined: [],
    })
  })

  test('tags are the categories and tags, without those of the venue', () => {
    const { tags } = read({ categories: ['Crypto', '!'], tags: ['Limitless', 'Daily', 'crypto'] })
    expect(tags).toEqual([
      { slug: 'crypto', label: 'crypto' },
      { slug: 'daily', label: 'Daily' },
    ])
  })
})

describe('Manifold', () => {
  const now = at('2026-06-01T00:00:00')
  const row = {
    id: 'abc',
    question: 'Will it?',
    url: 'https://manifold.markets/ann/will-it',
    outcomeType: 'BINARY',
    probability: 0.3,
    createdTime: Date.UTC(2026, 0, 1),
    closeTime: Date.UTC(2026, 5, 2),
    isResolved: false,
  }
  const read = async (changes: Row = {}) => {
    const { http } = answering(() => ({ ...row, ...changes }))
    const { markets, events } = await createManifold({ http, url, now: () => now }).markets([
      { venueMarketId: 'abc' },
    ])
    expect(events).toMatchObject([{ venueEventId: 'abc', mutuallyExclusive: false }])
    return markets[0]!
  }
  const resolved = { isResolved: true, resolutionTime: Date.UTC(2026, 4, 3) }

  test.each<[what: string, changes: Row, end: unknown[], price: string]>([
    ['before its end', {}, ['open', null, null, null], '0.3'],
    ['without an end', { closeTime: null }, ['open', null, null, null], '0.3'],
    ['at its end', { closeTime: now.getTime() }, ['closed', null, null, null], '0.3'],
    ['that ended', { closeTime: now.getTime() - 1 }, ['closed', null, null, null], '0.3'],
    ['with yes', { ...resolved, resolution: 'YES' }, ['resolved', '1', '0', '05-03'], '1'],
    ['with no', { ...resolved, resolution: 'NO' }, ['resolved', '0', '1', '05-03'], '0'],
    [
      'at a price',
      { ...resolved, resolution: 'MKT', resolutionProbability: 0.8 },
      ['resolved', '0.8', '0.2', '05-03'],
      '0.8',
    ],
    ['at the last price', { ...resolved, resolution: 'MKT' }, ['resolved', '0.3', '0.7', '05-03'], '0.3'],
    ['that is cancelled', { ...resolved, resolution: 'CANCEL' }, ['cancelled', null, null, '05-03'], '0.3'],
    ['with no time', { isResolved: true, resolution: 'NO' }, ['resolved', '0', '1', '06-02'], '0'],
  ])('a question %s', async (_, changes, end, price) => {
    const market = await read(changes)
    expect(endOf(market)).toEqual(end)
    expect(pricesOf(market)[0]).toBe(price)
  })

  test('a question that is resolved without saying how is quarantined', async () => {
    const { http } = answering(() => ({ ...row, isResolved: true }))
    const page = await createManifold({ http, url, now: () => now }).markets([{ venueMarketId: 'abc' }])
    expect([page.markets.length, page.quarantined.length]).toEqual([0, 1])
  })
})

test('a contract of PredictIt is a market of its event, named unless it is alone; all open ones come at once', async () => {
  const contract = {
    id: 1,
    name: 'Ann',
    status: 'Open',
    lastTradePrice: 0.25,
    bestBuyYesCost: 0.3,
    bestSellYesCost: 0.2,
  }
  const { http } = answering(() => ({
    markets: [
      {
        id: 9,
        name: 'Who?',
        url: 'https://predictit.test/9',
        contracts: [
          contract,
          { ...contract, id: 2, name: 'Who?', status: 'Closed', lastTradePrice: null, lastClosePrice: 0.4 },
          { ...contract, id: 3, lastTradePrice: null },
          { id: 'bad' },
        ],
      },
      { id: 'bad' },
    ],
  }))
  const page = await createPredictIt({ http, url }).allMarkets()
  expect(page).toMatchObject({
    next: null,
    isWhole: true,
    events: [{ venueEventId: '9', mutuallyExclusive: false }],
  })
  expect(page.quarantined).toHaveLength(2)
  expect(page.markets).toMatchObject([
    { question: 'Who? Ann', label: 'Ann', status: 'open', bestBid: '0.2', bestAsk: '0.3' },
    { question: 'Who?', label: null, status: 'closed' },
    { question: 'Who? Ann' },
  ])
  expect(page.markets.map(pricesOf)).toEqual([
    ['0.25', '0.75'],
    ['0.4', '0.6'],
    ['0.25', '0.75'],
  ])
})

describe('Polymarket', () => {
  const row = {
    id: '7',
    question: 'Will it?',
    conditionId: `0x${'A'.repeat(64)}`,
    slug: 'will-it',
    outcomes: '["Yes","No"]',
    outcomePrices: '["0.2","0.8"]',
    clobTokenIds: '["1","2"]',
    positionIds: '["3","4"]',
    closedTime: '2026-03-01T00:00:00Z',
    volumeNum: '5',
    volume: '6',
  }
  const event = { id: '1', slug: 'all', title: 'All of it' }
  const read = async (changes: Row = {}, ofEvent: Row = {}) => {
    const { http } = answering(() => ({
      events: [{ ...event, ...ofEvent, markets: [{ ...row, ...changes }] }],
    }))
    return createPolymarketGamma({ http, url }).events({ closed: false, cursor: null })
  }
  const marketOf = async (changes: Row) => (await read(changes)).markets[0]!
  const over = { closed: true, umaResolutionStatus: 'resolved' }

  test.each<[what: string, changes: Row, end: unknown[]]>([
    ['open', {}, ['open', null, null, null]],
    ['said to be open', { closed: false, umaResolutionStatus: 'resolved' }, ['open', null, null, null]],
    ['closed', { closed: true, outcomePrices: '["1","0"]' }, ['closed', null, null, null]],
    ['won', { ...over, outcomePrices: '["0","1"]' }, ['resolved', '0', '1', '03-01']],
    ['won by nobody', { ...over, outcomePrices: '["0.5","0.5"]' }, ['cancelled', '0.5', '0.5', '03-01']],
    [
      'won at another time',
      { ...over, outcomePrices: '["1","0"]', closedTime: null, umaEndDate: '2026-03-02T00:00:00Z' },
      ['resolved', '1', '0', '03-02'],
    ],
  ])('a market that is %s', async (_, changes, end) => {
    expect(endOf(await marketOf(changes))).toEqual(end)
  })

  test('outcomes have the ids that the version says, or those of the condition; two lists differ in length in no market', async () => {
    const ids = async (changes: Row) => (await marketOf(changes)).outcomes.map((one) => one.venueOutcomeId)
    expect(await ids({})).toEqual(['1', '2'])
    expect(await ids({ version: 'v1' })).toEqual(['1', '2'])
    expect(await ids({ version: 'v2' })).toEqual(['3', '4'])
    expect(await ids({ clobTokenIds: null })).toEqual([`${row.conditionId}-0`, `${row.conditionId}-1`])
    const refused = async (changes: Row) => (await read(changes)).quarantined.length
    expect(await refused({ clobTokenIds: '["1"]' })).toBe(1)
    expect(await refused({ outcomes: '["Yes"]', clobTokenIds: '["1"]' })).toBe(1)
  })

  test('prices that are missing are even, and a volume of zero is asked for by its other name', async () => {
    expect(pricesOf(await marketOf({ outcomePrices: null }))).toEqual(['0.5', '0.5'])
    expect((await marketOf({})).volumeTotalUsd).toBe('5')
    expect((await marketOf({ volumeNum: '0' })).volumeTotalUsd).toBe('6')
  })

  test('an event is of the first tag that says something', async () => {
    const tags = ['all', '!', 'crypto'].map((slug) => ({ slug, label: `${slug} label` }))
    const shown = async (changes: Row) => (await read({}, changes)).events[0]!
    expect(await shown({ tags: [tags[0], tags[2], tags[1]] })).toMatchObject({
      category: 'crypto label',
      tags: [
        { slug: 'all', label: 'all label' },
        { slug: 'crypto', label: 'crypto label' },
      ],
      mutuallyExclusive: false,
    })
    expect(await shown({ category: 'Own', negRisk: true, tags })).toMatchObject({
      category: 'Own',
      mutuallyExclusive: true,
    })
  })

  test('a bad event is quarantined, and its markets are read without one', async () => {
    const page = await read({}, { slug: null })
    expect([page.events.length, page.quarantined.length]).toEqual([0, 1])
    expect(page.markets).toMatchObject([{ venueEventId: null, url: 'https://polymarket.com/market/will-it' }])
  })
})
